package agent

import "time"

// codexSettings are those of Codex: a file of hooks alone, in the shape of Claude Code's.
// It has no event for a failure. It runs a hook only after the user has trusted it.
var codexSettings = settings{
	title:     "Codex",
	files:     []file{{User, ".codex/hooks.json"}, {Project, ".codex/hooks.json"}},
	servers:   []file{{User, ".codex/config.toml"}, {Project, ".codex/config.toml"}},
	folderEnv: "CODEX_HOME",
	events: []Hook{
		{Event: "SessionStart", Timeout: 10 * time.Second},
		{Event: "UserPromptSubmit", Timeout: 5 * time.Second},
		{Event: "PostToolUse", Matcher: "Bash|apply_patch|Edit|Write", Timeout: 5 * time.Second},
		{Event: "Stop", Timeout: 10 * time.Second},
		{Event: "SubagentStop", Timeout: 5 * time.Second},
		{Event: "PreCompact", Timeout: 5 * time.Second},
		{Event: "SessionEnd", Timeout: 3 * time.Second}, // more is cut
	},
	commands: []string{"command"},
	timeout:  "timeout",
	unit:     time.Second,
}
