// Package repo reads git repositories, and stages fixes for the next commit.
//
// go-git reads settings, the index and the contents of files in this process. Git itself writes, merges, lists commits,
// reads what go-git cannot, and decides who may use a repository whose .git is unusual.
//
// In a hook, the environment names the index that the commit is made from. Git's other variables, such as GIT_DIR, do
// not count: a repository is where its .git is.
//
// Someone else may have written the repository. For one that git itself refuses, the error is a [RefusedError]. No
// command executes what a repository names; see command.go.
package repo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/config"

	"whence/internal/program"
	"whence/internal/worktree"
)

// Repository is a repository with a worktree.
type Repository struct {
	Root      string // of the worktree
	GitDir    string // .git, or that of a linked worktree or submodule
	CommonDir string // the folder of the objects: GitDir, except in a linked worktree
	IndexFile string // the index, with what is staged

	top      string   // the folder that holds .git, where git commands run
	env      []string // of git commands, except for the PATH
	programs func() *program.Search
	waits    func() error   // the cached result of checkFiles
	settings *config.Config // nil if only git can read them
	objects  objects
}

// Open finds the repository that holds a folder. Getenv returns the variables that git sets for a hook. The index that
// they name counts only if cwd, the folder in which the program was started, is in the same repository. For a
// repository that git refuses, the error is a [RefusedError].
func Open(dir, cwd string, getenv func(string) string) (*Repository, error) {
	top, gitDir, err := find(dir)
	if err != nil {
		return nil, err
	}
	r := &Repository{Root: top, GitDir: gitDir, top: top, env: environment(top)}
	search := func() *program.Search { return program.NewSearch(dir, cwd, r.top, r.Root, r.configuredTop()) }
	r.programs, r.waits = sync.OnceValue(search), sync.OnceValue(r.checkFiles)
	r.objects.repository, r.objects.known, r.objects.sizes = r, map[string][]byte{}, map[string]int64{}
	r.readPlace()
	own := Owned(top) && Owned(filepath.Join(top, ".git")) && Owned(gitDir)
	if !own || !r.isOrdinary() {
		if err := r.ask(own); err != nil {
			return nil, err
		}
		r.programs, r.waits = sync.OnceValue(search), sync.OnceValue(r.checkFiles) // for the place that git has named
	}
	if index := getenv("GIT_INDEX_FILE"); index != "" {
		if here, _, _ := find(cwd); here == top {
			r.IndexFile = worktree.Absolute(r.Root, index)
			r.env = append(r.env, "GIT_INDEX_FILE="+r.IndexFile)
		}
	}
	return r, nil
}

// readPlace sets what follows from GitDir.
func (r *Repository) readPlace() {
	r.CommonDir = worktree.CommonDir(r.GitDir)
	r.IndexFile = filepath.Join(r.GitDir, "index")
	settings, err := readSettings(filepath.Join(r.CommonDir, "config"))
	if err != nil {
		settings = nil // drop the part before the fault; git reports why they cannot be read
	}
	r.settings = settings
}

// isOrdinary reports whether the settings leave no doubt that the worktree is the folder that holds .git. The settings
// of the main worktree do not apply to a linked one.
func (r *Repository) isOrdinary() bool {
	if r.settings == nil || r.settings.Section("extensions").HasOption("worktreeConfig") {
		return false
	}
	core := r.settings.Section("core")
	if r.CommonDir != r.GitDir {
		return true
	}
	if core.HasOption("bare") && !strings.EqualFold(core.Option("bare"), "false") {
		return false
	}
	return !core.HasOption("worktree") || worktree.Same(r.configuredTop(), r.top)
}

// configuredTop returns the worktree that the settings name; "" if they name none.
func (r *Repository) configuredTop() string {
	if r.settings == nil || !r.settings.Section("core").HasOption("worktree") {
		return ""
	}
	return worktree.Absolute(r.GitDir, r.settings.Section("core").Option("worktree"))
}

// maxAskTime bounds the time of ask, since agents wait for it.
const maxAskTime = time.Second

// ask asks git where the repository is, and whether it may be used. Own says that it belongs to the user.
func (r *Repository) ask(own bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), maxAskTime)
	defer cancel()
	out, err := r.read(ctx, "rev-parse", "--path-format=absolute", "--git-dir", "--show-toplevel")
	message := ""
	if failed := (*commandError)(nil); errors.As(err, &failed) {
		message = failed.message
	}
	if err != nil && !own || strings.Contains(message, "dubious ownership") {
		return errUntrusted(r.top)
	}
	if strings.Contains(message, "must be run in a work tree") {
		return errBare(r.GitDir)
	}
	if err != nil {
		return fmt.Errorf("worktree of %s: %w", r.GitDir, err)
	}
	place := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(place) != 2 {
		return fmt.Errorf("git rev-parse: a path of the repository has a line break: %q", out)
	}
	r.GitDir = filepath.FromSlash(place[0])
	r.readPlace()
	r.Root, err = filepath.EvalSymlinks(filepath.FromSlash(place[1]))
	return err
}

// Rel returns a path on disk relative to the root, with slashes.
func (r *Repository) Rel(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	name, inside := worktree.Name(r.Root, worktree.Resolved(path))
	if !inside {
		return "", fmt.Errorf("%s is outside the worktree %s", path, r.Root)
	}
	return name, nil
}
