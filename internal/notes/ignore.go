package notes

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/files"
)

// gitignore is the name of the files that list what git ignores.
const gitignore = ".gitignore"

// Ignored reports whether git ignores the notes of a project, by a plain line in .gitignore or
// .git/info/exclude at its root, or in .memory/.gitignore.
func Ignored(root string) (bool, error) {
	f, err := openFolder(root)
	if err != nil {
		return false, err
	}
	defer f.Close()
	ignored := false
	// No repository can contain a file of that name. In a linked worktree it is elsewhere.
	if src, err := files.ReadText(os.DirFS(filepath.Join(root, ".git", "info")), "exclude"); err == nil {
		ignored = ignores(src, ignored)
	}
	src, err := f.plain(gitignore)
	if err != nil {
		return false, err
	}
	ignored = ignores(src, ignored)
	own, err := f.plain(in(gitignore))
	return ignored || hasLine(own, "*"), err
}

// Ignore adds a line for the notes to .gitignore, unless git ignores them already.
func Ignore(root string) (done bool, err error) {
	is, err := Ignored(root)
	if err != nil {
		return false, err
	}
	f, err := openFolder(root)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	src, err := f.plain(gitignore)
	if err != nil {
		return false, err
	}
	line := addition(src, Folder+"/\n")
	switch {
	case is && src == nil:
		return false, nil
	case is: // a killed run may have left a temporary file
		line = ""
	case src == nil:
		return true, f.tree.Create(gitignore, []byte(line))
	}
	return !is, f.tree.Replace(gitignore, src, append(slices.Clone(src), line...))
}

// ignores reports whether the last line that names the folder of the notes ignores it.
func ignores(src []byte, before bool) bool {
	for line := range strings.Lines(string(bytes.TrimPrefix(src, []byte("\ufeff")))) {
		line, negated := strings.CutPrefix(strings.TrimRight(line, " \t\r\n"), "!")
		line = strings.TrimPrefix(strings.TrimPrefix(line, "**/"), "/")
		switch line {
		case Folder, Folder + "/", Folder + "/*", Folder + "/**":
			before = !negated
		}
	}
	return before
}

// hasLine reports whether a text has a line, whatever its line ends.
func hasLine(src []byte, want string) bool {
	for line := range strings.Lines(string(src)) {
		if strings.TrimSpace(line) == want {
			return true
		}
	}
	return false
}

// plain reads a text file of the project. A missing one is empty.
func (f *folder) plain(name string) ([]byte, error) {
	src, err := files.ReadText(f.tree.FS(), name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return src, err
}
