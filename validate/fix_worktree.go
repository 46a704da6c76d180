package validate

import (
	"fmt"
	"path"
	"slices"

	"whence/internal/cli"
	"whence/internal/repo"
	"whence/internal/text"
	"whence/internal/worktree"
)

// fixWorktree fixes the copies in the worktree of files that need a fix in the commit, and returns what it
// wrote. It reports on standard error what it cannot fix; with --stage, the commit is fixed in any case.
func (a advice) fixWorktree(staged *repo.Tree, fixed Result) (written []Change) {
	if a.stage && a.git.LefthookHides() { // it restores the worktree as it was, by line numbers
		fmt.Fprintf(a.env.Stderr, "memory-validate: fixed in the commit only, because lefthook restores unstaged changes: afterwards, run %s\n", a.typed.Command("memory-validate --fix"))
		return nil
	}
	names := filesOfChanges(fixed.Changes)
	done, err := a.fixCopies(staged, names)
	for _, line := range done.removed() {
		if !slices.Contains(fixed.removed(), line) {
			fmt.Fprintf(a.env.Stderr, "memory-validate: removed in the worktree: %s\n", text.Printable(line))
		}
	}
	if err != nil && a.stage {
		fmt.Fprintf(a.env.Stderr, "memory-validate: fixed in the commit, but not in the worktree: %s; if there are no other changes in it, \"%s\" restores what is staged\n", text.Printable(err.Error()), a.typed.Git("checkout --", names...))
	} else if err != nil {
		fmt.Fprintf(a.env.Stderr, "memory-validate: not fixed: %s\n", text.Printable(err.Error()))
	}
	return done.Changes
}

// fixCopies makes the fixes of the worktree that change some files. Files that are not staged do not count.
func (a advice) fixCopies(staged *repo.Tree, names []string) (done Result, err error) {
	memory, err := cli.Memory(a.env, a.tree, a.config)
	if err != nil {
		return done, err
	}
	memory = memory.Only(func(name string) bool { return staged.Has(path.Join(a.below, name)) })
	err = worktree.Retry(func() error {
		result, err := Fix(memory, a.config, a.unsafe)
		if err != nil {
			return err
		}
		result.Changes = slices.DeleteFunc(result.Changes, func(c Change) bool { return !slices.Contains(names, c.Path) })
		return write(a.tree, result, &done)
	})
	return done, err
}
