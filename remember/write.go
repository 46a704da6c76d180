package remember

import (
	"bytes"
	"errors"
	"fmt"

	"whence/internal/atomicfile"
	"whence/internal/memory"
	"whence/internal/worktree"
	"whence/validate"
)

// attempts is how often an edit starts again because a file changed under it. Each time
// somebody else has come through, so only a crowd uses them up.
const attempts = 200

// fileChange is the text of a file before and after an edit.
type fileChange struct {
	path          string
	before, after []byte
}

// update has work done on the memory of a session, and writes what it has come to, if it
// is to be written. Where a file has been changed by somebody else meanwhile, all of it
// is done again, on what is there now.
func update(s *session, write bool, work func(*session) (outcome, error)) (outcome, error) {
	for attempt := 1; ; attempt++ {
		m, err := s.load()
		if err != nil {
			return outcome{}, err
		}
		result, err := work(s)
		if err != nil || result.after == nil || len(result.refused) > 0 || result.missed != nil {
			return result, err
		}
		result.files = changes(m, result.after)
		if !write {
			return result, nil
		}
		err = writeAll(s.tree, result.files)
		if result.written = err == nil; err == nil || !errors.Is(err, atomicfile.ErrChanged) || attempt == attempts {
			return result, err
		}
	}
}

// load reads the memory of a session as it is now.
func (s *session) load() (*memory.Memory, error) {
	m, err := validate.Load(validate.WithHistory(s.tree.FS(), s.tree, s.env), s.config)
	if err != nil {
		return nil, err
	}
	if m.IndexMissing {
		return nil, fmt.Errorf("there is no memory index %s: create it (an empty file will do), or name it with --index", s.config.Index)
	}
	s.Editor = validate.NewEditor(m, s.config)
	return m, nil
}

// changes lists the files that differ, decision files first: situations without their
// entry do no harm.
func changes(before, after *memory.Memory) []fileChange {
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

// writeAll writes all files or none: where one cannot be written, those before it are
// put back.
func writeAll(tree *worktree.Tree, files []fileChange) error {
	for n, file := range files {
		err := tree.Replace(file.path, file.before, file.after)
		if err == nil {
			continue
		}
		err = fmt.Errorf("write %s: %w", file.path, err)
		for _, done := range files[:n] {
			if undone := tree.Replace(done.path, done.after, done.before); undone != nil {
				err = errors.Join(err, fmt.Errorf("%s is changed already, and could not be put back: %v", done.path, undone))
			}
		}
		return err
	}
	return nil
}
