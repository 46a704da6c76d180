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

// Scope says for whom the settings in a file hold.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // one user's, in all projects
	Project Scope = "project" // the project's, shared with all who work on it
	Local   Scope = "local"   // one user's, in one project
)

// Scopes lists all scopes.
var Scopes = []Scope{User, Project, Local}

// profile holds what differs between agents.
type profile struct {
	title           string
	sessionVariable string   // holds the id of the session for all programs that it runs
	shellVariables  []string // set for the commands of its model, by some agents also for hooks; one of them suffices
	noNotices       bool     // it may not show its user the notice of a reply
	addServer       string   // how the user adds an MCP server: %[1]s is the scope, %[2]s the program
	files           files
	hooks           hookEvents
	output          outputReader
	format          format
}

// files says where an agent keeps its files. All names have slashes.
type files struct {
	user        string // the user's folder, relative to the home folder
	variable    string // the environment variable that names that folder, or the first part of it
	project     string // the project's folder, relative to its root
	settings    string // the file in both folders that registers hooks
	local       string // the file in the project's folder for one user's settings, if there is one
	rule        string // the file in the user's folder that holds only a rule, see [Client.RuleFile]
	transcripts string // in the user's folder; for OpenCode the database, relative to its data folder; "": see HasTranscripts
}

// hookEvents says at which events an agent runs this module's programs.
type hookEvents struct {
	names             map[string]string // the agent's names of events, by those of Claude Code
	without           []string          // events that it does not have, or sends too often
	tools             string            // matcher for the tools after which programs are run
	sessionEndTimeout time.Duration     // 0: 10 s
}

// format says how the settings of an agent register hooks.
type format struct {
	allowList   bool          // the settings may list commands that the agent runs without asking
	comments    bool          // the settings may hold comments
	flat        bool          // elements of an event are commands, not groups of commands
	appends     bool          // elements are added at the end of a list, not at its beginning
	skeleton    string        // the text of a new file, if it needs more than hooks
	commandName string        // the name of a command, if commands may have one
	timeoutUnit time.Duration // of a command's time limit
	switchedOff setting       // switches all hooks off
	timeoutSec  bool          // the limit is called timeoutSec
}

// setting is a setting and the text of its value.
type setting struct {
	path  []string
	value string
}

var profiles = map[Client]*profile{
	// JSON without comments. Versions before 2.1.101 silently ignore the whole file, permissions included, if it has one
	// event that they do not know. 2.0.76 knows all of these events; older versions were not tried.
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
	// A file for hooks only, in the shape of Claude Code's. Codex runs a hook only after the user has trusted it, and
	// trust depends on the place in the file: inserting a hook ends the trust in those after it. Codex needs no rule
	// that allows reading; one would let a command leave the sandbox. It sets one of two variables, depending on how it
	// runs a command.
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
			sessionEndTimeout: 3 * time.Second, // Codex allows no more
		},
		output: codexOutput,
		format: format{timeoutUnit: time.Second, appends: true},
	},
	// JSON with comments. Gemini CLI sends PreCompress, its PreCompact, before every request. A command in
	// tools.allowed would deny all others, and a project's rules have no effect.
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
	// A file of our own among those of others, which VS Code's agent mode reads as well. With Claude Code's names of
	// events, Copilot also uses its names of fields. The reference of Copilot CLI has no field in a reply for the user.
	// VS Code ignores matchers, has its own names of tools, and has no event for their failures.
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
	// A JavaScript module of our own that maps OpenCode's events to Claude Code's; see Plugin. InShellTool does not
	// recognize versions that set no variable for commands, such as 1.17.3.
	OpenCode: {
		title:          "OpenCode",
		shellVariables: []string{"OPENCODE"},
		addServer:      `in opencode.json, "mcp": {"memory": {"type": "local", "command": ["%[2]s", "serve"]}}`,
		files: files{
			user: ".config/opencode", variable: "XDG_CONFIG_HOME", project: ".opencode",
			settings: "plugins/whence.js", transcripts: "opencode/opencode.db",
		},
		hooks:  hookEvents{sessionEndTimeout: 3 * time.Second}, // the user waits for it
		output: opencodeOutput,
	},
	// A file that Cursor ignores entirely if it has one unknown event. Replies have no field for the user. Cursor also
	// runs hooks that Claude Code's settings register. Its rules for commands, and its transcripts, were not examined.
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
			skeleton:    "{\n  \"version\": 1 \n}\n", // the space after 1 distinguishes it from files of others
			timeoutUnit: time.Second,
		},
	},
}

// profile returns the profile of an agent. An unknown agent has that of Claude Code.
func (c Client) profile() *profile { return cmp.Or(profiles[c], profiles[Claude]) }

// Title returns the name of the agent for people.
func (c Client) Title() string { return c.profile().title }

// SessionVariable returns the environment variable in which hooks, commands and MCP servers alike find the id of a
// session; "" if there is no such variable.
func (c Client) SessionVariable() string { return c.profile().sessionVariable }

// ServerCommand returns how the user adds the memory's MCP server to the agent: a command, or a snippet of settings if
// there is no command.
func (c Client) ServerCommand(scope Scope, program string) string {
	return fmt.Sprintf(c.profile().addServer, scope, program)
}

// ShowsNotices reports whether the agent shows the notice of a reply to its user, and not to its model.
func (c Client) ShowsNotices() bool { return !c.profile().noNotices }

// Hooks returns a registration, without a command, for each event at which this module's programs are run.
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
		case SessionEnd: // without a limit, Claude Code allows 1.5 s
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

// Uses reports whether an event has to be handled. VS Code ignores the matcher, and also sends PostToolUse for other tools.
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

// Folder returns the folder of a user's settings, which may not exist.
func (c Client) Folder(home string, getenv func(string) string) (string, error) {
	return joined(c.locate(User, "", home, "", getenv))
}

// SettingsFile returns the settings file of a scope: a folder, and the slash-separated name in it, which must not
// lead out of it. Home is the user's home folder and project the root of the project.
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

// SkillsFolder returns the folder of the user's skills in the same form as SettingsFile.
func (c Client) SkillsFolder(home string, getenv func(string) string) (folder, name string, err error) {
	return c.locate(User, "skills", home, "", getenv)
}

// HasTranscripts reports whether the agent's sessions can be captured and counted. Cursor's cannot: its records have
// neither ids nor times, so a turn could be stored twice, or although capture was off when it was said.
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

// Transcript returns the transcript of a session of Copilot CLI, since most of its events don't name it (those of VS
// Code do); "" for other agents.
func (c Client) Transcript(session, home string, getenv func(string) string) string {
	folder, err := c.Transcripts(home, getenv)
	if c != Copilot || err != nil || session == "" || strings.ContainsAny(session, `/\:`) || !filepath.IsLocal(session) {
		return ""
	}
	return filepath.Join(folder, session, "events.jsonl")
}

var errNoHome = errors.New("there is no home folder: set HOME")

// locate returns the place of a file in an agent's folder for a scope, in the same form as SettingsFile.
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
