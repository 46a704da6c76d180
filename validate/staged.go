package validate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"whence/internal/atomicfile"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/repo"
	"whence/internal/textdiff"
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
	var result Result
	if o.stage {
		result, err = Fix(WithHistory(files, tree, env), c, false)
	} else {
		result.Left, err = Run(WithHistory(files, tree, env), c)
	}
	if errors.Is(err, ErrNoMemory) {
		return Result{}, nil
	}
	if err != nil || len(result.Changes) == 0 {
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
	for _, change := range result.Changes {
		if err := follow(tree, change); err != nil {
			fmt.Fprintf(env.Stderr, "memory-validate: %s is mended in what is committed, but not in the worktree: %v\n", change.Path, err)
		}
	}
	return result, nil
}

// follow makes the change of a staged file on its copy in the worktree, if there is
// one.
func follow(tree *worktree.Tree, change Change) error {
	name, err := tree.Path(change.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // deleted, and this not staged
	}
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		ours, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		merged, clean := mergeCopy(change, ours)
		if !clean {
			return errors.New("it has other changes in the same lines; memory-validate --fix mends it there")
		}
		err = atomicfile.Replace(name, ours, merged)
		if !errors.Is(err, atomicfile.ErrChanged) || attempt == attempts {
			return err
		}
	}
}

// mergeCopy merges a change of staged text with the text of the worktree, whose lines
// may end otherwise: git converts line ends on the way in.
func mergeCopy(change Change, ours []byte) (merged []byte, clean bool) {
	return textdiff.Merge(likeLineEnds(change.Before, ours), ours, likeLineEnds(change.After, ours))
}

// likeLineEnds gives a text the line ends of another one, if that has CRLF throughout.
func likeLineEnds(text, model []byte) []byte {
	crlf := []byte("\r\n")
	if n := bytes.Count(model, crlf); n == 0 || n != bytes.Count(model, []byte("\n")) || bytes.Contains(text, crlf) {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\n"), crlf)
}
