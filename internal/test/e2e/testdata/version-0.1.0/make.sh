#!/bin/sh
# Makes home.tar.gz, which is what version 0.1.0 (commit ccfebc5) leaves on a disk, and
# server.sql.gz, what it leaves on a team's PostgreSQL server: run it in a clone that has this
# commit, on a machine with PostgreSQL 15. Everything is done by the programs of that version, in
# /tmp/whence-0.1.0, which is removed afterwards; the test puts its own folder in place of that
# path.
#
#   home/      the store, states of sessions, waiting jobs, the log of events, allowed
#              stores, settings of four agents
#   project/   a repository with a memory, settings, notes, registrations and git hooks
#   office/    a repository of a team whose server was never reached: a replica and an outbox
#   before/    the agents' settings before the programs were registered
#   exported/  learnings that were exported
#   old/       a repository whose index has an old format, with the plan of its migration
#
# Of the sessions, "first" and "second" were captured. "second" went on, and "third" was never
# captured: their jobs wait.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=/tmp/whence-0.1.0
mkdir "$root"
trap 'rm -rf "$root"' EXIT
mkdir "$root/src" "$root/bin" "$root/alone" "$root/home" "$root/project" "$root/office"
git -C "$(git -C "$here" rev-parse --show-toplevel)" archive ccfebc5 | tar -x -C "$root/src"
(cd "$root/src" && CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs -o "$root/bin/" ./...)
(cd "$here/../.." && go test -count=1 -run MakeVersion010Server . -version-0.1.0 "$root/bin")
cp "$root/bin/memory-hooks" "$root/alone" # with a worker that does nothing
printf '#!/bin/sh\n' >"$root/alone/memory-remember"
chmod +x "$root/alone/memory-remember"

unset WHENCE_HOME WHENCE_STORE XDG_DATA_HOME XDG_CONFIG_HOME CLAUDE_CONFIG_DIR CODEX_HOME COPILOT_HOME
export HOME="$root/home" PATH="$root/bin:/usr/local/bin:/usr/bin:/bin" WHENCE_HOOK_DEADLINE=1m NO_COLOR=1
export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.com GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@example.com

# event NAME SESSION FIELDS: an event of Claude Code, in the current folder
event() {
	printf '{"session_id":"%s","cwd":"%s","hook_event_name":"%s"%s}' "$2" "$PWD" "$1" "${3:+,$3}" |
		"$root/alone/memory-hooks" "$1" --agent claude
}
transcripts=$HOME/.claude/projects/project
mkdir -p "$transcripts"
line=0
# user SESSION TEXT, agent SESSION TEXT: a line of a transcript; ran SESSION COMMAND RESULT FAILED:
# two
record() {
	line=$((line + 1))
	printf '{"type":"%s","uuid":"uuid-%s-%d","sessionId":"%s","timestamp":"2025-03-01T10:%02d:00.000Z","message":{"role":"%s","content":%s}}\n' \
		"$2" "$1" "$line" "$1" "$line" "$2" "$3" >>"$transcripts/$1.jsonl"
}
user() { record "$1" user "\"$2\""; }
agent() { record "$1" assistant "[{\"type\":\"text\",\"text\":\"$2\"}]"; }
ran() {
	record "$1" assistant "[{\"type\":\"tool_use\",\"id\":\"tool-$1-$line\",\"name\":\"Bash\",\"input\":{\"command\":\"$2\"}}]"
	record "$1" user "[{\"type\":\"tool_result\",\"tool_use_id\":\"tool-$1-$((line - 1))\",\"is_error\":$4,\"content\":\"$3\"}]"
}

# The repository.
cd "$root/project"
git init -q -b main --template=
mkdir -p agents/decisions .claude
cat >agents/memory-index.md <<'END'
# Memory Index

Run `/when <trigger>` to see a decision.

## agents/decisions/moorings.md

/when mooring the ferry | Mooring lines | bowline, spring line, pier seven, never at low tide
END
cat >agents/decisions/moorings.md <<'END'
# Moorings

## Mooring lines

<!-- situations:
the ferry drifts off the pier at night
-->

