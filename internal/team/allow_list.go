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

// listName is the file, in the folder of package home, that lists allowed URLs and names, one a line.
const listName = "stores"

// maxListBytes bounds its size.
const maxListBytes = 1 << 20

// Allow allows all repositories to name a store. It returns the parsed URL.
func Allow(home, text string) (allowed string, err error) {
	if allowed, err = config.ParseStore(text); err != nil {
		return "", err
	}
	return allowed, allow(home, allowed)
}

// AllowName allows one repository, identified by at, to use a name in team stores: its agents are then
// shown the learnings stored under that name.
func AllowName(home, name, at string) error { return allow(home, nameLine(name, at)) }

// RevokeName reverts AllowName.
func RevokeName(home, name, at string) error {
	return edit(home, func(lines []string) []string { return without(lines, nameLine(name, at)) })
}

// namePrefix begins the line of a name.
const namePrefix = "repository "

// nameLine returns the line of a name. It quotes at, which may be a path with line feeds.
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

// Allowed returns the allowed URLs, and the lines of allowed names.
func Allowed(home string) (all []string, err error) {
	lines, err := readAllowed(home)
	for _, line := range lines {
		if !strings.HasPrefix(line, revokedPrefix) {
			all = append(all, line)
		}
	}
	return all, err
}

func allow(home, line string) error {
	return edit(home, func(lines []string) []string {
		lines = without(lines, revokedPrefix+line)
		if contains(lines, line) {
			return lines
		}
		return append(lines, line)
	})
}

// linesOf returns the lines of a list, without empty ones.
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

// edit changes the lines of the list, which is a private file.
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
		case !errors.Is(err, files.ErrChanged): // after a change by another process, start over
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
	lines, err := readAllowed(home)
	return contains(lines, line), err
}

// readAllowed returns the lines of the list; a missing list is empty.
func readAllowed(home string) ([]string, error) {
	src, err := readList(filepath.Join(home, listName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read which stores are allowed: %w", err)
	}
	return linesOf(src), nil
}

// readList reads the file. It must be a regular one: reading a pipe would block.
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

// contains reports whether a line matches.
func contains(lines []string, wanted string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return matches(line, wanted) })
}

// matches reports whether a line, which the user may have edited, is the wanted one or another spelling of
// the same URL.
func matches(line, wanted string) bool {
	url, err := config.ParseStore(line)
	return line == wanted || err == nil && url == wanted
}
