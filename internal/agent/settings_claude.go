package agent

import "time"

// claudeSettings are those of Claude Code: JSON without comments, events as lists of
// groups, time limits in seconds. Before 2.1.101 one event that it did not know made it
// ignore the whole file, permissions included, without a word. 2.0.76 knows all of
// these; older versions were not tried.
var claudeSettings = settings{
	title:     "Claude Code",
	files:     []file{{User, ".claude/settings.json"}, {Project, ".claude/settings.json"}, {Local, ".claude/settings.local.json"}},
	servers:   []file{{User, ".claude.json"}, {Project, ".mcp.json"}},
	folderEnv: "CLAUDE_CONFIG_DIR",
	events: []Hook{
		{Event: "SessionStart", Timeout: 10 * time.Second},
		{Event: "UserPromptSubmit", Timeout: 5 * time.Second},
		{Event: "PostToolUse", Matcher: "Read|Bash|Edit|Write|MultiEdit|NotebookEdit", Timeout: 5 * time.Second},
		{Event: "PostToolUseFailure", Timeout: 5 * time.Second, Since: "2.0.76"},
		{Event: "Stop", Timeout: 10 * time.Second},
		{Event: "SubagentStop", Timeout: 5 * time.Second},
		{Event: "PreCompact", Timeout: 5 * time.Second},
		{Event: "SessionEnd", Timeout: 10 * time.Second}, // without a limit it has 1.5 s
	},
	commands: []string{"command"},
	timeout:  "timeout",
	unit:     time.Second,
	switches: []switchOff{{[]string{"disableAllHooks"}, "true"}},
}
