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

// gitignore is the file of a project that says what git passes over.
const gitignore = ".gitignore"

// Ignored tells whether git passes over the notes of a project, as far as .gitignore and
// .git/info/exclude at its root and .memory/.gitignore say so in plain words.
func Ignored(root string) (bool, error) {
	f, err := openFolder(root)
	if err != nil {
		return false, err
	}
	defer f.Close()
	ignored := false
	// No repository can hold a file of that name. Where .git is a file, it lies elsewhere.
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

// Ignore has git pass over the notes: a line more in .gitignore, in its line ends. Where
// git does so already, nothing is written.
func Ignore(root string) (done bool, err error) {
	if is, err := Ignored(root); is || err != nil {
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
	line := Folder + "/\n"
	if len(src) > 0 && src[len(src)-1] != '\n' {
		line = "\n" + line
	}
	if usesCRLF(src) {
		line = strings.ReplaceAll(line, "\n", "\r\n")
	}
	if src == nil {
		return true, f.tree.Create(gitignore, []byte(line))
	}
	return true, f.tree.Replace(gitignore, src, append(slices.Clone(src), line...))
}

// ignores tells whether the lines of such a file name the folder of the notes. The last
// one that does so counts.
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

// hasLine tells whether a text has a line, whatever its line ends are.
func hasLine(src []byte, want string) bool {
	for line := range strings.Lines(string(src)) {
		if strings.TrimSpace(line) == want {
			return true
		}
	}
	return false
}

// plain reads a text file of the project; nothing if there is none.
func (f *folder) plain(name string) ([]byte, error) {
	src, err := files.ReadText(f.tree.FS(), name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return src, err
}
