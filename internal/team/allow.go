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

// listName is the file in the folder of package home that holds the URLs of the stores that
// are allowed, and the names of repositories, a line each.
const listName = "stores"

// maxListBytes is how many bytes that file has at most.
const maxListBytes = 1 << 20

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

// RevokeName takes back what AllowName has allowed.
func RevokeName(home, name, at string) error {
	return edit(home, func(lines []string) []string { return without(lines, nameLine(name, at)) })
}

// namePrefix stands before a name in the list.
const namePrefix = "repository "

// nameLine is the line for a name: it is one, whatever folders are called.
func nameLine(name, at string) string { return namePrefix + name + " at " + strconv.Quote(at) }

// Revoke takes back that a store is allowed. Nothing is sent to it or asked of it from then on,
// whoever names it, until it is allowed again. It returns the URL as it was understood.
func Revoke(home, text string) (revoked string, err error) {
	if revoked, err = config.ParseStore(text); err != nil {
		return "", err
	}
	return revoked, edit(home, func(lines []string) []string {
		return append(without(lines, revoked), revokedPrefix+revoked)
	})
}

// revokedPrefix stands before the URL of a store that the user has revoked.
const revokedPrefix = "revoked "

// IsRevoked reports whether the user has revoked a store.
func IsRevoked(home, url string) (bool, error) { return isAllowed(home, revokedPrefix+url) }

// Allowed lists what is allowed: URLs, and names of repositories.
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

// without returns the lines except those that are, or name, a wanted one.
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
		case !errors.Is(err, files.ErrChanged): // else by another process: begin anew
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

// readAllowed reads the list of a home; one that is not there is empty.
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

// readList reads the file, unless it is none: it would wait for a pipe.
func readList(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxListBytes:
		return nil, fmt.Errorf("%s is no list of stores: move it away", name)
	}
	return os.ReadFile(name)
}

// contains reports whether a line is in a list, which somebody may have written by hand.
func contains(src []byte, wanted string) bool {
	return slices.ContainsFunc(linesOf(src), func(line string) bool { return matches(line, wanted) })
}

// matches reports whether a line is a wanted one, or the same URL in other words.
func matches(line, wanted string) bool {
	url, err := config.ParseStore(line)
	return line == wanted || err == nil && url == wanted
}
