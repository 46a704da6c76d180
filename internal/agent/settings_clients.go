package agent

import (
	"cmp"
	"path/filepath"
	"slices"
	"time"
)

// profile holds what differs between agents.
type profile struct {
	title           string
	sessionVariable string // in which hooks find the id of a session

	folder         string           // of a user's settings, from the home folder
	folderVariable string           // names that folder, or the first part of it
	files          map[Scope]string // settings files, with slashes, from the home folder or from the root of the project
	transcripts    string           // the folder of transcripts, from the home folder; a database is one, too
	dataVariable   string           // names the folder that transcripts are in, if folderVariable does not

	servers   []string // files in which the user's MCP servers are listed
	addServer string   // how the user has a server listed: %[1]s is the scope, %[2]s the program

	skills map[Scope]string // folders of skills

	plugin            string        // the text of the file that runs hooks, if the settings cannot
	without           []string      // events that it does not have, or reports too often
	tools             string        // matcher of the tools after which hooks are run
	sessionEndTimeout time.Duration // default: 10 s

	comments    bool          // the settings may hold comments
	lastCommas  bool          // and a comma after a last element
	flat        bool          // elements of an event are commands, not groups of commands
	formatKey   string        // names the format, if the file has to
	format      string        // its value
	commandName string        // of a command, if it may have one
	commandKeys []string      // keys of a command line, the first for Unix
	timeoutKey  string        // of the time limit
	timeoutUnit time.Duration // of the time limit
	switches    []hooksSwitch // switch all hooks off
	disabled    []string      // paths of lists that name commands to be left out

	allowList string   // path of the list of rules that let it run commands without asking, in the settings
	refusals  []string // paths of lists of rules against that
	ruleFile  string   // a file of the user that holds one such rule
	rule      string   // its text, %s for a list of commands
	approvals string   // the user's file of what was approved for each folder
	unasked   bool     // it runs all commands without asking
}

// hooksSwitch is a setting that switches all hooks off.
type hooksSwitch struct {
	path string // with dots
	off  string // its value then
}

