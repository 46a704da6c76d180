package team

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"whence/internal/atomicfile"
	"whence/internal/config"
)

// listName is the file in the folder of package home that holds the URLs of the stores that
// are allowed, and the names of repositories, a line each.
const listName = "stores"

// longestList is how many bytes that file has at most.
const longestList = 1 << 20

// Allow allows a store, by its URL, to all repositories that name it. The file is private.
// It returns the URL as it was understood; one that was allowed before stays so.
func Allow(home, text string) (allowed string, err error) {
	if allowed, err = config.ParseStore(text); err != nil {
		return "", err
	}
	return allowed, allow(home, allowed)
}

// AllowName allows one repository, which at tells from others, to call itself so in the stores
// of teams: what is known under the name is then told to agents there.
func AllowName(home, name, at string) error { return allow(home, nameLine(name, at)) }

// namePrefix stands before a name in the list.
const namePrefix = "repository "

// nameLine is the line for a name: it is one, whatever folders are called.
func nameLine(name, at string) string { return namePrefix + name + " at " + strconv.Quote(at) }

func allow(home, line string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return fmt.Errorf("allow a store: %w", err)
	}
	name := filepath.Join(home, listName)
	for {
		err := add(name, line)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, atomicfile.ErrChanged): // else by another process: begin anew
			return fmt.Errorf("allow a store: %w", err)
		}
	}
}

func add(name, line string) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	src, err := readList(name)
	if err != nil || holds(src, line) {
		return err
	}
	text := string(src)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return atomicfile.Replace(name, src, []byte(text+line+"\n"))
}

// isAllowed tells whether the user has allowed a store, or a name.
func isAllowed(home, line string) (bool, error) {
	src, err := readList(filepath.Join(home, listName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read which stores are allowed: %w", err)
	}
	return holds(src, line), nil
}

// readList reads the file, unless it is none: it would wait for a pipe.
func readList(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > longestList:
		return nil, fmt.Errorf("%s is no list of stores: move it away", name)
	}
	return os.ReadFile(name)
}

// holds tells whether a line is in a list, which somebody may have written by hand.
func holds(src []byte, wanted string) bool {
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSpace(line)
		if url, err := config.ParseStore(line); line == wanted || err == nil && url == wanted {
			return true
		}
	}
	return false
}
