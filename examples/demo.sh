#!/bin/sh
# Shows the programs at work on the example memory, with some faults planted in it.
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

# run prints a command, runs it, and continues whatever its exit status is.
run() {
	printf '\n$ %s\n' "$*"
	"$@" 2>&1 || printf '(exit status %s)\n' "$?"
}

prompt="add a column to the bookings table"
echo "Without whence, an agent that is asked this sees nothing more:"
echo "> $prompt"
echo
echo "With whence, it also sees which decisions may apply:"
printf '{"prompt":"%s"}' "$prompt" | memory-hooks UserPromptSubmit |
	sed 's/.*"additionalContext":"//; s/"}}$//; s/\\n/\n/g'
echo "It reads the first one:"
run memory-when "altering a busy table"
echo
echo "A memory of 170 decisions with some faults:"
run memory-validate
echo
echo "Safe fixes lose nothing:"
run memory-validate --fix
echo
echo "Fixes that guess: a renamed heading, and headings without an entry."
run memory-validate --unsafe-fixes
echo
echo "Now the memory has no findings:"
run memory-validate
echo "(nothing to report)"
echo
echo "An agent that is about to hold a seat asks what was decided:"
run memory-when "holding a seat"
echo
echo "Any text finds the decisions that apply:"
run memory-when recall "lock wait timeout exceeded while adding a column"
run memory-when recall "rename the variable res to result"
echo "(nothing applies)"
echo
echo "That is all. README.md says how to begin in your project."
