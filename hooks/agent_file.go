package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"whence/internal/agent"
	"whence/internal/worktree"
)

// agentFile is a file that an agent reads, and that install edits.
type agentFile struct {
	folder     string // that it must not lead out of
	name       string // from there, with slashes
	path       string // as the agent knows it
	ownFolders int    // so many of the folders around it go with it, if they are empty then
	exists     bool
	src        []byte
}

func newAgentFile(folder, name string) agentFile {
	return agentFile{folder: folder, name: name, path: filepath.Join(folder, filepath.FromSlash(name))}
}

func (f *agentFile) read() error {
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
		return fmt.Errorf("%s: %w: nothing is written through such a link; move the file here, or edit it by hand", f.path, at.Err)
	}
	if f.src, err = worktree.ReadText(tree.FS(), f.name); err != nil {
		return fmt.Errorf("%s: %w", filepath.Dir(f.path), err)
	}
	f.exists = true
	return nil
}

// write writes the text, or removes the file if nothing is left of what was made for our
// registrations. Where a process was killed that did the same, it does what is left.
// ErrChanged means that another program has written to it.
func (f *agentFile) write(after []byte) (err error) {
	if !f.exists && len(after) == 0 {
		return f.removeFolders()
	}
	if err := os.MkdirAll(f.folder, 0o755); err != nil { // the user's own, or the project
		return err
	}
	tree, err := worktree.Open(f.folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	if len(after) > 0 || f.wasEmpty() {
		return tree.Replace(f.name, f.src, append([]byte{}, after...))
	}
	if err := tree.Replace(f.name, f.src, nil); err != nil {
		return err
	}
	return f.removeFolders()
}

// removeFolders removes the folders that go with the file, if they are empty.
func (f *agentFile) removeFolders() error {
	root, err := os.OpenRoot(f.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	folder := path.Dir(f.name)
	for range f.ownFolders {
		if info, err := root.Lstat(folder); err == nil && info.IsDir() { // a link stays
			_ = root.Remove(folder)
		}
		folder = path.Dir(folder)
	}
	return root.Close()
}

// wasEmpty reports whether the file was empty before anything was registered in it: then its
// text has no final newline, which a file that was made for our registrations has.
func (f *agentFile) wasEmpty() bool { return f.exists && !bytes.HasSuffix(f.src, []byte("\n")) }

// wrap adds the file, and the line, to an error about its text.
func (f *agentFile) wrap(err error) error {
	var at *agent.SettingsError
	if errors.As(err, &at) {
		return fmt.Errorf("%s:%d: %s", f.path, at.Line, at.Message)
	}
	return err
}

// change is a new version of a file that an agent reads.
type change struct {
	file  *agentFile
	after []byte
	title string   // a line above the others, if any
	lines []string // describe what is done; empty: nothing is printed
}

// editFunc reads a file and returns its new version. Without a file there is nothing to do.
type editFunc func() (change, error)

// verifyAll makes sure that every part of a command can be done, before anything is written.
func verifyAll(edits []editFunc) error {
	for _, edit := range edits {
		if _, err := edit(); err != nil {
			return fmt.Errorf("%w; nothing was written", err)
		}
	}
	return nil
}

// make changes a file, prints how, and reports whether its text has changed. If another program changes the
// file first, it is edited again.
func (o *registerOptions) make(edit editFunc) (changed bool, err error) {
	var made change
	err = worktree.Retry(func() (err error) {
		if made, err = edit(); err != nil || made.file == nil || o.dryRun {
			return err
		}
		if err := made.file.write(made.after); err != nil {
			return fmt.Errorf("write %s: %w", made.file.path, err)
		}
		return nil
	})
	if err != nil || len(made.lines) == 0 {
		return false, err
	}
	how := ""
	if o.dryRun {
		how = " (nothing is written)"
	}
	if made.title != "" {
		fmt.Fprintf(o.env.Stdout, "%s:%s\n", made.title, how)
	}
	for _, line := range made.lines {
		fmt.Fprintf(o.env.Stdout, "  %s\n", line)
	}
	return !bytes.Equal(made.after, made.file.src), nil
}

// whole returns a new version of a file that is ours as a whole.
func (f *agentFile) whole(after []byte, line string) change {
	return change{file: f, after: after, lines: []string{line + ": " + f.path}}
}
