package agent

import "time"

// geminiSettings are those of Gemini CLI: JSON with comments, events by names of its own,
// time limits in milliseconds. PreCompress is left out: it comes before every request.
var geminiSettings = settings{
	title:   "Gemini CLI",
	files:   []file{{User, ".gemini/settings.json"}, {Project, ".gemini/settings.json"}},
	servers: []file{{User, ".gemini/settings.json"}, {Project, ".gemini/settings.json"}},
	events: []Hook{
		{Event: "SessionStart", Timeout: 10 * time.Second},
		{Event: "BeforeAgent", Timeout: 5 * time.Second},
		{Event: "AfterTool", Matcher: "read_file|run_shell_command|replace|write_file", Timeout: 5 * time.Second},
		{Event: "AfterAgent", Timeout: 10 * time.Second},
		{Event: "SessionEnd", Timeout: 10 * time.Second},
	},
	comments:   true,
	name:       "memory-hooks",
	commands:   []string{"command"},
	powershell: true,
	timeout:    "timeout",
	unit:       time.Millisecond,
	disabled:   [][]string{{"hooksConfig", "disabled"}, {"hooks", "disabled"}},
	switches:   []switchOff{{[]string{"hooksConfig", "enabled"}, "false"}, {[]string{"hooks", "enabled"}, "false"}, {[]string{"tools", "enableHooks"}, "false"}},
}
