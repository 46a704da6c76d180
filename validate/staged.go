package validate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// A fix of staged files is made in the worktree as a three-way merge with the unstaged changes,
// so no unstaged byte is lost. If the fix overlaps with unstaged changes, the file in the
// worktree is left alone and a message says so. With --stage, the fix is made in git's index
// too, so the commit contains only the fix.

// workStaged checks or fixes what is about to be committed. A commit without a memory has
// nothing to check.
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
	head, err := r.Head()
	if err != nil {
		return Result{}, err
	}
	memory, err := cli.StagedMemory(staged, below, c)
	if unfetched := (*repo.UnfetchedError)(nil); errors.As(err, &unfetched) && repo.InHook(env.Getenv) && !TouchesMemory(staged, head, below, c) {
		return Result{}, nil
	}
	if err != nil {
		return Result{}, err
	}
	m, err := Load(memory, c)
	if errors.Is(err, corpus.ErrNoMemory) && !errors.As(err, new(corpus.Refusal)) {
		return Result{}, nil
	}
	if err != nil {
		return Result{}, err
	}
	result := Result{NoIndex: m.IndexMissing}
	if o.stage || o.fix || o.unsafe || o.diff {
		result, err = FixCorpus(m, c, Allow{Unsafe: o.unsafe})
	} else {
		result.Left = Check(m, c)
	}
	if err != nil {
		return Result{}, err
	}
	a := advice{o, env, tree, c, r, below}
	pointToWorktree(result, memory, a)
	if len(result.Changes) == 0 || o.diff {
		return result, nil
	}
	if !o.stage {
		written, err := followAll(a, result.Changes, false)
		if err != nil {
			return Result{}, err
		}
		if len(written) < len(result.Changes) { // the fixes of all files belong together
			return Result{Left: Check(m, c), Changes: written}, nil
		}
		return result, nil
	}
	if r.Replaying() {
		return Result{Left: Check(m, c)}, nil
	}
	if r.PartialCommit() {
		return Result{}, fmt.Errorf("commit stopped: \"git commit -- PATH\" commits a copy of the index, and a fix in that copy would be undone by the next commit; %s", a.forPath(result))
	}
	contents := map[string][]byte{}
	for _, change := range result.Changes {
		contents[path.Join(below, change.Path)] = change.After
	}
	if err := r.Stage(staged, contents); err != nil {
		return Result{}, err
	}
	_, err = followAll(a, result.Changes, true)
	return result, err
}

// TouchesMemory reports whether a commit changes the memory in a folder.
func TouchesMemory(staged, head *repo.Tree, below string, c config.Config) bool {
	layout := c.Layout()
	return slices.ContainsFunc(staged.Changed(head), func(changed string) bool {
		name, inside := repo.Below(below, changed)
		return inside && layout.Holds(name)
	})
}

// pointToWorktree rewords the findings of headings without staged entry if the worktree has the
// entry: it only has to be added.
func pointToWorktree(result Result, staged fs.FS, a advice) {
	var unstaged *corpus.Corpus
	for i, f := range result.Left {
		if f.Rule != "missing-entry" {
			continue
		}
		if unstaged == nil {
			var err error
			if unstaged, err = a.memory(); err != nil {
				return
			}
		}
		src, err := fs.ReadFile(staged, f.Path)
		if at := slices.IndexFunc(result.Changes, func(change Change) bool { return change.Path == f.Path }); at >= 0 {
			src, err = result.Changes[at].After, nil
		}
		if err != nil {
			continue
		}
		file, err := a.config.Layout().Parse(f.Path, src)
		if err != nil {
			continue
		}
		for _, h := range file.Headings {
			line := lineNaming(unstaged.Index, h.Key)
			if h.Line == f.Line && line > 0 {
				result.Left[i].Fix = nil
				result.Left[i].Message = fmt.Sprintf("no staged entry for heading %q, but %s:%d in the worktree is one: reword it if it is a draft; then run %s", h.Title, a.config.Typed.Path(a.config.Index), line, a.config.Typed.Git("add", a.config.Index))
			}
		}
	}
}

// lineNaming returns the number of the first line of an index with an entry for a title key, or 0.
func lineNaming(f *index.File, key string) int {
	for _, l := range f.Lines {
		if l.Kind == index.EntryLine && decision.Key(l.Entry.Title.Text) == key {
			return l.Number
		}
	}
	return 0
}
