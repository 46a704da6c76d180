package remember

import (
	"bytes"
	"errors"
	"fmt"

	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/worktree"
	"whence/validate"
)

// fileChange is a file before and after an edit; nil where there is none.
type fileChange struct {
	path          string
	before, after []byte
}

// update computes an edit and, if write is set, writes it. If another process has changed a file
// meanwhile, it starts again from the new files.
func (s *entryEditor) update(write bool, work func(*entryEditor) (editResult, error)) (editResult, error) {
	var result editResult
	err := worktree.Retry(func() (err error) {
		result, err = s.tryUpdate(write, work)
		return err
	})
	return result, err
}

func (s *entryEditor) tryUpdate(write bool, work func(*entryEditor) (editResult, error)) (editResult, error) {
	m, err := s.load()
	if err != nil {
		return editResult{}, err
	}
	result, err := work(s)
	if err != nil || result.after == nil || len(result.refused) > 0 || result.missed != nil {
		return result, err
	}
	result.files = changes(m, result.after)
	if !write {
		return result, nil
	}
	err = writeAll(s.tree.Strict(), result.files)
	result.written = err == nil
	return result, err
}

func (s *entryEditor) load() (*corpus.Corpus, error) {
	memory, err := cli.Memory(s.env, s.tree, s.config)
	if err != nil {
		return nil, err
	}
	m, err := validate.Load(memory, s.config)
	if err != nil {
		return nil, err
	}
	if m.IndexMissing && !s.creates {
		return nil, fmt.Errorf("there is no memory index %s: run \"%s\", which makes it from the decision files; --index names another file", s.config.Typed.Path(s.config.Index), s.config.Typed.Command("memory-remember entry draft --write"))
	}
	s.Editor, s.corpus = validate.NewEditor(m, s.config), m
	return m, nil
}

// changes lists the files that differ, decision files first, since situations without their entry are
// harmless.
func changes(before, after *corpus.Corpus) []fileChange {
	var files []fileChange
	for i, file := range before.Decisions {
		if now := after.Decisions[i].Source; !bytes.Equal(file.Source, now) {
			files = append(files, fileChange{file.Path, file.Source, now})
		}
	}
	if !bytes.Equal(before.Index.Source, after.Index.Source) {
		files = append(files, fileChange{before.IndexPath, before.Index.Source, after.Index.Source})
	}
	return files
}

// writeAll writes all files or none: if one cannot be written, it restores those before it.
func writeAll(tree *worktree.Tree, files []fileChange) error {
	for n, file := range files {
		err := tree.Replace(file.path, file.before, file.after)
		if err == nil {
			continue
		}
		err = fmt.Errorf("write %s: %w", file.path, err)
		for _, done := range files[:n] {
			if undone := tree.Replace(done.path, done.after, done.before); undone != nil {
				err = errors.Join(err, fmt.Errorf("%s was changed and could not be restored: %v", done.path, undone))
			}
		}
		return err
	}
	return nil
}
