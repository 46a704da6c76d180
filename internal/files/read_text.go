package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"
	"unicode/utf8"
)

// MaxTextBytes is the maximum size of a text: people write what is read here, so a larger
// file is a mistake.
const MaxTextBytes = 32 << 20

// ErrFolder is returned for a folder.
var ErrFolder = errors.New("is a folder: put a text file in its place")

// ReadText reads a UTF-8 text file. An error is one line that begins with the file's name
// and ends with what to do; a missing file is fs.ErrNotExist.
func ReadText(tree fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(tree, name) // before opening: a pipe would block
	switch {
	case err != nil:
		return nil, explain(tree, name, err)
	case info.IsDir():
		return nil, fmt.Errorf("%s %w", name, ErrFolder)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file: put a text file in its place", name)
	case info.Size() > MaxTextBytes:
		return nil, tooLarge(name)
	}
	file, err := tree.Open(name)
	if err != nil {
		return nil, explain(tree, name, err)
	}
	defer file.Close()
	var src bytes.Buffer
	src.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := src.ReadFrom(io.LimitReader(file, MaxTextBytes+1)); err != nil {
		return nil, explain(tree, name, err)
	}
	if src.Len() > MaxTextBytes {
		return nil, tooLarge(name)
	}
	return src.Bytes(), checkText(name, src.Bytes())
}

func tooLarge(name string) error {
	return fmt.Errorf("%s is larger than %d MB: split it", name, MaxTextBytes>>20)
}

// explain rewords an error of the tree for users.
func explain(tree fs.FS, name string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	_, linkError := fs.ReadLink(tree, name)
	switch isLink := linkError == nil; {
	case isLink && errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is a symbolic link to nothing: restore its target or remove the link", name)
	case isLink:
		return fmt.Errorf("%s is a symbolic link that cannot be followed (%w): it must stay inside the repository", name, err)
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s cannot be read (%w): check who may read it", name, err)
	case errors.Is(err, syscall.ENOTDIR): // a parent is a file
		err = fs.ErrNotExist
	}
	return fmt.Errorf("%s: %w", name, err)
}

// checkText returns an error with the first line that is not UTF-8 text with line feeds.
func checkText(name string, src []byte) error {
	at, what := -1, ""
	if i := bytes.IndexByte(src, 0); i >= 0 {
		at, what = i, "holds a NUL byte"
	} else if !utf8.Valid(src) {
		at, what = firstInvalid(src), "is not UTF-8"
	} else if i := bytes.IndexByte(src, '\r'); i >= 0 && bytes.IndexByte(src, '\n') < 0 {
		at, what = i, "has bare carriage returns as line ends"
	}
	if at < 0 {
		return nil
	}
	line := 1 + bytes.Count(src[:at], []byte{'\n'})
	return fmt.Errorf("%s:%d %s: save it as UTF-8 text with LF or CRLF line ends", name, line, what)
}

func firstInvalid(src []byte) int {
	for at := 0; at < len(src); {
		r, size := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return len(src)
}
