package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"whence/internal/agent"
	"whence/internal/atomicfile"
	"whence/internal/cli"
	"whence/internal/textfile"
	"whence/internal/worktree"
)

// settingsFile is a file in which an agent looks for hooks.
type settingsFile struct {
	client agent.Client
	scope  agent.Scope
	folder string // that it must not lead out of
	path   string // as the agent knows it
	real   string // where it lies, links followed; "" if it is not there
	src    []byte
}

// openSettings reads a settings file. One that is not there is no error.
func openSettings(env cli.Env, c agent.Client, scope agent.Scope, project string) (*settingsFile, error) {
	folder, name, err := c.SettingsFile(scope, userHome(env), project, env.Getenv)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	f := &settingsFile{client: c, scope: scope, folder: folder, path: filepath.Join(folder, filepath.FromSlash(name))}
	if _, err := os.Lstat(f.path); errors.Is(err, fs.ErrNotExist) {
		return f, f.checkParents()
	}
	tree := worktree.Tree{Dir: folder}
	f.real, err = tree.Path(name)
	if errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("%s is a link to nowhere: take it away, or make what it leads to", f.path)
	}
	if err != nil {
		return f, fmt.Errorf("%w: settings are not written through a link to another place; move the file, or put the hooks in by hand", err)
	}
	f.src, err = textfile.Read(os.DirFS(filepath.Dir(f.real)), filepath.Base(f.real))
	if err != nil {
		return f, fmt.Errorf("%s: %w", filepath.Dir(f.path), err)
	}
	return f, nil
}

// userHome is the user's home folder.
func userHome(env cli.Env) string {
	if dir := env.Getenv("HOME"); dir != "" {
		return dir
	}
	return env.Getenv("USERPROFILE")
}

// checkParents makes sure that a file to be made does not land outside by way of a link.
func (f *settingsFile) checkParents() error {
	at := filepath.Dir(f.path)
	for at != f.folder {
		if _, err := os.Lstat(at); err == nil {
			break
		}
		at = filepath.Dir(at)
	}
	if _, err := os.Lstat(at); err != nil {
		return nil // nothing is there yet
	}
	parent, err := filepath.EvalSymlinks(at)
	if err != nil {
		return err
	}
	folder, err := filepath.EvalSymlinks(f.folder)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(folder, parent); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("%s leads out of %s: settings are not written through a link to another place", at, f.folder)
	}
	return nil
}

// wrap adds the file, and the line, to an error about its text.
func (f *settingsFile) wrap(err error) error {
	var at *agent.SettingsError
	if errors.As(err, &at) {
		return fmt.Errorf("%s:%d: %s; nothing was written", f.path, at.Line, at.Message)
	}
	return err
}

// write writes the text, or takes the file away if it has become empty. ErrChanged means
// that somebody else was faster.
func (f *settingsFile) write(after []byte) error {
	switch {
	case string(after) == string(f.src) && f.real != "":
		return nil
	case f.real == "" && len(after) == 0:
		return nil
	case f.real == "":
		if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
			return err
		}
		err := atomicfile.Create(f.path, after)
		if errors.Is(err, fs.ErrExist) {
			return atomicfile.ErrChanged
		}
		return err
	case len(after) == 0:
		if err := atomicfile.Remove(f.real, f.src); err != nil {
			return err
		}
		if f.scope != agent.User {
			_ = os.Remove(filepath.Dir(f.path)) // if it is empty
		}
		return nil
	}
	return atomicfile.Replace(f.real, f.src, after)
}

// registered lists our registrations.
func (f *settingsFile) registered() ([]agent.Registration, error) {
	all, err := f.client.Registered(f.src)
	if err != nil {
		return nil, f.wrap(err)
	}
	var ours []agent.Registration
	for _, r := range all {
		if isOurs(r.Command) {
			ours = append(ours, r)
		}
	}
	return ours, nil
}

// names lists words for a sentence.
func names[T ~string](all []T) string {
	var words []string
	for _, name := range all {
		words = append(words, string(name))
	}
	return strings.Join(words, ", ")
}
