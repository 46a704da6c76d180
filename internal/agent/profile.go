package agent

import (
	"cmp"
	"errors"
	"fmt"
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
	sessionVariable string // in which hooks find the id of a session
	addServer       string // how the user has an MCP server listed: %[1]s is the scope, %[2]s the program
	places          places
	hooks           hookEvents
	format          format
}

// places are where an agent keeps its files: with slashes, from the home folder or from the root of the project.
type places struct {
	folder         string           // of a user's settings
	folderVariable string           // names that folder, or the first part of it
	settings       map[Scope]string // the files that register hooks
	skills         map[Scope]string // the folders of skills
	transcripts    string           // the folder of transcripts, or a database
	dataVariable   string           // names the folder that transcripts are in, if folderVariable does not
}

// hookEvents are the events at which an agent runs this module's programs.
type hookEvents struct {
	without           []string      // events that it does not have, or reports too often
	tools             string        // matcher of the tools after which they are run
	sessionEndTimeout time.Duration // default: 10 s
}

// format is how the settings of an agent register hooks.
type format struct {
	comments     bool          // they may hold comments
	flat         bool          // elements of an event are commands, not groups of commands
	skeleton     string        // the text of a new file, if it needs more than hooks
	commandName  string        // of a command, if it may have one
	timeoutUnit  time.Duration // of a command's time limit
	switchedOff  setting       // switches all hooks off
	disabledList []string      // path of the list that names commands to be left out
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
		addServer:       `claude mcp add --scope %[1]s memory -- %[2]s serve`,
		places: places{
			folder:         ".claude",
			folderVariable: "CLAUDE_CONFIG_DIR",
			settings:       map[Scope]string{User: ".claude/settings.json", Project: ".claude/settings.json", Local: ".claude/settings.local.json"},
			transcripts:    ".claude/projects",
		},
		hooks:  hookEvents{tools: "Read|Bash|Edit|Write|MultiEdit|NotebookEdit"},
		format: format{timeoutUnit: time.Second, switchedOff: setting{[]string{"disableAllHooks"}, "true"}},
	},
	// A file of hooks alone, in the shape of Claude Code's. Codex runs a hook only after the user has
	// trusted it. It needs no rule that allows reading, which would let a command leave the sandbox.
	Codex: {
		title:     "Codex",
		addServer: `codex mcp add memory -- %[2]s serve`,
		places: places{
			folder:         ".codex",
			folderVariable: "CODEX_HOME",
			settings:       map[Scope]string{User: ".codex/hooks.json", Project: ".codex/hooks.json"},
			skills:         map[Scope]string{User: ".codex/skills", Project: ".codex/skills"},
			transcripts:    ".codex/sessions",
		},
		hooks: hookEvents{
			without:           []string{PostToolUseFailure},
			tools:             "Bash|apply_patch|Edit|Write",
			sessionEndTimeout: 3 * time.Second, // more is cut
		},
		format: format{timeoutUnit: time.Second},
	},
	// JSON with comments. PreCompress, its PreCompact, comes before every request.
	Gemini: {
		title:           "Gemini CLI",
		sessionVariable: "GEMINI_SESSION_ID",
		addServer:       `gemini mcp add --scope %[1]s memory %[2]s serve`,
		places: places{
			folder:      ".gemini",
			settings:    map[Scope]string{User: ".gemini/settings.json", Project: ".gemini/settings.json"},
			skills:      map[Scope]string{User: ".gemini/skills", Project: ".gemini/skills"},
			transcripts: ".gemini/tmp",
		},
		hooks: hookEvents{
			without: []string{PostToolUseFailure, SubagentStop, PreCompact},
			tools:   "read_file|run_shell_command|replace|write_file",
		},
		format: format{
			comments:     true,
			commandName:  "memory-hooks",
			timeoutUnit:  time.Millisecond,
			switchedOff:  setting{[]string{"hooksConfig", "enabled"}, "false"},
			disabledList: []string{"hooksConfig", "disabled"},
		},
	},
	// A file of our own beside those of others. Written like Claude Code's, the names of events also
	// bring its names of fields.
	Copilot: {
		title:     "Copilot CLI",
		addServer: `copilot mcp add memory -- %[2]s serve`,
		places: places{
			folder:         ".copilot",
			folderVariable: "COPILOT_HOME",
			settings:       map[Scope]string{User: ".copilot/hooks/whence.json", Project: ".github/hooks/whence.json"},
			skills:         map[Scope]string{User: ".copilot/skills", Project: ".github/skills"},
			transcripts:    ".copilot/session-state",
		},
		format: format{
			flat:        true,
			skeleton:    "{\n  \"version\": 1\n}\n",
			timeoutUnit: time.Second,
			switchedOff: setting{[]string{"disableAllHooks"}, "true"},
		},
	},
	// A JavaScript module of our own, which maps its events to Claude Code's; see Plugin.
	OpenCode: {
		title:     "OpenCode",
		addServer: `in opencode.json, "mcp": {"memory": {"type": "local", "command": ["%[2]s", "serve"]}}`,
		places: places{
			folder:         ".config/opencode",
			folderVariable: "XDG_CONFIG_HOME",
			settings:       map[Scope]string{User: ".config/opencode/plugins/whence.js", Project: ".opencode/plugins/whence.js"},
			skills:         map[Scope]string{User: ".config/opencode/skills", Project: ".opencode/skills"},
			transcripts:    ".local/share/opencode/opencode.db",
			dataVariable:   "XDG_DATA_HOME",
		},
		hooks: hookEvents{sessionEndTimeout: 3 * time.Second}, // its user waits
	},
}

