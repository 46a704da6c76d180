package repo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/program"
	"whence/internal/worktree"
)

// mergeSection is the section of git's settings that registers the merge driver.
const mergeSection = "merge." + MergeDriverName

// MergeDriverName is the name of the merge driver in git's attributes.
const MergeDriverName = "whence"

// MergeDriver returns the command line that is registered as the merge driver; "" if there is none.
func (r *Repository) MergeDriver() (string, error) { return r.mergeDriver() }

// mergeDriver is MergeDriver for the settings that some options of "git config" select.
func (r *Repository) mergeDriver(scope ...string) (string, error) {
	args := slices.Concat([]string{"config"}, scope, []string{"--get", mergeSection + ".driver"})
	out, err := r.read(context.Background(), args...)
	if exitedWith(err, 1) {
		return "", nil
	}
	return strings.TrimRight(string(out), "\r\n"), err
}

// SetMergeDriver registers a command line, with a description, as the merge driver of this clone.
func (r *Repository) SetMergeDriver(description, line string) error {
	_, err := r.answer(context.Background(), nil, "config", "--local", mergeSection+".name", description)
	if err == nil {
		_, err = r.answer(context.Background(), nil, "config", "--local", mergeSection+".driver", line)
	}
	return err
}

// RemoveMergeDriver removes the merge driver from the settings of this clone, and no other setting. It returns false if
// they have none.
func (r *Repository) RemoveMergeDriver() (removed bool, err error) {
	if line, err := r.mergeDriver("--local", "--no-includes"); err != nil || line == "" {
		return false, err
	}
	_, err = r.answer(context.Background(), nil, "config", "--local", "--remove-section", mergeSection)
	return err == nil, err
}

// MergeFile merges three files in a folder with "git merge-file" and further options. Clean is false if the result has
// conflicts.
func MergeFile(dir, base, ours, theirs string, options ...string) (merged []byte, clean bool, err error) {
	args := slices.Concat([]string{"merge-file", "-p"}, options, []string{"--", ours, base, theirs})
	merged, err = run(context.Background(), program.NewSearch(dir), dir, environment(dir), nil, args)
	var failed *commandError
	if errors.As(err, &failed) && failed.status < 128 { // the number of conflicts
		return merged, false, nil
	}
	return merged, err == nil, err
}

// AttributesFile returns the path of the file with the attributes of this clone alone.
func (r *Repository) AttributesFile() string { return filepath.Join(r.CommonDir, "info", "attributes") }

// Attributes returns the content of AttributesFile; nil if it does not exist.
func (r *Repository) Attributes() ([]byte, error) {
	dir, name := filepath.Split(r.AttributesFile())
	folder, err := worktree.Open(dir)
	var src []byte
	if err == nil {
		defer folder.Close()
		src, err = worktree.ReadText(folder.FS(), name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return src, err
}

// EditAttributes edits AttributesFile. It removes the file if nothing is left.
func (r *Repository) EditAttributes(edit func(src []byte) []byte) error {
	dir, name := filepath.Split(r.AttributesFile())
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	folder, err := worktree.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return worktree.Retry(func() error {
		before, err := worktree.ReadText(folder.FS(), name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		after := edit(before)
		if len(after) == 0 {
			after = nil
		}
		return folder.Replace(name, before, after)
	})
}
