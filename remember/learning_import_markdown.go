package remember

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"whence/internal/home"
	"whence/internal/learning"
	"whence/internal/redact"
	"whence/internal/text"
	"whence/internal/worktree"
)

const (
	maxNotes     = 10_000  // in a folder and those below it
	maxNoteBytes = 1 << 20 // of a file; a book has less
)

var errTooManyNotes = fmt.Errorf("it holds more than %d notes: import a folder in it", maxNotes)

// markdown reads a file of notes, or all in a folder and those below it.
func (read *imported) markdown(name string) error {
	path, info, err := read.stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		if path, err = read.target(path); err != nil {
			return err
		}
		dir, base := filepath.Split(path)
		return read.inTree(dir, name, func(tree fs.FS) error { return read.markdownFile(tree, base, path) })
	}
	return read.inTree(path, name, func(tree fs.FS) error {
		found := 0
		err := fs.WalkDir(tree, ".", func(below string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && below != "." && (e.Name()[0] == '.' || e.Name() == "node_modules"):
				return fs.SkipDir
			case e.IsDir() || !isMarkdown(e.Name()):
				return nil
			case found == maxNotes:
				return errTooManyNotes
			}
			found++
			return read.markdownFile(tree, below, filepath.Join(path, filepath.FromSlash(below)))
		})
		if err == nil && found == 0 {
			return errors.New("no *.md file is in this folder")
		}
		return err
	})
}

// inTree runs a function on a folder. Links in it lead nowhere else: the user did not name the files. Nor do
// links in the repository that lead to it.
func (read *imported) inTree(dir, name string, run func(fs.FS) error) error {
	below, inside := worktree.Name(read.root, dir)
	if inside {
		dir = read.root
	} else {
		below = "."
	}
	tree, err := worktree.Open(dir)
	if err != nil {
		return fmt.Errorf("cannot import %s: %w", name, err)
	}
	defer tree.Close()
	folder, err := fs.Sub(tree.FS(), below)
	if err == nil {
		err = run(folder)
	}
	if err != nil {
		return fmt.Errorf("cannot import %s: %w", name, err)
	}
	return nil
}

func isMarkdown(name string) bool { return strings.EqualFold(filepath.Ext(name), ".md") }

// markdownFile reads a note or a bank; path is the absolute one.
func (read *imported) markdownFile(tree fs.FS, name, path string) error {
	src, modified := read.noteFile(tree, name, read.shown(path))
	if learning.IsBank(src) {
		return read.bank(src, read.shown(path), path)
	}
	clean := read.redact(src)
	read.parts(learning.ParseNote(clean, filepath.Base(path), learning.MaxNoteChars), noteSource{
		shown: read.shown(path), path: path, file: read.key(path), modified: modified,
	})
	return nil
}

// noteFile returns the text of a note, and when it was modified. It reports a file that it cannot read.
func (read *imported) noteFile(tree fs.FS, name, shown string) (src []byte, modified time.Time) {
	info, err := fs.Stat(tree, name)
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = errors.New("it is not a regular file")
	case info.Size() > maxNoteBytes:
		err = fmt.Errorf("it is longer than %d MB", maxNoteBytes>>20)
	}
	if err == nil {
		src, err = fs.ReadFile(tree, name)
	}
	if err != nil {
		read.skip(1, fmt.Sprintf("%s was skipped: %v", shown, err))
		return nil, time.Time{}
	}
	return src, info.ModTime()
}

// redact returns a text without secrets, before it is divided: a private part may span several sections.
func (read *imported) redact(src []byte) string {
	clean, kinds := redact.Text(text.Clean(string(src)))
	read.redacted = appendNew(read.redacted, kinds...)
	return clean
}

// noteSource is where a note comes from.
type noteSource struct {
	shown    string // in messages and references
	path     string
	file     string // identifies the file; see learning.OriginOf
	modified time.Time
}

// parts adds the parts of a note.
func (read *imported) parts(parts []learning.NotePart, from noteSource) {
	for _, p := range parts {
		l, shown := p.Learning, from.shown
		if p.Section != "" {
			shown += " § " + p.Section
		}
		l.References = []string{shown}
		l.Category = read.category
		l.Origin = learning.OriginOf(read.project, from.file, p.Entry)
		if l.Created.IsZero() {
			l.Created = from.modified
		}
		if read.isInRepository(from.path) {
			l.Confidence = learning.Low
		}
		read.putNote(l, shown)
	}
}

// putNote adds a learning, unless it is too short or too long.
func (read *imported) putNote(l learning.Learning, shown string) {
	if len(l.Keywords) > 0 {
		l.Keywords = appendNew(l.Keywords, learning.Keywords("", l.Description, "")...)
	}
	if !learning.LongEnough(redact.ReplaceMarks(l.Description, "")) {
		read.skip(1, tooShort(shown))
		return
	}
	if err := checkLength(l); err != nil {
		read.skip(1, fmt.Sprintf("%s was skipped: %v", shown, err))
		return
	}
	read.put(l, shown)
}

// isInRepository reports whether a file is in the repository, where others may have written it.
func (read *imported) isInRepository(path string) bool {
	_, inside := worktree.Name(read.root, path)
	if !inside && read.repository != nil {
		_, inside = worktree.Name(read.repository.Root, path)
	}
	return inside
}

// shown returns a path as people read it: in the repository, or in the home folder.
func (read *imported) shown(path string) string {
	if name, inside := worktree.Name(read.root, path); inside {
		return name
	}
	if folder := home.UserFolder(read.env.Getenv); folder != "" {
		if name, inside := worktree.Name(folder, path); inside {
			return "~/" + name
		}
	}
	return path
}