// profile returns the profile of an agent; that of Claude Code for an unknown one.
func (c Client) profile() *profile { return cmp.Or(profiles[c], profiles[Claude]) }

// Title returns the name by which the agent is known.
func (c Client) Title() string { return c.profile().title }

// SessionVariable returns the environment variable in which hooks find the id of a session; "" if
// there is none.
func (c Client) SessionVariable() string { return c.profile().sessionVariable }

// ServerCommand returns how the user has the agent list the memory's MCP server: a command, or a snippet for
// an agent without one.
func (c Client) ServerCommand(scope Scope, program string) string {
	return fmt.Sprintf(c.profile().addServer, scope, program)
}

// Hooks returns the events at which this module's programs are run, without the commands.
func (c Client) Hooks() (all []Registration) {
	p := c.profile().hooks
	for _, event := range Names {
		if slices.Contains(p.without, event) {
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

// Folder returns the folder of a user's settings; it may not exist.
func (c Client) Folder(home string, getenv func(string) string) (string, error) {
	p := c.profile().places
	return joined(p.locate(User, p.folder+"/", home, "", getenv))
}

// SettingsFile returns the settings file of a scope: its name (with slashes) in a folder that it
// must not lead out of. Home and project are folders.
func (c Client) SettingsFile(scope Scope, home, project string, getenv func(string) string) (folder, name string, err error) {
	p := c.profile().places
	name, found := p.settings[scope]
	if !found {
		return "", "", fmt.Errorf("%s has no %s settings: use --scope user or project", c.Title(), scope)
	}
	return p.locate(scope, name, home, project, getenv)
}

// SkillsFolder returns the folder of a scope in which the agent looks for skills: its name (with slashes)
// in a folder that it must not lead out of; empty if there is none that install writes to. Claude Code
// gets the skills by the plugin.
func (c Client) SkillsFolder(scope Scope, home, project string, getenv func(string) string) (folder, name string) {
	p := c.profile().places
	name, found := p.skills[scope]
	if !found {
		return "", ""
	}
	folder, name, err := p.locate(scope, name, home, project, getenv)
	if err != nil {
		return "", ""
	}
	return folder, name
}

// Transcripts returns the folder in which the agent keeps the transcripts of all projects, or
// OpenCode's database.
func (c Client) Transcripts(home string, getenv func(string) string) (string, error) {
	p := c.profile().places
	if p.dataVariable != "" {
		if dir := getenv(p.dataVariable); filepath.IsAbs(dir) {
			return filepath.Join(dir, filepath.Base(filepath.Dir(p.transcripts)), filepath.Base(p.transcripts)), nil
		}
		p.folderVariable = ""
	}
	return joined(p.locate(User, p.transcripts, home, "", getenv))
}

// Transcript returns the transcript of a session of Copilot CLI, which most of its events don't name;
// "" for another agent.
func (c Client) Transcript(session, home string, getenv func(string) string) string {
	folder, err := c.Transcripts(home, getenv)
	if c != Copilot || err != nil || session == "" || strings.ContainsAny(session, `/\:`) || !filepath.IsLocal(session) {
		return ""
	}
	return filepath.Join(folder, session, "events.jsonl")
}

// locate returns the folder of a file of some scope, and its name from there.
func (p places) locate(scope Scope, name, home, project string, getenv func(string) string) (folder, below string, err error) {
	if scope != User {
		return project, name, nil
	}
	if dir := getenv(p.folderVariable); p.folderVariable != "" && filepath.IsAbs(dir) {
		if _, rest, found := strings.Cut(name, "/"); found {
			name = rest
		}
		return dir, name, nil
	}
	if home == "" {
		return "", "", errors.New("there is no home folder: set HOME")
	}
	return home, name, nil
}

func joined(folder, name string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, filepath.FromSlash(name)), nil
}
