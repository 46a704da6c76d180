package agent

import "time"

// copilotSettings are those of Copilot CLI: a file of our own beside those of others, with
// the version of its format, and events as lists of commands. Written like Claude Code's,
// the names of events also bring its names of fields.
var copilotSettings = settings{
	title:     "Copilot CLI",
	files:     []file{{User, ".copilot/hooks/whence.json"}, {Project, ".github/hooks/whence.json"}},
	servers:   []file{{User, ".copilot/mcp-config.json"}},
	folderEnv: "COPILOT_HOME",
	events: []Hook{
		{Event: "SessionStart", Timeout: 10 * time.Second},
		{Event: "UserPromptSubmit", Timeout: 5 * time.Second},
		{Event: "PostToolUse", Timeout: 5 * time.Second},
		{Event: "PostToolUseFailure", Timeout: 5 * time.Second},
		{Event: "Stop", Timeout: 10 * time.Second},
		{Event: "SubagentStop", Timeout: 5 * time.Second},
		{Event: "PreCompact", Timeout: 5 * time.Second},
		{Event: "SessionEnd", Timeout: 10 * time.Second},
	},
	flat:       true,
	version:    "1",
	commands:   []string{"command", "bash", "powershell"},
	powershell: true,
	timeout:    "timeoutSec",
	unit:       time.Second,
	switches:   []switchOff{{[]string{"disableAllHooks"}, "true"}},
}
