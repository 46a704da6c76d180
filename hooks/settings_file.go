package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
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
}

// openSettings reads a settings file. A missing one is not an error.
func openSettings(env cli.Env, c agent.Client, scope agent.Scope, project string) (*settingsFile, error) {
	folder, name, err := c.SettingsFile(scope, home.UserFolder(env.Getenv), project, env.Getenv)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	f := &settingsFile{client: c, scope: scope, folder: folder, name: name, path: filepath.Join(folder, filepath.FromSlash(name))}
	tree, err := worktree.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	defer tree.Close()
	_, err = tree.Real(name)
	var at *fs.PathError
	switch _, missing := fs.Lstat(tree.FS(), name); {
	case errors.Is(err, fs.ErrNotExist) && missing != nil:
		return f, nil
	case errors.Is(err, fs.ErrNotExist):
		return f, fmt.Errorf("%s is a link to a file that does not exist: remove it, or create that file", f.path)
	case errors.As(err, &at):
		return f, fmt.Errorf("%s: %w: settings are not written through such a link; move the file here, or add the hooks by hand", f.path, at.Err)
	}
	f.src, err = files.ReadText(tree.FS(), name)
	if err != nil {
		return f, fmt.Errorf("%s: %w", filepath.Dir(f.path), err)
	}
	f.exists = true
	return f, nil
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
