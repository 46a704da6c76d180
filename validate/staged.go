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

// A fix of staged files is made twice: in git's index, and in the worktree as a three-way
// merge with the unstaged changes. So the commit contains only the fix, and no unstaged
// byte is lost. If the fix overlaps with unstaged changes, the file in the worktree is
// left alone and a message says so.

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
	memory, err := StagedMemory(staged, below, c)
	if err != nil {
		return Result{}, err
	}
	files := WithHistory(memory, tree, env)
	m, err := Load(files, c)
	if refused := (*refusedError)(nil); errors.Is(err, ErrNoMemory) && !errors.As(err, &refused) {
		return Result{}, nil
	}
	if err != nil {
		return Result{}, err
	}
	result := Result{NoIndex: m.IndexMissing}
	if !o.stage {
		result.Left = Check(m, c)
	} else if result, err = FixCorpus(m, c, Allow{}); err != nil {
		return Result{}, err
	}
	pointToWorktree(result, files, advice{env: env, tree: tree, config: c})
	if len(result.Changes) == 0 {
		return result, nil
	}
	if r.Replaying() {
		return Result{Left: Check(m, c)}, nil
	}
	if r.PartialCommit() {
		a := advice{options: o, env: env, tree: tree, config: c, repository: r, below: below}
		return Result{}, fmt.Errorf("commit stopped: \"git commit -- PATH\" commits a copy of the index, and a fix in that copy would be undone by the next commit; run \"%s\", which fixes %s, look at the change and commit again", a.command(result.Fixed), result.Changes[0].Path)
	}
	contents := map[string][]byte{}
	for _, change := range result.Changes {
		contents[path.Join(below, change.Path)] = change.After
	}
	head, err := r.Head()
	if err != nil {
		return Result{}, err
	}
	if err := r.Stage(staged, contents); err != nil {
		return Result{}, err
	}
	if err := followAll(env, r, below, result.Changes); err != nil {
		return result, err
	}
	return result, undone(r, staged, head, env.Getenv)
}

// StagedMemory opens the memory in a folder of a tree of git.
func StagedMemory(tree *repo.Tree, below string, c config.Config) (*corpus.Memory, error) {
	whole, err := fs.Sub(tree, below)
	if err != nil {
		return nil, err
	}
	files, err := fs.Sub(tree.WithoutLinks(), below)
	if err != nil {
		return nil, err
	}
	return corpus.StagedMemory(whole, files, c.Layout())
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
				result.Left[i].Message = fmt.Sprintf("no staged entry for heading %q, but %s:%d in the worktree is one: reword it if it is a draft; then git add %s", h.Title, a.config.Index, line, cli.Word(a.config.Index))
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

// undone returns an error if a fix has undone all changes of a commit: git checks for an empty
// commit only before it runs hooks. A merge or an amended commit may be empty. With --allow-empty,
// which git does not report, the commit succeeds when it is tried again.
func undone(r *repo.Repository, before, head *repo.Tree, getenv func(string) string) error {
	after, err := r.Staged()
	if err != nil || len(before.Changes(head)) == 0 || len(after.Changes(head)) > 0 || r.Merging() || r.Amending(getenv) {
		return err
	}
	return errors.New("commit stopped: the fix undoes everything it would change, so there is nothing to commit (with --allow-empty, commit again)")
}
