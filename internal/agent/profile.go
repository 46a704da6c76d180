package agent

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Scope is the range of a settings file: for whom its settings hold.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // one user's, in all projects
	Project Scope = "project" // the project's, shared with all who work on it
	Local   Scope = "local"   // one user's, in one project
)

// Scopes are all scopes.
var Scopes = []Scope{User, Project, Local}

// profile holds what differs between agents.
type profile struct {
	title           string
	sessionVariable string   // in which all programs that it runs find the id of the session
	shellVariables  []string // set for the commands of its model, and for hooks by some: one suffices
	noNotices       bool     // it is not known to show its user the notice of a reply
	addServer       string   // how the user has an MCP server listed: %[1]s is the scope, %[2]s the program
	files           files
	hooks           hookEvents
	output          outputReader
	format          format
}

// files are where an agent keeps its files. All names have slashes.
type files struct {
	user        string // the folder of a user, from the home folder
	variable    string // names that folder, or the first part of it
	project     string // the folder of a project, from its root
	settings    string // in both: the file that registers hooks
	local       string // the same of one user in one project, if there is one
	rule        string // in the folder of a user: nothing but a rule, see [Client.RuleFile]
	transcripts string // in the folder of a user; of OpenCode: the database, from its folder of data; "": see HasTranscripts
}

// hookEvents are the events at which an agent runs this module's programs.
type hookEvents struct {
	names             map[string]string // its own, by those of Claude Code
	without           []string          // events that it does not have, or reports too often
	tools             string            // matcher of the tools after which they are run
	sessionEndTimeout time.Duration     // default: 10 s
}

// format is how the settings of an agent register hooks.
type format struct {
	allowList   bool          // they list commands that it runs without asking
	comments    bool          // they may hold comments
	flat        bool          // elements of an event are commands, not groups of commands
	appends     bool          // what is added to a list comes last, not first
	skeleton    string        // the text of a new file, if it needs more than hooks
	commandName string        // of a command, if it may have one
	timeoutUnit time.Duration // of a command's time limit
	switchedOff setting       // switches all hooks off
	timeoutSec  bool          // the limit is called timeoutSec
}

// setting is a setting and its value as it is written.
type setting struct {
	path  []string
	value string
}

