package agent

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
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

// SettingsFile returns the settings file of a scope: its name (with slashes) in a folder that it
// must not lead out of. Home and project are folders.
func (c Client) SettingsFile(scope Scope, home, project string, getenv func(string) string) (folder, name string, err error) {
	p := c.profile()
	name, found := p.files[scope]
	if !found {
		return "", "", fmt.Errorf("%s has no %s settings: use --scope user or project", p.title, scope)
	}
	return p.locate(scope, name, home, project, getenv)
}

// locate returns the folder of a file of some scope, and its name from there.
func (p *profile) locate(scope Scope, name, home, project string, getenv func(string) string) (folder, below string, err error) {
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
