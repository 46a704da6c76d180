package memory

import (
	"errors"
	"fmt"

	"whence/internal/shell"
)

// Problem says why a file is not memory although the settings name it, or why it cannot be read. As an error, it is
// a sentence for a user.
type Problem struct {
	Path           string // of the file, or of the link or the repository that it is behind
	Line           int    // 0: it is not about a line
	Reason, Remedy string // the reason follows the path in a sentence

	text string
	err  error
}

// Error returns the path, the reason and the remedy in one line.
func (p Problem) Error() string { return p.text }

// Unwrap returns the cause, if others tell errors apart by it.
func (p Problem) Unwrap() error { return p.err }

// IsRefusal reports whether an error is a [Problem] with a file that is there, but is not memory.
func IsRefusal(err error) bool { return errors.Is(err, ErrNoMemory) && errors.As(err, new(Problem)) }

// The reasons of refusals.
const (
	isLink     = "is a symbolic link, and so is not memory"
	isLinked   = "is a symbolic link, and what is behind it is not memory"
	isForeign  = "is another repository, and what is in it is not memory"
	isFolder   = "is a folder, and so is not memory"
	isOther    = "is not Markdown, and so is not memory"
	isDotFile  = "is hidden and not tracked by git, and so is not memory"
	isIgnored  = "is ignored by git, and so is not memory"
	isAbsent   = "is tracked by git, but not checked out"
	isUnstaged = "is not in the commit"
	isLarge    = "is larger than 4 MB, and so is not memory"
	isBeyond   = "exceeds the 64 MB that a memory may have in all, and so is not memory"
)

// isBeyondRemedy says what to do about a file that does not fit into a memory.
const isBeyondRemedy = "remove decision files, or except some in the settings"

// localSettings is the user's own file of settings for a repository, see package config.
const localSettings = ".claude/whence.local.md"

// refusal returns why a file of a source is not memory.
func (s *Source) refusal(name, reason string) Problem {
	p := Problem{Path: name, Reason: reason, Remedy: remedy(name, reason, s.typed), err: ErrNoMemory}
	p.text = s.typed.Path(name) + " " + reason + ": " + p.Remedy
	return p
}

func remedy(name, reason string, t shell.Typed) string {
	switch reason {
	case isLink:
		return fmt.Sprintf("put the file itself in its place, or except it in the settings: %q", exception+name)
	case isLinked:
		return "put the folder itself in its place"
	case isForeign:
		return "name files of this repository in the settings"
	case isFolder:
		return "put a text file in its place"
	case isOther:
		return "name files that end in .md or .markdown in the settings"
	case isDotFile:
		return fmt.Sprintf("run \"%s\", or move it to a path without leading dots", t.Git("add", name))
	case isIgnored:
		return fmt.Sprintf("change the line that \"%s\" shows, or, if it is ignored on purpose, write \"ignored_memory: true\" into %s", t.Git("check-ignore -v", name), t.Path(localSettings))
	case isLarge:
		return "split it"
	case isBeyond:
		return isBeyondRemedy
	}
	return fmt.Sprintf("run \"%s\", or remove it from the settings", t.Git("add", name))
}