var profiles = map[Client]*profile{
	// JSON without comments. Before 2.1.101 one event that it did not know made Claude Code ignore the
	// whole file, permissions included, without a word. 2.0.76 knows all of these; older versions were
	// not tried.
	Claude: {
		title:           "Claude Code",
		sessionVariable: "CLAUDE_CODE_SESSION_ID",
		shellVariables:  []string{"CLAUDECODE"},
		addServer:       `claude mcp add --scope %[1]s memory -- %[2]s serve`,
		files: files{
			user: ".claude", variable: "CLAUDE_CONFIG_DIR", project: ".claude",
			settings: "settings.json", local: "settings.local.json", transcripts: "projects",
		},
		hooks:  hookEvents{tools: "Read|Bash|Edit|Write|MultiEdit|NotebookEdit"},
		output: claudeOutput,
		format: format{allowList: true, timeoutUnit: time.Second, switchedOff: setting{[]string{"disableAllHooks"}, "true"}},
	},
	// A file of hooks alone, in the shape of Claude Code's. Codex runs a hook only after the user has
	// trusted it, at its place in the file: a hook inserted before others ends the trust in those after it. It needs no
	// rule that allows reading, which would let a command leave the sandbox. It sets one of two variables, by the way in
	// which it runs a command.
	Codex: {
		title:          "Codex",
		shellVariables: []string{"CODEX_THREAD_ID", "CODEX_CI"},
		addServer:      `codex mcp add memory -- %[2]s serve`,
		files: files{
			user: ".codex", variable: "CODEX_HOME", project: ".codex",
			settings: "hooks.json", transcripts: "sessions",
		},
		hooks: hookEvents{
			without:           []string{PostToolUseFailure},
			tools:             "Bash|apply_patch|Edit|Write",
			sessionEndTimeout: 3 * time.Second, // more is cut
		},
		output: codexOutput,
		format: format{timeoutUnit: time.Second, appends: true},
	},
	// JSON with comments. PreCompress, its PreCompact, comes before every request. A command of tools.allowed
	// would deny every other one, and rules of a project have no effect.
	Gemini: {
		title:          "Gemini CLI",
		shellVariables: []string{"GEMINI_CLI"},
		addServer:      `gemini mcp add --scope %[1]s memory %[2]s serve`,
		files: files{
			user: ".gemini", project: ".gemini",
			settings: "settings.json", rule: "policies/whence.toml", transcripts: "tmp",
		},
		hooks: hookEvents{
			names: map[string]string{
				UserPromptSubmit: "BeforeAgent", PostToolUse: "AfterTool",
				Stop: "AfterAgent", PreCompact: "PreCompress",
			},
			without: []string{PostToolUseFailure, SubagentStop, PreCompact},
			tools:   "read_file|run_shell_command|replace|write_file",
		},
		output: geminiOutput,
		format: format{
			comments:    true,
			commandName: "memory-hooks",
			timeoutUnit: time.Millisecond,
			switchedOff: setting{[]string{"hooksConfig", "enabled"}, "false"},
		},
	},
	// A file of our own beside those of others, which VS Code's agent mode reads as well. Written like Claude Code's,
	// the names of events also bring its names of fields. The reference of Copilot CLI has no field of a reply for the
	// user. VS Code reads no matcher, has names of its own for tools, and no event for their failures.
	Copilot: {
		title:           "Copilot (CLI, VS Code)",
		sessionVariable: "COPILOT_AGENT_SESSION_ID",
		shellVariables:  []string{"COPILOT_CLI"},
		noNotices:       true,
		addServer:       `copilot mcp add memory -- %[2]s serve`,
		files: files{
			user: ".copilot", variable: "COPILOT_HOME", project: ".github",
			settings: "hooks/whence.json", transcripts: "session-state",
		},
		hooks:  hookEvents{tools: "Read|Bash|Edit|Write"},
		output: copilotOutput,
		format: format{
			flat:        true,
			timeoutSec:  true,
			skeleton:    "{\n  \"version\": 1\n}\n",
			timeoutUnit: time.Second,
			switchedOff: setting{[]string{"disableAllHooks"}, "true"},
		},
	},
	// A JavaScript module of our own, which maps its events to Claude Code's; see Plugin. Versions that set no
	// variable for commands (as 1.17.3) are not recognized by them.
	OpenCode: {
		title:          "OpenCode",
		shellVariables: []string{"OPENCODE"},
		addServer:      `in opencode.json, "mcp": {"memory": {"type": "local", "command": ["%[2]s", "serve"]}}`,
		files: files{
			user: ".config/opencode", variable: "XDG_CONFIG_HOME", project: ".opencode",
			settings: "plugins/whence.js", transcripts: "opencode/opencode.db",
		},
		hooks:  hookEvents{sessionEndTimeout: 3 * time.Second}, // its user waits
		output: opencodeOutput,
	},
	// A file of the user's, which Cursor ignores as a whole for one event that it does not know. Its events bring no text for
	// the user; it also runs what Claude Code's settings register. Its rules for commands, and its transcripts, were not seen.
	Cursor: {
		title:          "Cursor",
		shellVariables: []string{"CURSOR_AGENT", "CURSOR_CONVERSATION_ID"},
		noNotices:      true,
		addServer:      `in ~/.cursor/mcp.json, "mcpServers": {"memory": {"command": "%[2]s", "args": ["serve"]}}`,
		files:          files{user: ".cursor", project: ".cursor", settings: "hooks.json"},
		hooks: hookEvents{
			names: map[string]string{
				SessionStart: "sessionStart", UserPromptSubmit: "beforeSubmitPrompt", PostToolUse: "postToolUse",
				PostToolUseFailure: "postToolUseFailure", Stop: "stop", SubagentStop: "subagentStop",
				PreCompact: "preCompact", SessionEnd: "sessionEnd",
			},
			tools: "Shell|Read|Write",
		},
		output: cursorOutput,
		format: format{
			comments:    true,
			flat:        true,
			skeleton:    "{\n  \"version\": 1 \n}\n", // the blank tells it from what others write
			timeoutUnit: time.Second,
		},
	},
}

// profile returns the profile of an agent; that of Claude Code for an unknown one.
func (c Client) profile() *profile { return cmp.Or(profiles[c], profiles[Claude]) }

// Title returns the name by which the agent is known.
func (c Client) Title() string { return c.profile().title }

// SessionVariable returns the environment variable in which hooks, commands and MCP servers find the id of a session; "" if
// there is none for all of them.
func (c Client) SessionVariable() string { return c.profile().sessionVariable }

// ServerCommand returns how the user has the agent list the memory's MCP server: a command, or a snippet for
// an agent without one.
func (c Client) ServerCommand(scope Scope, program string) string {
	return fmt.Sprintf(c.profile().addServer, scope, program)
}

