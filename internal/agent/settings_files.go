package agent

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// settings describes the settings files of an agent. Each agent has such a table: settings_claude.go
// and so on.
type settings struct {
	title      string   // the agent's name
	files      []file   // by scope
	servers    []file   // that list MCP servers, by scope
	folderEnv  string   // the variable that names the folder of a user's settings
	events     []Hook   // in the order of a session
	comments   bool     // whether the file may hold comments
	flat       bool     // entries of an event are commands, not groups of commands
	version    string   // of the format, if the file has to name it
	name       string   // of a command, if it may have one
	commands   []string // keys of a command line, the first for Unix
	powershell bool     // on Windows the command line is for PowerShell
	timeout    string   // key of the time limit
	unit       time.Duration
	switches   []switchOff
	disabled   [][]string // paths of lists that name commands to be left out
}

// file is the settings file of a scope.
type file struct {
	scope Scope
	name  string // with slashes, from the home folder or from the root of the project
}

// switchOff is a setting that switches all hooks off.
type switchOff struct {
	path []string
	off  string
}

// Hook is an event at which this module's programs are run.
type Hook struct {
	Event   string // as the agent calls it
	Matcher string
	Timeout time.Duration
	// Since is the first version known to support the event; "": any. A version that does not
	// would ignore the whole file.
	Since string
}

// ForAllTools returns the hook without a matcher: it runs for every tool.
func (h Hook) ForAllTools() Hook {
	h.Matcher = ""
	return h
}

// Scope says for whom settings hold.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // one user's, in all projects
	Project Scope = "project" // the project's, shared with all who work on it
	Local   Scope = "local"   // one user's, in one project
)

// Scopes are all scopes.
var Scopes = []Scope{User, Project, Local}

func (c Client) settings() *settings {
	switch c {
	case Codex:
		return &codexSettings
	case Gemini:
		return &geminiSettings
	case Copilot:
		return &copilotSettings
	}
	return &claudeSettings
}

// Title is the name by which the agent is known.
func (c Client) Title() string { return c.settings().title }

// Hooks are the events at which this module's programs are run.
func (c Client) Hooks() []Hook { return slices.Clone(c.settings().events) }

// SettingsFile returns the settings file of a scope: its name (with slashes) in a folder that it
// must not lead out of. Home and project are folders.
func (c Client) SettingsFile(scope Scope, home, project string, getenv func(string) string) (folder, name string, err error) {
	s := c.settings()
	i := slices.IndexFunc(s.files, func(f file) bool { return f.scope == scope })
	if i < 0 {
		return "", "", fmt.Errorf("%s has no %s settings: use --scope user or project", s.title, scope)
	}
	name = s.files[i].name
	if scope != User {
		return project, name, nil
	}
	if dir := getenv(s.folderEnv); s.folderEnv != "" && filepath.IsAbs(dir) {
		_, rest, _ := strings.Cut(name, "/")
		return dir, rest, nil
	}
	if home == "" {
		return "", "", fmt.Errorf("there is no home folder: set HOME")
	}
	return home, name, nil
}

// joinPath writes the path of a setting.
func joinPath(path []string) string { return strings.Join(path, ".") }
