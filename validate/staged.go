package validate

import (
	"cmp"
	"errors"
	"path"
	"slices"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// If what is staged needs a fix, the same files are fixed in the worktree independently: unstaged changes stay
// there, unstaged. With --stage, what is staged is fixed too, so the commit contains only the fix.

// workStaged checks or fixes what is about to be committed. A commit without a memory has
// nothing to check.
func (o *options) workStaged(env cli.Env, tree *worktree.Tree, c config.Config) (Result, error) {
	if o.stage && env.Getenv("PRE_COMMIT") == "1" {
		return Result{}, cli.Usagef("--stage writes to the index, which pre-commit does not allow: use --staged, or --fix and let pre-commit see the change")
	}
	a, err := newAdvice(o, env, tree, c)
	if err != nil {
		return Result{}, err
	}
	staged, err := a.git.Staged()
	if err != nil {
		return Result{}, err
	}
	head, err := a.git.Head()
	if err != nil {
		return Result{}, err
	}
	o.otherSettings = staged.Has(path.Join(a.folder, config.ProjectFile)) && a.differs(staged, config.ProjectFile)
	source, err := memory.OpenCommit(staged, a.folder, c.Layout(), c.Typed)
	if unfetched := (*repo.UnfetchedError)(nil); errors.As(err, &unfetched) && repo.InHook(env.Getenv) && !TouchesMemory(staged, head, a.folder, c) {
		return Result{}, nil
	}
	if err != nil {
		return Result{}, err
	}
	m, err := Load(source, c)
	if errors.Is(err, memory.ErrNoMemory) && !memory.IsRefusal(err) {
		return Result{}, nil
	}
	if err != nil {
		return Result{}, err
	}
	notes, err := a.goneSince(m)
	if err != nil && o.since != "" {
		return Result{}, cli.Usagef("--since %s: %v", inert.Quoted(o.since), err)
	}
	if err != nil {
		o.log(env, "not looked for names that go: "+inert.Printable(err.Error())+"\n")
	}
	found := Check(m, c)
	known := a.known(found, c)
	if len(found) > 0 && len(known.without(m, found)) == 0 {
		return Result{Before: len(found), Notes: notes}, nil
	}
	result, err := o.fixStaged(a, staged, m, found)
	result.Notes = notes
	left := known.without(cmp.Or(result.fixed, m), result.Left)
	result.Left, result.Before, result.known = left, len(result.Left)-len(left), known
	return result, err
}

// fixStaged checks or fixes a memory that is about to be committed. found holds its findings.
func (o *options) fixStaged(a advice, staged *repo.Tree, m *memory.Memory, found []finding.Finding) (result Result, err error) {
	c := a.config
	result.NoIndex = m.IndexMissing
	if o.stage || o.fix || o.unsafe || o.diff {
		result, err = FixMemory(m, c, o.unsafe && !m.IndexMissing) // the worktree may have an index that is not staged
	} else {
		result.Left = found
	}
	if err != nil {
		return Result{}, err
	}
	if len(result.Changes) == 0 || o.diff {
		return result, nil
	}
	if o.stage && (a.git.Replaying() || a.git.PartialCommit()) { // the next commit would undo a fix in the copy of the index that git made
		return Result{Left: Check(m, c)}, nil
	}
	// The worktree comes first: if this is killed before the other write, the commit still needs the fix, and the next run
	// makes both.
	done, failed := a.fixWorktree(staged, result)
	if !o.stage {
		a.reportWorktree(result, done, failed)
		if len(done.Changes) < len(result.Changes) { // the fixes of all files belong together
			return Result{Left: Check(m, c), Changes: done.Changes}, nil
		}
		return result, nil
	}
	contents := map[string][]byte{}
	for _, change := range result.Changes {
		contents[path.Join(a.folder, change.Path)] = change.After
	}
	if err := a.git.Stage(staged, contents); err != nil {
		return Result{}, err
	}
	a.reportWorktree(result, done, failed)
	return result, nil
}

// TouchesMemory reports whether a commit changes the memory in the folder below.
func TouchesMemory(staged, head *repo.Tree, below string, c config.Config) bool {
	layout := c.Layout()
	return slices.ContainsFunc(staged.Changed(head), func(changed string) bool {
		name, inside := repo.Below(below, changed)
		return inside && layout.Holds(name)
	})
}