Two bowlines and a spring line at pier seven.
END
cat >.whence.yaml <<'END'
index: agents/memory-index.md
decisions: [agents/decisions/*.md]
validate:
  word-count: 8..20
  enable: [stale-path]
memory_injection_limit: 12
memory_injection_bytes: 2500
memory_notes_refresh: 8
memory_event_log: events
memory_store: local
END
cat >.claude/whence.local.md <<'END'
---
memory_model_capture_mode: silent
memory_silent_capture_budget: 3
memory_injection_enabled: true
memory_turn_capture: true
memory_turn_days: 0
memory_event_log: prompts
memory_turns_shared: false
---

Only for Ann.
END
echo .claude/whence.local.md >.gitignore

# Registrations, in settings that were there before.
mkdir -p "$HOME/.codex" "$HOME/.gemini" "$HOME/.copilot"
printf '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": [ { "hooks": [ { "type": "command", "command": "say \\u0026\\u0026 done" } ] } ]\n\t}\n}\n' >"$HOME/.claude/settings.json"
printf '{"theme": "dark"}' >"$HOME/.gemini/settings.json"
printf '{\r\n  "permissions": {"allow": ["Bash(make:*)"]}\r\n}\r\n' >.claude/settings.json
mkdir -p .git/hooks
printf '#!/bin/sh\necho the hook of before\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
mkdir -p "$root/before/home/.claude" "$root/before/home/.gemini" "$root/before/project/.claude" "$root/before/project/.git/hooks"
for file in home/.claude/settings.json home/.gemini/settings.json project/.claude/settings.json project/.git/hooks/pre-commit; do
	cp "$root/$file" "$root/before/$file"
done
memory-hooks install --agent claude --agent codex --agent gemini --agent copilot
memory-hooks install --scope project
memory-hooks install --scope local
cp .whence.yaml "$root/before/project/.whence.yaml"
memory-hooks notes enable --gitignore
memory-validate install-git-hook
git add .
git commit -qm 'Moor the ferry' # by the hook

# Learnings: of each category, reinforced, judged, contradicted, from agents, of everywhere.
learn() { memory-remember "$@"; }
learn --category patterns --name 'Spring line first' 'Tie the spring line before the bowline when the ferry moors at pier seven'
learn --session first --category patterns --name 'Spring line first' 'Tie the spring line before the bowline when the ferry moors at pier seven'
learn --category heuristics --reference docs/tides.md 'The tide table readTideTable() returns UTC, so add the offset of Europe/Berlin before you print it'
learn --category anti-patterns --reasoning 'two crews were stranded' 'Never moor the ferry at low tide, because the keel touches the ground'
learn --category heuristics --name 'Größe der Fähre' 'Die Größe der Fähre steht in schiffe_größe.csv und wird in Metern gezählt'
learn --category patterns '渡し船の切符は正午前に予約する because fares change at noon in Café Zürich'
learn --global 'Always quote shell variables that hold a path with spaces'
learn --personal --category heuristics 'My own terminal needs TERM=xterm-256color for the harbour dashboard'
learn 'The ferry timetable is published every Monday at eight by the cron job publish-timetable.sh'
learn 'Use the harbour crane for loads of forty tonnes'
learn 'Do not use the harbour crane for loads of forty tonnes'
learn 'The fuel pump of the ferry is started with make pump'
learn 'The radio of the ferry listens on channel sixteen'
learn 'The old lighthouse keeper is called Hinnerk'
memory-remember feedback 'Spring line first' helped --session first --reason 'it held in the storm'
memory-remember feedback 'Spring line first' helped --session second
fuel=$(memory-remember search 'fuel pump' --turns 0 --format json | sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p' | head -1)
memory-remember feedback "$fuel" outdated --reason 'the pump is electric now'
radio=$(memory-remember search 'radio channel sixteen' --turns 0 --format json | sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p' | head -1)
memory-remember feedback "$radio" wrong --reason 'it is channel twelve'
keeper=$(memory-remember search 'lighthouse keeper Hinnerk' --turns 0 --format json | sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p' | head -1)
memory-remember forget "$keeper"
memory-remember store --session first --name 'Foghorn twice' --category patterns --reasoning 'the rule of the harbour' --description 'Sound the foghorn twice before the ferry leaves the pier in fog'
memory-remember store --session first --rejected --name 'Paint it red' --category patterns --reasoning taste --description 'Paint the lighthouse red in the summer of each year'
printf '# Patterns\n\n### Pattern: Log tides\nWrite the tides of the day into the log before the ferry leaves.\n- Used in: project\n' >bank.md
memory-remember import bank.md
rm bank.md

# Sessions.
event SessionStart first '"source":"startup"'
event UserPromptSubmit first '"prompt":"how are we mooring the ferry at pier seven?"'
user first 'Why does the tide gauge at Inchmoor report nonsense? Its serial line needs even parity at 4800 baud.'
agent first 'The tide gauge at Inchmoor reports raw counts, because its poller starts before the calibration table is loaded.'
ran first 'make gauge' 'gauge.c:12: error: undefined reference to calibrate' true
ran first 'make gauge CALIBRATE=1' 'gauge built' false
user first 'Von jetzt an wird die Fähre nur noch an Brücke sieben festgemacht, nie an Brücke sechs.'
agent first 'Noted: the ferry moors at bridge seven only, since the pilings of bridge six are rotten.'
event PostToolUseFailure first '"tool_name":"Bash","tool_input":{"command":"make gauge"},"error":"gauge.c:12: error: undefined reference to calibrate"'
event PostToolUse first '"tool_name":"Bash","tool_input":{"command":"make gauge CALIBRATE=1"},"tool_response":{"stdout":"gauge built"}'
event Stop first "\"transcript_path\":\"$transcripts/first.jsonl\""
event SessionEnd first "\"transcript_path\":\"$transcripts/first.jsonl\",\"reason\":\"exit\""
user second 'The buoy of the northern fairway must blink every four seconds, the harbour master insists on it.'
agent second 'The northern buoy blinked every six seconds because its timer counted ticks of 1.5 seconds; it is four now.'
event Stop second "\"transcript_path\":\"$transcripts/second.jsonl\""
memory-remember capture

# A team's repository, whose server is not there.
cd "$root/office"
git init -q -b main --template=
git remote add origin git@github.com:acme/office.git
printf 'memory_store: postgres://ann@127.0.0.1:1/office?sslmode=disable\nmemory_repository: acme/office\nmemory_turns_shared: true\n' >.whence.yaml
mkdir .claude
printf -- '---\nmemory_turn_days: 0\n---\n' >.claude/whence.local.md
git add .whence.yaml
git commit -qm 'Share a store'
memory-remember store allow
learn --category patterns 'Office hours end at four on Fridays, so deploy the timetable before noon'
learn --personal 'My desk in the office is the one below the barometer'
transcripts=$HOME/.claude/projects/office
mkdir -p "$transcripts"
user team 'The timetable of the office is deployed before noon on Fridays, from the branch winter.'
event Stop team "\"transcript_path\":\"$transcripts/team.jsonl\""
memory-remember capture || true # the server is not there

# Jobs that wait.
cd "$root/project"
transcripts=$HOME/.claude/projects/project
user second 'The anchor of the dredger is checked before each winter, and the chain is replaced after ten years.'
event Stop second "\"transcript_path\":\"$transcripts/second.jsonl\",\"last_assistant_message\":\"The dredger's chain is replaced in 2029, since it was forged in 2019.\""
user third 'Passengers with bicycles board the ferry from the rear ramp, after the cars and before the pedestrians.'
event SessionStart third '"source":"startup"'
event UserPromptSubmit third '"prompt":"who boards the ferry first, and where do the bicycles go?"'
event PreCompact third "\"transcript_path\":\"$transcripts/third.jsonl\",\"trigger\":\"auto\""

# Files that commands of the next version read.
mkdir -p "$root/exported" "$root/old/agents/decisions"
memory-remember export >"$root/exported/learnings.jsonl"
cd "$root/old"
git init -q -b main --template=
cp "$root/project/agents/decisions/moorings.md" agents/decisions
printf '# Memory Index\n\n## agents/decisions/moorings.md\n\nMooring lines — two bowlines and a spring line at pier seven, never at low tide\n' >agents/memory-index.md
git add .
git commit -qm 'Begin'
memory-migrate plan >plan.tsv

cd "$root/project"
memory-remember 'Tie the spring line before the bowline when the ferry moors at pier seven' # and close the store, which readers leave open

cd "$root"
rm -rf src bin alone
tar -czf "$here/home.tar.gz" --sort=name --owner=0 --group=0 --numeric-owner before exported home office old project