// ShowsNotices reports whether the agent shows its user, and not its model, the notice of a reply.
func (c Client) ShowsNotices() bool { return !c.profile().noNotices }

// Hooks returns the events at which this module's programs are run, without the commands.
func (c Client) Hooks() (all []Registration) {
	p := c.profile().hooks
	for _, event := range Names {
		if !c.RunsAt(event) {
			continue
		}
		r := Registration{Event: c.NativeEvent(event), Timeout: 5 * time.Second}
		switch event {
		case SessionStart, Stop:
			r.Timeout = 10 * time.Second
		case SessionEnd: // without a limit it has 1.5 s in Claude Code
			r.Timeout = cmp.Or(p.sessionEndTimeout, 10*time.Second)
		case PostToolUse:
			r.Matcher = p.tools
		}
		all = append(all, r)
	}
	return all
}

// RunsAt reports whether this module's programs are run at an event.
func (c Client) RunsAt(event string) bool { return !slices.Contains(c.profile().hooks.without, event) }

// Uses reports whether there is anything to do after a tool. Not every agent reads the matcher that says so.
func (c Client) Uses(e Event) bool {
	return e.Name != PostToolUse || c != Copilot || slices.Contains(strings.Split(c.profile().hooks.tools, "|"), e.Tool)
}

// FolderVariables returns the environment variables that name folders of the user's settings.
func FolderVariables() (all []string) {
	for _, c := range Clients {
		if name := c.profile().files.variable; name != "" {
			all = append(all, name)
		}
	}
	return all
}

// Folder returns the folder of a user's settings; it may not exist.
func (c Client) Folder(home string, getenv func(string) string) (string, error) {
	return joined(c.locate(User, "", home, "", getenv))
}

// SettingsFile returns the settings file of a scope: its name (with slashes) in a folder that it
// must not lead out of. Home and project are folders.
func (c Client) SettingsFile(scope Scope, home, project string, getenv func(string) string) (folder, name string, err error) {
	name = c.profile().files.settings
	if scope == Local {
		name = c.profile().files.local
	}
	if name == "" {
		return "", "", fmt.Errorf("%s has no %s settings: use --scope user or project", c.Title(), scope)
	}
	return c.locate(scope, name, home, project, getenv)
}

// SkillsFolder returns the folder of the user's skills: its name (with slashes) in a folder that it must not lead out of.
func (c Client) SkillsFolder(home string, getenv func(string) string) (folder, name string, err error) {
	return c.locate(User, "skills", home, "", getenv)
}

// HasTranscripts reports whether the agent's sessions can be captured and counted. The records of Cursor have neither ids nor
// times: a turn could be stored twice, or although it was said while capture was off.
func (c Client) HasTranscripts() bool { return c.profile().files.transcripts != "" }

// Transcripts returns the folder in which the agent keeps the transcripts of all projects, or
// OpenCode's database.
func (c Client) Transcripts(home string, getenv func(string) string) (string, error) {
	name := c.profile().files.transcripts
	if name == "" {
		return "", fmt.Errorf("transcripts of %s are not read", c.Title())
	}
	if c != OpenCode {
		return joined(c.locate(User, name, home, "", getenv))
	}
	if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, name), nil
	}
	if home == "" {
		return "", errNoHome
	}
	return filepath.Join(home, ".local", "share", name), nil
}

// Transcript returns the transcript of a session of Copilot CLI, which most of its events don't name (those of VS Code
// do); "" for another agent.
func (c Client) Transcript(session, home string, getenv func(string) string) string {
	folder, err := c.Transcripts(home, getenv)
	if c != Copilot || err != nil || session == "" || strings.ContainsAny(session, `/\:`) || !filepath.IsLocal(session) {
		return ""
	}
	return filepath.Join(folder, session, "events.jsonl")
}

var errNoHome = errors.New("there is no home folder: set HOME")

// locate returns where a file in the folder of a scope is: its name in another folder.
func (c Client) locate(scope Scope, name, home, project string, getenv func(string) string) (folder, below string, err error) {
	f := c.profile().files
	if scope != User {
		return project, path.Join(f.project, name), nil
	}
	if dir := getenv(f.variable); f.variable != "" && filepath.IsAbs(dir) {
		_, rest, _ := strings.Cut(f.user, "/")
		return dir, path.Join(rest, name), nil
	}
	if home == "" {
		return "", "", errNoHome
	}
	return home, path.Join(f.user, name), nil
}

func joined(folder, name string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, filepath.FromSlash(name)), nil
}
