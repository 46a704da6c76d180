#!/bin/sh
# Shows the programs at work on the example memory with some faults in it.
# Usage: demo.sh FOLDER_OF_THE_PROGRAMS
set -eu
PATH="$1:$PATH"
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$here/ferry/." "$work"
cd "$work"
git init -q .
git apply "$here/ferry-faults.patch"

# run prints a command, runs it, and goes on whatever it exits with.
run() {
	printf '\n$ %s\n' "$*"
	"$@" 2>&1 || printf '(exit status %s)\n' "$?"
}

echo "A memory of 170 decisions, in which a few things have gone wrong:"
run memory-validate
echo
echo "What can be repaired without guessing, as a patch:"
run memory-validate --fix --diff
run memory-validate --fix
echo
echo "What is left takes a guess: a heading that was renamed, and one without entry."
run memory-validate --unsafe-fixes --diff
run memory-validate --unsafe-fixes
echo
echo "The memory is true again:"
run memory-validate
echo "(nothing to report)"
echo
echo "And an agent that is about to hold a seat finds out what was decided:"
run memory-when "holding a seat"
echo
echo "Also from words that name no decision, if one applies:"
run memory-when recall "lock wait timeout exceeded while adding a column"
run memory-when recall "rename the variable res to result"
echo "(nothing applies)"
