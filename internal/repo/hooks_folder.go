package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/shell"
	"whence/internal/worktree"
)

// Hook is a script of this module that git runs at an event.
type Hook struct {
	Event string // such as "pre-commit"
	Mark  string // a line that only scripts of this module have
	// Command is the line to add to a hook of someone else.
	Command string
	// Script returns the text of the script, with the mark. Installed is the text of the script
	// that is already installed, or "".
	Script func(installed string) string
}

// hooksDir returns the folder in which git looks for hooks; core.hooksPath may name it.
func (r *Repository) hooksDir() (string, error) {
	configured, err := r.readHooksPath("config", "--type=path", "--get", "core.hooksPath")
	value := strings.TrimRight(string(configured), "\r\n")
	if err == nil && (value == "" || value == os.DevNull || value == "/dev/null") {
		return "", fmt.Errorf("core.hooksPath is %q, so git runs no hooks here: unset it, or name a folder (git config --show-origin --get core.hooksPath shows where it is set)", value)
	}
	out, err := r.readHooksPath("rev-parse", "--git-path", "hooks")
	return worktree.Absolute(r.Root, strings.TrimRight(string(out), "\r\n")), err
}

// checkOwn returns an error if other repositories may run the hooks in a folder, too: if it is outside this repository.
// A linked worktree and the main one are one repository.
func (r *Repository) checkOwn(dir string, h Hook) error {
	folders := []string{r.Root, r.CommonDir}
	if filepath.Base(r.CommonDir) == ".git" {
		folders = append(folders, filepath.Dir(r.CommonDir))
	}
	real := worktree.Resolved(dir)
	if slices.ContainsFunc(folders, func(folder string) bool { _, inside := worktree.Name(folder, real); return inside }) {
		return nil
	}
	own := filepath.Join(r.CommonDir, "hooks")
	return fmt.Errorf("git runs the hooks in %s, which other repositories may run too: to have this one use its own instead, make sure that %s is not a link, run \"git config core.hooksPath %s\" and install again; or, to check every repository that runs them, put %q into %s",
		dir, own, shell.Word(filepath.ToSlash(own)), h.Command, filepath.Join(dir, h.Event))
}

// Install writes hooks and returns the paths of those it wrote. It changes no hook of someone else: if one does not run
// our command, it returns an error and installs nothing. Installing again updates the scripts.
func (r *Repository) Install(hooks []Hook) (paths []string, err error) {
	dir, err := r.hooksDir()
	if err != nil {
		return nil, err
	}
	if first := hooks[0]; filepath.Base(strings.TrimSuffix(dir, string(filepath.Separator)+"_")) == ".husky" {
		return nil, fmt.Errorf("%s belongs to husky: put %q into .husky/%s instead", dir, first.Command, first.Event)
	}
	if err := r.checkOwn(dir, hooks[0]); err != nil {
		return nil, err
	}
	for _, h := range hooks {
		path, text := readHook(dir, h)
		if _, missing := os.Lstat(path); missing == nil && !strings.Contains(text, h.Mark) && !strings.Contains(text, h.Command) {
			return nil, fmt.Errorf("%s is not a hook of whence: put %q into it, or move it away, and install again", path, h.Command+" || exit 1")
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, h := range hooks {
		path, text := readHook(dir, h)
		if text != "" && !strings.Contains(text, h.Mark) {
			continue
		}
		if err := writeHook(path, h.Script(text)); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// HasHook reports whether git runs a hook, ours or not, at an event.
func (r *Repository) HasHook(event string) bool {
	dir, err := r.hooksDir()
	return err == nil && exists(dir, event)
}

func writeHook(path, script string) error {
	temp := path + ".new" // always the same name, so that the next process replaces what a killed one left
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	defer os.Remove(temp)
	if err := errors.Join(os.WriteFile(temp, []byte(script), 0o700), os.Chmod(temp, 0o755)); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

// Installed returns the paths of the installed hooks that are ours.
func (r *Repository) Installed(hooks []Hook) (paths []string, err error) {
	dir, err := r.hooksDir()
	if err != nil {
		return nil, err
	}
	for _, h := range hooks {
		if path, text := readHook(dir, h); strings.Contains(text, h.Mark) {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// Uninstall removes the installed hooks that are ours, and returns their paths.
func (r *Repository) Uninstall(hooks []Hook) (paths []string, err error) {
	paths, err = r.Installed(hooks)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// maxHookBytes is the number of bytes that are read of a hook. Those of this module are shorter.
const maxHookBytes = 1 << 20

func readHook(dir string, h Hook) (path, text string) {
	return filepath.Join(dir, h.Event), worktree.ReadBeginning(os.DirFS(dir), h.Event, maxHookBytes)
}
