package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/files"
	"whence/internal/home"
	"whence/internal/worktree"
)

// settingsFile is a file in which an agent looks for hooks.
type settingsFile struct {
	client agent.Client
	scope  agent.Scope
	folder string // that it must not lead out of
	name   string // from there, with slashes
	path   string // as the agent knows it
	exists bool
	src    []byte
	ours   []agent.Registration // of this program
	off    string               // the setting that switches all hooks off
	plugin string               // our plugin, which registers hooks too, if it is switched on here
	err    error                // why the file cannot be used
}

// settingsFiles reads the settings files of an agent, of all scopes that it has.
func settingsFiles(env cli.Env, c agent.Client, project string) (all []*settingsFile) {
	for _, scope := range agent.Scopes {
		if f, _ := openSettings(env, c, scope, project); f != nil {
			all = append(all, f)
		}
	}
	return all
}

// openSettings reads a settings file. A missing one is not an error. An agent that has no settings of
// a scope is a usage error, without a file.
func openSettings(env cli.Env, c agent.Client, scope agent.Scope, project string) (*settingsFile, error) {
	folder, name, err := c.SettingsFile(scope, home.UserFolder(env.Getenv), project, env.Getenv)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	f := &settingsFile{client: c, scope: scope, folder: folder, name: name, path: filepath.Join(folder, filepath.FromSlash(name))}
	f.err = f.read()
	return f, f.err
}

func (f *settingsFile) read() error {
	tree, err := worktree.Open(f.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer tree.Close()
	_, err = tree.Real(f.name)
	var at *fs.PathError
	switch _, missing := fs.Lstat(tree.FS(), f.name); {
	case errors.Is(err, fs.ErrNotExist) && missing != nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is a link to a file that does not exist: remove it, or create that file", f.path)
	case errors.As(err, &at):
		return fmt.Errorf("%s: %w: settings are not written through such a link; move the file here, or add the hooks by hand", f.path, at.Err)
	}
	if f.src, err = files.ReadText(tree.FS(), f.name); err != nil {
		return fmt.Errorf("%s: %w", filepath.Dir(f.path), err)
	}
	f.exists = true
	return f.wrap(f.inspect())
}

// inspect reads from the text what is registered, and what switches it on or off.
func (f *settingsFile) inspect() error {
	all, err := f.client.Registered(f.src)
	if err != nil {
		return err
	}
	f.ours = slices.DeleteFunc(all, func(r agent.Registration) bool { return !isOurs(r.Command) })
	if f.off, err = f.client.DisabledBy(f.src); err != nil {
		return err
	}
	plugins, err := f.client.Plugins(f.src)
	for name, on := range plugins {
		if on && strings.HasPrefix(name, agent.PluginPrefix) {
			f.plugin = name
		}
	}
	return err
}

// wrap adds the file, and the line, to an error about its text.
func (f *settingsFile) wrap(err error) error {
	var at *agent.SettingsError
	if errors.As(err, &at) {
		return fmt.Errorf("%s:%d: %s", f.path, at.Line, at.Message)
	}
	return err
}

// write writes the text, or removes the file if nothing is left of what was made for our
// registrations. ErrChanged means that another program has written meanwhile.
func (f *settingsFile) write(after []byte) (err error) {
	if string(after) == string(f.src) && (f.exists || len(after) == 0) {
		return nil
	}
	if err := os.MkdirAll(f.folder, 0o755); err != nil { // the user's own, or the project
		return err
	}
	tree, err := worktree.Open(f.folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	folder := path.Dir(f.name)
	switch {
	case !f.exists:
		if err := tree.MakeFolders(folder, 0o755); err != nil {
			return err
		}
		if err := tree.Create(f.name, after); !errors.Is(err, fs.ErrExist) {
			return err
		}
		return files.ErrChanged
	case len(after) > 0 || f.wasEmpty():
		return tree.Replace(f.name, f.src, after)
	}
	if err := tree.Remove(f.name, f.src); err != nil {
		return err
	}
	if f.scope != agent.User {
		_ = tree.RemoveFolder(folder) // if it is empty
	}
	return nil
}

// wasEmpty reports whether the file was empty before anything was registered in it: then its
// text has no final newline, which a file that was made for our registrations has.
func (f *settingsFile) wasEmpty() bool { return f.exists && !bytes.HasSuffix(f.src, []byte("\n")) }

// events returns the events for which this program is registered.
func (f *settingsFile) events() (events []string) {
	for _, r := range f.ours {
		events = append(events, r.Event)
	}
	return events
}

// programs returns the programs that our registrations run.
func (f *settingsFile) programs() (programs []string) {
	for _, r := range f.ours {
		if path := programOf(r.Command); !slices.Contains(programs, path) {
			programs = append(programs, path)
		}
	}
	return programs
}

// canBlock reports whether one of our registrations is of the form that version 0.1.0 wrote.
func (f *settingsFile) canBlock() bool {
	return slices.ContainsFunc(f.ours, func(r agent.Registration) bool { return canBlock(r.Command) })
}

// isNarrow reports whether an event is registered for some tools only.
func (f *settingsFile) isNarrow() bool {
	return slices.ContainsFunc(f.ours, func(r agent.Registration) bool { return r.Matcher != "" })
}

// installCommand returns the command line that replaces what is registered.
func (f *settingsFile) installCommand() string {
	return fmt.Sprintf("%s install --scope %s --agent %s", programName, f.scope, f.client)
}

// uninstallCommand returns the command line that removes what is registered.
func (f *settingsFile) uninstallCommand() string {
	return fmt.Sprintf("%s uninstall --scope %s --agent %s", programName, f.scope, f.client)
}
