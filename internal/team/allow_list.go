package team

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"whence/internal/config"
	"whence/internal/files"
)

// listName is the file in the folder of package home with the allowed URLs and names, one a line.
const listName = "stores"

// maxListBytes bounds the size of that file.
const maxListBytes = 1 << 20

// Allow allows all repositories to name a store, and returns its URL as it was understood.
func Allow(home, text string) (allowed string, err error) {
	if allowed, err = config.ParseStore(text); err != nil {
		return "", err
	}
	return allowed, allow(home, allowed)
}

// AllowName allows one repository, identified by at, to use a name in team stores: agents there are then
// shown the learnings under that name.
func AllowName(home, name, at string) error { return allow(home, nameLine(name, at)) }

// RevokeName reverts AllowName.
func RevokeName(home, name, at string) error {
	return edit(home, func(lines []string) []string { return without(lines, nameLine(name, at)) })
}

// namePrefix begins the line of a name.
const namePrefix = "repository "

// nameLine returns the line of a name, which is one line whatever the folder is called.
func nameLine(name, at string) string { return namePrefix + name + " at " + strconv.Quote(at) }

// Revoke forbids connecting to a store, even if the user's settings name it, until it is
// allowed again. It returns the parsed URL.
func Revoke(home, text string) (revoked string, err error) {
	if revoked, err = config.ParseStore(text); err != nil {
		return "", err
	}
	return revoked, edit(home, func(lines []string) []string {
		return append(without(lines, revoked), revokedPrefix+revoked)
	})
}

// revokedPrefix begins the line of a revoked URL.
const revokedPrefix = "revoked "

// IsRevoked reports whether the user has revoked a store.
func IsRevoked(home, url string) (bool, error) { return isAllowed(home, revokedPrefix+url) }

// Allowed lists the allowed URLs and names.
func Allowed(home string) (all []string, err error) {
	src, err := readAllowed(home)
	for _, line := range linesOf(src) {
		if !strings.HasPrefix(line, revokedPrefix) {
			all = append(all, line)
		}
	}
	return all, err
}

func allow(home, line string) error {
	return edit(home, func(lines []string) []string {
		lines = without(lines, revokedPrefix+line)
		if len(without(lines, line)) < len(lines) {
			return lines
		}
		return append(lines, line)
	})
}

// linesOf returns the lines of a list that are not empty.
func linesOf(src []byte) (lines []string) {
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// without returns the lines that do not match.
func without(lines []string, wanted string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return matches(line, wanted) })
}

// edit changes the lines of the list. The file is private.
func edit(home string, change func([]string) []string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return fmt.Errorf("allow a store: %w", err)
	}
	name := filepath.Join(home, listName)
	for {
		err := editFile(name, change)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, files.ErrChanged): // otherwise another process did: start over
			return fmt.Errorf("allow a store: %w", err)
		}
	}
}

func editFile(name string, change func([]string) []string) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	src, err := readList(name)
	if err != nil {
		return err
	}
	before := linesOf(src)
	after := change(slices.Clone(before))
	if slices.Equal(before, after) {
		return nil
	}
	return files.Replace(name, src, []byte(strings.Join(append(after, ""), "\n")))
}

// isAllowed reports whether the user has allowed a store, or a name.
func isAllowed(home, line string) (bool, error) {
	src, err := readAllowed(home)
	return err == nil && contains(src, line), err
}

// readAllowed reads the list; a missing one is empty.
func readAllowed(home string) ([]byte, error) {
	src, err := readList(filepath.Join(home, listName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read which stores are allowed: %w", err)
	}
	return src, nil
}

// readList reads the file if it is a regular one: reading a pipe would block.
func readList(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxListBytes:
		return nil, fmt.Errorf("%s is not a list of stores: move it away", name)
	}
	return os.ReadFile(name)
}

// contains reports whether a list, which may be edited by hand, has a line.
func contains(src []byte, wanted string) bool {
	return slices.ContainsFunc(linesOf(src), func(line string) bool { return matches(line, wanted) })
}

// matches reports whether a line is the wanted one, or the same URL spelled otherwise.
func matches(line, wanted string) bool {
	url, err := config.ParseStore(line)
	return line == wanted || err == nil && url == wanted
}
