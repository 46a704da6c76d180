package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"whence/internal/agent"
	"whence/internal/worktree"
)

// agentFile is a file that an agent reads and install edits.
type agentFile struct {
	folder string // the name must not lead out of it
	name   string // relative to the folder, with slashes
	path   string // the path by which the agent opens the file
	exists bool   // set by read
	src    []byte // the text, set by read
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
	case err != nil:
		return fmt.Errorf("%s: %w", f.path, err)
	}
	if f.src, err = worktree.ReadText(tree.FS(), f.name); err != nil {
		return fmt.Errorf("%s: %w", filepath.Dir(f.path), err)
	}
	if len(f.src) > maxSettingsBytes {
		return fmt.Errorf("%s is larger than %d MB: remove what is not a setting", f.path, maxSettingsBytes>>20)
	}
	f.exists = true
	return nil
}

// maxSettingsBytes bounds an agent's settings: each byte may take a hundred bytes of memory when they are parsed.
const maxSettingsBytes = 1 << 20

// write writes the text or, if no text is left, removes the file and up to two folders around it that are then empty:
// an agent's folder shows that the user has the agent. It returns worktree.ErrChanged if another program has written to
// the file.
func (f *agentFile) write(after []byte) (err error) {
	if bytes.Equal(f.src, after) {
		return nil
	}
	if err := os.MkdirAll(f.folder, 0o755); err != nil { // a folder of the user's, or the project
		return err
	}
	tree, err := worktree.Open(f.folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	if len(after) > 0 {
		return tree.Replace(f.name, f.src, after)
	}
	err = tree.Replace(f.name, f.src, nil)
	folder := filepath.Dir(f.path)
	for range 2 { // a skill has a folder of its own in that of all skills
		info, missing := os.Lstat(folder)
		if err != nil || folder == f.folder || missing != nil || !info.IsDir() || os.Remove(folder) != nil { // Remove fails if it is not empty
			break
		}
		folder = filepath.Dir(folder)
	}
	return err
}

// wrap adds the file and the line to a SettingsError.
func (f *agentFile) wrap(err error) error {
	var at *agent.SettingsError
	if errors.As(err, &at) {
		return fmt.Errorf("%s:%d: %s", f.path, at.Line, at.Message)
	}
	return err
}

// change is a new version of a file that an agent reads.
type change struct {
	file    *agentFile
	after   []byte
	what    string // describes the file, without its path
	outcome string // what was done, to be printed; "": print nothing
}

// editFunc reads a file and returns its new version. If the change has no file, there is nothing to do.
type editFunc func() (change, error)

// verifyAll returns an error if an edit is not possible. Commands call it before they write anything.
func verifyAll(edits []editFunc) error {
	for _, edit := range edits {
		if _, err := edit(); err != nil {
			return fmt.Errorf("%w; nothing was written", err)
		}
	}
	return nil
}

// applyAll applies edits and prints their outcomes. It reports whether any text has changed or, in a dry run, would
// change.
func (o *registerOptions) applyAll(edits []editFunc) (changed bool, err error) {
	for _, edit := range edits {
		made, err := o.apply(edit)
		if err != nil {
			return changed, err
		}
		if made.file == nil {
			continue
		}
		isOther := !bytes.Equal(made.after, made.file.src)
		if isOther && o.dryRun {
			made.outcome = "would be " + made.outcome
		}
		if made.outcome != "" {
			fmt.Fprintf(o.env.Stdout, "%s, %s: %s\n", made.what, made.file.path, made.outcome)
		}
		changed = changed || isOther
	}
	return changed, nil
}

// apply applies an edit, unless it is a dry run. If another program changes the file meanwhile, it edits the file
// again.
func (o *registerOptions) apply(edit editFunc) (made change, err error) {
	err = worktree.Retry(func() (err error) {
		if made, err = edit(); err != nil || made.file == nil || o.dryRun {
			return err
		}
		if err := made.file.write(made.after); err != nil {
			return fmt.Errorf("write %s: %w", made.file.path, err)
		}
		return nil
	})
	return made, err
}
