package remember

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"whence/internal/cli"
	"whence/internal/learning"
	"whence/internal/text"
	"whence/internal/worktree"
)

// maxImportBytes bounds a file to import.
const maxImportBytes = 256 << 20

// imported holds the learnings that were read.
type imported struct {
	env      cli.Env
	project  string
	root     string // of the repository; paths of files are relative to it
	category learning.Category

	entries []importedEntry
	skipped int
	remarks []string // what was skipped, and why
}

type importedEntry struct {
	learning.Learning
	source string // its place, for messages
	placed bool   // it says itself where it applies: in its project or, without one, in all
}

func (read *imported) put(l learning.Learning, source string) {
	read.entries = append(read.entries, importedEntry{Learning: l, source: source})
}

// skip counts what is not imported, and says why.
func (read *imported) skip(count int, why string) {
	read.skipped, read.remarks = read.skipped+count, append(read.remarks, why)
}

// add reads a file or a folder of Markdown, or standard input for "-".
func (read *imported) add(name string) error {
	if name == "-" {
		return read.records("standard input", read.env.Stdin)
	}
	path, info, err := read.stat(name)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return read.folder(name, path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("cannot import %s: it is not a regular file", name)
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return read.file(file, name, path)
}

// stat returns the absolute path of what the user has named, and describes it.
func (read *imported) stat(name string) (path string, info fs.FileInfo, err error) {
	path = read.env.Path(name)
	if info, err = os.Stat(path); err != nil {
		return "", nil, fmt.Errorf("cannot import %s: %w", name, errors.Unwrap(err))
	}
	return path, info, nil
}

// folder reads the Markdown files of a folder. The user did not name them, so that
// symbolic links in it lead nowhere else.
func (read *imported) folder(name, path string) error {
	tree, err := worktree.Open(path)
	if err != nil {
		return err
	}
	defer tree.Close()
	entries, err := fs.ReadDir(tree.FS(), ".")
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || !strings.EqualFold(filepath.Ext(e.Name()), ".md") {
			continue
		}
		found = true
		file, fault := tree.FS().Open(e.Name())
		if fault != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", name, fault))
			continue
		}
		err = errors.Join(err, read.file(file, filepath.Join(name, e.Name()), filepath.Join(path, e.Name())), file.Close())
	}
	if !found {
		return fmt.Errorf("%s: this folder holds no *.md files", name)
	}
	return err
}

// file reads a file; the user called it name, its absolute path is path.
func (read *imported) file(file fs.File, name, path string) error {
	if !strings.EqualFold(filepath.Ext(name), ".md") {
		return read.records(name, file)
	}
	src, err := readAll(name, file)
	if err != nil {
		return err
	}
	return read.bank(src, name, path)
}

// bank reads a knowledge bank.
func (read *imported) bank(src []byte, name, path string) error {
	category := read.category
	if category == "" {
		base := strings.TrimSuffix(strings.ToLower(filepath.Base(name)), ".md")
		if c, err := learning.ParseCategory(base); err == nil {
			category = c
		}
	}
	all, err := learning.ParseBank(src, category)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, l := range all {
		source := fmt.Sprintf("%s: %q", name, l.Name)
		if !learning.LongEnough(l.Description) { // a bank has headings with little text
			read.skip(1, tooShort(source))
			continue
		}
		if _, inside := worktree.Name(read.root, path); inside { // others may have written it
			l.Confidence = learning.Low
		}
		read.put(l, source)
	}
	return nil
}

// records reads JSON lines.
func (read *imported) records(name string, from io.Reader) error {
	src, err := readAll(name, from)
	if err != nil {
		return err
	}
	number := 0
	for line := range bytes.Lines(src) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		place := fmt.Sprintf("%s:%d", name, number)
		var l learning.Learning
		unknown, err := text.DecodeObject(line, &l)
		var notText *text.NotTextError
		switch {
		case errors.Is(err, text.ErrMoreJSON):
			return fmt.Errorf("%s: %w in a line; nothing was imported", place, err)
		case errors.As(err, &notText):
			return cli.Usagef("%s: %v; nothing was imported", place, err)
		case err == nil && len(unknown) > 0: // a mistyped one may matter
			err = fmt.Errorf("unknown field %q", unknown[0])
		}
		if err != nil {
			return fmt.Errorf("%s: not a learning: %w (one JSON object a line, as export prints them); nothing was imported", place, err)
		}
		l = learning.Imported(l)
		read.entries = append(read.entries, importedEntry{l, place, l.Project != "" || !l.Created.IsZero()})
	}
	return nil
}

func readAll(name string, from io.Reader) ([]byte, error) {
	src, err := io.ReadAll(io.LimitReader(from, maxImportBytes+1))
	if err == nil && len(src) > maxImportBytes {
		err = fmt.Errorf("%s is longer than %d MB: split it", name, maxImportBytes>>20)
	}
	if err == nil {
		err = checkUTF8(name, string(src))
	}
	return src, err
}

func tooShort(source string) string {
	return fmt.Sprintf("%s was skipped: its text is shorter than %d characters", source, learning.MinDescriptionChars)
}