var profiles = map[Client]*profile{
	// JSON without comments. Before 2.1.101 one event that it did not know made Claude Code ignore the
	// whole file, permissions included, without a word. 2.0.76 knows all of these; older versions were
	// not tried.
	Claude: {
		title:           "Claude Code",
		folder:          ".claude",
		sessionVariable: "CLAUDE_CODE_SESSION_ID",
		files:           map[Scope]string{User: ".claude/settings.json", Project: ".claude/settings.json", Local: ".claude/settings.local.json"},
		addServer:       `claude mcp add --scope %[1]s memory -- %[2]s serve`,
		servers:         []string{".claude.json"},
		folderVariable:  "CLAUDE_CONFIG_DIR",
		transcripts:     ".claude/projects",
		tools:           "Read|Bash|Edit|Write|MultiEdit|NotebookEdit",
		commandKeys:     []string{"command"},
		timeoutKey:      "timeout",
		timeoutUnit:     time.Second,
		switches:        []hooksSwitch{{"disableAllHooks", "true"}},
		allowList:       "permissions.allow",
		refusals:        []string{"permissions.deny", "permissions.ask"},
	},
	// A file of hooks alone, in the shape of Claude Code's. Codex runs a hook only after the user has
	// trusted it. A rule that allows a command would let it leave the sandbox, which reading does not need.
	Codex: {
		title:             "Codex",
		folder:            ".codex",
		files:             map[Scope]string{User: ".codex/hooks.json", Project: ".codex/hooks.json"},
		addServer:         `codex mcp add memory -- %[2]s serve`,
		servers:           []string{".codex/config.toml"},
		folderVariable:    "CODEX_HOME",
		skills:            map[Scope]string{User: ".codex/skills", Project: ".codex/skills"},
		transcripts:       ".codex/sessions",
		without:           []string{PostToolUseFailure},
		tools:             "Bash|apply_patch|Edit|Write",
		sessionEndTimeout: 3 * time.Second, // more is cut
		commandKeys:       []string{"command"},
		timeoutKey:        "timeout",
		timeoutUnit:       time.Second,
		unasked:           true, // in a sandbox in which they can read
	},
	// JSON with comments. PreCompress, its PreCompact, comes before every request. A command in
	// tools.allowed would deny every other one, and rules of a project have no effect.
	Gemini: {
		title:           "Gemini CLI",
		folder:          ".gemini",
		sessionVariable: "GEMINI_SESSION_ID",
		files:           map[Scope]string{User: ".gemini/settings.json", Project: ".gemini/settings.json"},
		addServer:       `gemini mcp add --scope %[1]s memory %[2]s serve`,
		servers:         []string{".gemini/settings.json"},
		transcripts:     ".gemini/tmp",
		skills:          map[Scope]string{User: ".gemini/skills", Project: ".gemini/skills"},
		without:         []string{PostToolUseFailure, SubagentStop, PreCompact},
		tools:           "read_file|run_shell_command|replace|write_file",
		comments:        true,
		commandName:     "memory-hooks",
		commandKeys:     []string{"command"},
		timeoutKey:      "timeout",
		timeoutUnit:     time.Millisecond,
		switches:        []hooksSwitch{{"hooksConfig.enabled", "false"}, {"hooks.enabled", "false"}, {"tools.enableHooks", "false"}},
		disabled:        []string{"hooksConfig.disabled", "hooks.disabled"},
		ruleFile:        ".gemini/policies/whence.toml",
		rule: "# \"memory-hooks install\" wrote this file, and \"memory-hooks uninstall\" removes it.\n" +
			"[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = [%s]\ndecision = \"allow\"\npriority = 100\n",
	},
	// A file of our own beside those of others. Written like Claude Code's, the names of events also
	// bring its names of fields. It writes the file of approvals itself.
	Copilot: {
		title:          "Copilot CLI",
		folder:         ".copilot",
		files:          map[Scope]string{User: ".copilot/hooks/whence.json", Project: ".github/hooks/whence.json"},
		addServer:      `copilot mcp add memory -- %[2]s serve`,
		servers:        []string{".copilot/mcp-config.json"},
		folderVariable: "COPILOT_HOME",
		skills:         map[Scope]string{User: ".copilot/skills", Project: ".github/skills"},
		transcripts:    ".copilot/session-state",
		flat:           true,
		formatKey:      "version",
		format:         "1",
		commandKeys:    []string{"command", "bash", "powershell"},
		timeoutKey:     "timeoutSec",
		timeoutUnit:    time.Second,
		switches:       []hooksSwitch{{"disableAllHooks", "true"}},
		approvals:      ".copilot/permissions-config.json",
	},
	// A JavaScript module of our own, which maps its events to Claude Code's. Its defaults let it run
	// all commands.
	OpenCode: {
		title:             "OpenCode",
		folder:            ".config/opencode",
		files:             map[Scope]string{User: ".config/opencode/plugins/whence.js", Project: ".opencode/plugins/whence.js"},
		addServer:         `in opencode.json, "mcp": {"memory": {"type": "local", "command": ["%[2]s", "serve"]}}`,
		servers:           []string{".config/opencode/opencode.jsonc", ".config/opencode/opencode.json", ".config/opencode/config.json"},
		folderVariable:    "XDG_CONFIG_HOME",
		skills:            map[Scope]string{User: ".config/opencode/skills", Project: ".opencode/skills"},
		transcripts:       ".local/share/opencode/opencode.db",
		dataVariable:      "XDG_DATA_HOME",
		plugin:            openCodePlugin,
		sessionEndTimeout: 3 * time.Second, // its user waits
		unasked:           true,
	},
}

// profile returns the profile of an agent; that of Claude Code for an unknown one.
func (c Client) profile() *profile { return cmp.Or(profiles[c], profiles[Claude]) }

// Title returns the name by which the agent is known.
func (c Client) Title() string { return c.profile().title }

// Folder returns the folder of a user's settings; it may not exist.
func (c Client) Folder(home string, getenv func(string) string) (string, error) {
	p := c.profile()
	folder, name, err := p.locate(User, p.folder+"/", home, "", getenv)
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, filepath.FromSlash(name)), nil
}

// SessionVariable returns the environment variable in which hooks find the id of a session; "" if
// there is none.
func (c Client) SessionVariable() string { return c.profile().sessionVariable }

// Hook is an event at which this module's programs are run.
type Hook struct {
	Event   string // as the agent calls it
	Matcher string // the tools after which they are run; "" is all
	Timeout time.Duration
}

// Hooks returns the events at which this module's programs are run.
func (c Client) Hooks() (hooks []Hook) {
	p := c.profile()
	for _, event := range Names {
		if slices.Contains(p.without, event) {
			continue
		}
		h := Hook{Event: c.NativeEvent(event), Timeout: 5 * time.Second}
		switch event {
		case SessionStart, Stop:
			h.Timeout = 10 * time.Second
		case SessionEnd: // without a limit it has 1.5 s in Claude Code
			h.Timeout = cmp.Or(p.sessionEndTimeout, 10*time.Second)
		case PostToolUse:
			h.Matcher = p.tools
		}
		hooks = append(hooks, h)
	}
	return hooks
}
