package validate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// A fix of what is staged is made twice: in the index, and on the copy in the worktree,
// as a three-way merge with whatever is there unstaged. So the commit holds the fix and
// nothing else, and no unstaged byte is lost. Where the fix touches what was changed
// in the worktree, the copy there is left as it is, and this is said.

// workStaged checks what is about to be committed, or fixes it. A commit without any
// memory has nothing to check.
func (o *options) workStaged(env cli.Env, tree *worktree.Tree, c config.Config) (Result, error) {
	if o.stage && env.Getenv("PRE_COMMIT") == "1" {
		return Result{}, cli.Usagef("--stage writes to the index, which pre-commit does not allow: use --staged, or --fix and let pre-commit see the change")
	}
	r, err := repo.Open(tree.Dir, env.Dir, env.Getenv)
	if err != nil {
		return Result{}, err
	}
	staged, err := r.Staged()
	if err != nil {
		return Result{}, err
	}
	below, err := r.Rel(tree.Dir)
	if err != nil {
		return Result{}, err
	}
	files, err := fs.Sub(staged, below)
	if err != nil {
		return Result{}, err
	}
	files = WithHistory(files, tree, env)
	var result Result
	if o.stage {
		result, err = Fix(files, c, false)
	} else {
		result.Left, err = Run(files, c)
	}
	if errors.Is(err, ErrNoMemory) {
		return Result{}, nil
	}
	if err != nil || len(result.Changes) == 0 {
		return result, err
	}
	if r.Replaying() {
		fmt.Fprintln(env.Stderr, "memory-validate: nothing is mended during a rebase or a series of cherry-picks, which would stop at it: mend it by memory-validate --fix and git add, or when that is over")
		result = Result{}
		result.Left, err = Run(files, c)
		return result, err
	}
	if r.PartialCommit() {
		return Result{}, fmt.Errorf("%s would have to be mended in this commit, but \"git commit -- PATH\" commits a copy of the index, and a fix of that would be undone by the next commit: add the files with git add and commit without paths", result.Changes[0].Path)
	}
	contents := map[string][]byte{}
	for _, change := range result.Changes {
		contents[path.Join(below, change.Path)] = change.After
	}
	if err := r.Stage(staged, contents); err != nil {
		return Result{}, err
	}
	return result, followAll(env, r, staged, below, result.Changes)
}
