package notes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"whence/internal/words"
	"whence/internal/worktree"
)

// maxReadBytes is the number of bytes that are read at the end of a file, where the newest lines are.
const maxReadBytes = 32 << 10

// folder is an open project with the folder of its notes. Links are not followed: a repository must not decide
// where notes are written.
type folder struct {
	tree  *worktree.Tree
	notes *worktree.Folder
}

// openFolder opens the folder of the notes of a project, and creates it if create is true.
func openFolder(root string, create bool) (*folder, error) {
	tree, err := worktree.Open(root)
	if err != nil {
		return nil, err
	}
	var perm fs.FileMode // 0: don't create the folder
	if create {
		perm = 0o700
	}
	notes, err := tree.Folder(Folder, perm)
	if err != nil {
		return nil, errors.Join(explained(err), tree.Close())
	}
	return &folder{tree, notes}, nil
}

// explained adds to an error about the folder what the user can do.
func explained(err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return fmt.Errorf("%s: %w: rename it, or switch notes off (memory_notes_enabled: false)", Folder, at.Err)
	}
	return err
}

// Close releases the project.
func (f *folder) Close() error { return f.tree.Close() }

// in returns the path of a note from the root of the project.
func in(name string) string { return path.Join(Folder, name) }

// open opens a note as os.OpenFile does, with permissions 0600 if it creates it.
func (f *folder) open(name string, flag int) (*os.File, error) {
	return f.notes.OpenFile(name, flag, 0o600)
}

// alone calls a function while holding the lock on the folder.
func (f *folder) alone(ctx context.Context, run func() error) (err error) {
	unlock, err := worktree.LockFolder(ctx, filepath.Join(f.tree.Dir, Folder))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return run()
}

// read returns a note; of a note of more than maxBytes, the whole lines in its last maxBytes. A missing note is
// empty.
func (f *folder) read(name string, maxBytes int64) ([]byte, error) {
	file, err := f.open(name, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	var mark [2]byte
	if n, _ := file.ReadAt(mark[:], 0); n == 2 && (mark == [2]byte{0xff, 0xfe} || mark == [2]byte{0xfe, 0xff}) {
		return nil, fmt.Errorf("%s is in UTF-16: save it as UTF-8", in(name))
	}
	from := max(0, info.Size()-maxBytes)
	src, err := io.ReadAll(io.NewSectionReader(file, from, maxBytes))
	if from > 0 {
		_, src, _ = bytes.Cut(src, []byte("\n"))
	}
	return src, err
}

// add appends lines to a note with the content src. It makes one write, starts on a new line, and uses the line ends
// of the note.
func (f *folder) add(name string, src []byte, lines string) error {
	if len(src) > 0 && src[len(src)-1] != '\n' {
		lines = "\n" + lines
	}
	lines = strings.ReplaceAll(lines, "\n", words.LineEnd(src))
	file, err := f.open(name, os.O_APPEND|os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return err
	}
	_, err = file.WriteString(lines)
	return errors.Join(err, file.Close())
}

// note appends a list item to a Markdown note, after an empty line unless it continues a list.
func (f *folder) note(name string, src []byte, item string) error {
	line := "- " + item + "\n"
	last := bytes.TrimRight(src, "\r\n")
	continues := bytes.HasPrefix(last[bytes.LastIndexByte(last, '\n')+1:], []byte("- "))
	isApart := bytes.Count(src[len(last):], []byte("\n")) > 1
	if len(last) > 0 && !continues && !isApart {
		line = "\n" + line
	}
	return f.add(name, src, line)
}
