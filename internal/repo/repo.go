// Package repo reads a git repository, and adds fixes to what is about to be committed.
//
// go-git reads settings, the index and the contents of files in this process. Git itself writes, merges, lists
// commits, decides who may use a repository whose .git is anything but ordinary, and reads what go-git cannot.
//
// In a hook, git says in the environment which index the commit is made from, and where
// objects are: GIT_INDEX_FILE, GIT_OBJECT_DIRECTORY and GIT_ALTERNATE_OBJECT_DIRECTORIES are
// honoured, as are GIT_DIR and GIT_WORK_TREE. Git commands get only those that the caller has.
//
// Someone else may have written the repository. One that git itself refuses is a
// [RefusedError], and no command executes what a repository names, see command.go.
package repo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/config"

	"whence/internal/worktree"
)

// Repository is a repository with a worktree.
type Repository struct {
	Root      string // of the worktree
	GitDir    string // .git, or that of a linked worktree or submodule
	CommonDir string // where the objects are: GitDir, except in a linked worktree
	IndexFile string // what is staged

	top      string   // where git commands run: the folder that holds .git
	env      []string // of git commands
	named    bool     // by the caller's GIT_DIR
	settings *config.Config
	objects  objects
}

// Open finds the repository that holds a folder. getenv returns the variables that git sets for a
// hook, or the user for git. As in git they override what is found on disk, but only if cwd, the
// folder in which the program was started, is in the same repository as the folder, or if both
// are in none. For a repository that git would refuse, Open returns a [RefusedError].
func Open(dir, cwd string, getenv func(string) string) (*Repository, error) {
	top, gitDir, err := find(dir)
	caller := func(string) string { return "" } // the variables that count
	if here, _, _ := find(cwd); here == top {
		caller = getenv
	}
	named := caller("GIT_DIR")
	if named != "" {
		named = absolute(cwd, named)
		if real, _ := resolveGitDir(named); err == nil && worktree.Same(real, gitDir) {
			named = "" // a hook manager may have changed the working folder
		}
	}
	if err != nil && named == "" {
		return nil, err
	}
	r := &Repository{Root: top, GitDir: gitDir, top: top, named: named != ""}
	var inherited []string
	if named != "" {
		r.top, r.GitDir = cwd, named
		inherited = append(inherited, "GIT_DIR="+named)
	}
	tree := caller("GIT_WORK_TREE")
	if tree != "" {
		inherited = append(inherited, "GIT_WORK_TREE="+absolute(cwd, tree))
	}
	for _, name := range []string{"GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"} {
		if value := caller(name); value != "" {
			inherited = append(inherited, name+"="+value)
		}
	}
	r.env = environment(r.top, inherited)
	own := owned(top, getenv) && owned(filepath.Join(top, ".git"), getenv) && owned(gitDir, getenv)
	if r.readPlace(); named != "" || tree != "" || !own || !r.isOrdinary() {
		if err := r.ask(own || named != ""); err != nil {
			return nil, err
		}
	}
	if named != "" {
		r.top = r.Root
	}
	if index := caller("GIT_INDEX_FILE"); index != "" {
		r.IndexFile = absolute(r.Root, index)
	}
	r.objects.repository, r.objects.known = r, map[string][]byte{}
	return r, nil
}

// readPlace sets what follows from GitDir.
func (r *Repository) readPlace() {
	r.CommonDir = commonDir(r.GitDir)
	r.IndexFile = filepath.Join(r.GitDir, "index")
	r.settings, _ = readSettings(filepath.Join(r.CommonDir, "config")) // git reports why it cannot be read
}

// isOrdinary reports whether the worktree is the folder that holds .git: no setting may say otherwise.
// Those of the main worktree do not apply to a linked one.
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
	return !core.HasOption("worktree") || worktree.Same(absolute(r.GitDir, core.Option("worktree")), r.top)
}

// maxAskTime bounds the question where the repository is: agents wait for it.
const maxAskTime = time.Second

// ask has git say where the repository is, and whether it may be used. Own is whether it belongs to the
// user, or they have named it.
func (r *Repository) ask(own bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), maxAskTime)
	defer cancel()
	out, err := r.read(ctx, "rev-parse", "--path-format=absolute", "--git-dir", "--show-toplevel")
	place := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err == nil && len(place) == 2 {
		r.GitDir, r.Root = filepath.FromSlash(place[0]), filepath.FromSlash(place[1])
		r.readPlace()
		if r.Root, err = filepath.EvalSymlinks(r.Root); err == nil {
			return nil
		}
	}
	if err == nil {
		return fmt.Errorf("git rev-parse: a path of the repository has a line break: %q", out)
	}
	var failed *commandError
	refused := errors.As(err, &failed)
	if !own || refused && strings.Contains(failed.message, "dubious ownership") {
		return errUntrusted(r.top, err)
	}
	if refused && strings.Contains(failed.message, "must be run in a work tree") {
		return errBare(r.GitDir)
	}
	if refused && r.named && strings.Contains(failed.message, "not a git repository") {
		return fmt.Errorf("GIT_DIR=%s is %w", r.GitDir, ErrNoRepository)
	}
	return fmt.Errorf("worktree of %s: %w", r.GitDir, err)
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
