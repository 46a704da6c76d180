package validate

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"whence/internal/cli"
	"whence/internal/inert"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// errHidden reports that lefthook has hidden unstaged changes. It restores them by line numbers, which a fix would
// shift.
var errHidden = errors.New("lefthook restores unstaged changes")

// fixWorktree fixes, in the worktree, the files that need a fix in the commit. It returns what it wrote, even with an
// error.
func (a advice) fixWorktree(staged *repo.Tree, fixed Result) (done Result, err error) {
	if a.stage && a.git.LefthookHides() {
		return Result{}, errHidden
	}
	return a.fixCopies(staged, filesOfChanges(fixed.Changes))
}

// reportWorktree reports on standard error what was removed from the worktree, and why a file could not be fixed. With
// --stage, the commit is fixed in any case.
func (a advice) reportWorktree(fixed, done Result, err error) {
	for _, line := range done.removed() {
		if !slices.Contains(fixed.removed(), line) {
			fmt.Fprintf(a.env.Stderr, "memory-validate: removed in the worktree: %s\n", inert.Printable(line))
		}
	}
	if errors.Is(err, errHidden) {
		fmt.Fprintf(a.env.Stderr, "memory-validate: fixed in the commit only, because %v: afterwards, run %s\n", err, a.typed.Command("memory-validate --fix"))
	} else if err != nil && a.stage {
		names := filesOfChanges(fixed.Changes)
		fmt.Fprintf(a.env.Stderr, "memory-validate: fixed in the commit, but not in the worktree: %s; if there are no other changes in it, \"%s\" restores what is staged\n", inert.Printable(err.Error()), a.typed.Git("checkout --", names...))
	} else if err != nil {
		fmt.Fprintf(a.env.Stderr, "memory-validate: not fixed: %s\n", inert.Printable(err.Error()))
	}
}

// fixCopies makes the fixes in the worktree that change the named files. It ignores files that are not staged.
func (a advice) fixCopies(staged *repo.Tree, names []string) (done Result, err error) {
	memory, err := cli.Memory(a.env, a.tree, a.config)
	if err != nil {
		return done, err
	}
	memory = memory.Only(func(name string) bool { return staged.Has(path.Join(a.folder, name)) })
	err = worktree.Retry(func() error {
		result, err := fixTree(memory, a.config, a.unsafe)
		if err != nil {
			return err
		}
		result.Changes = slices.DeleteFunc(result.Changes, func(c Change) bool { return !slices.Contains(names, c.Path) })
		return write(a.tree, result, &done)
	})
	return done, err
}
