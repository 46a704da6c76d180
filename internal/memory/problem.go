package memory

import (
	"errors"
	"fmt"
	"io/fs"

	"whence/internal/shell"
	"whence/internal/worktree"
)

// Problem says why a file that the settings name is not memory, or why it cannot be read. As an error, it is a sentence
// for a user.
type Problem struct {
	Path           string // of the file, or of the link or the repository that it is behind
	Line           int    // 0: it is not about a line
	Reason, Remedy string // the reason follows the path in a sentence

	text string
	why  reason
	err  error
}

// Error returns the path, the reason and the remedy in one line.
func (p Problem) Error() string { return p.text }

// Unwrap returns ErrNoMemory for a refusal, otherwise the error of reading the file.
func (p Problem) Unwrap() error { return p.err }

// IsRefusal reports whether an error is the [Problem] of a file that is not memory, not of one that cannot be read.
func IsRefusal(err error) bool { return errors.Is(err, ErrNoMemory) && errors.As(err, new(Problem)) }

// reason is why a file that the settings name is not memory.
type reason int

const (
	isMemory reason = iota
	isLink
	isBehindLink
	isOtherRepository
	isFolder
	isNoMarkdown
	isHidden
	isIgnored
	isUnstaged
	isLarge
	isBeyond
)

// refusals maps each reason to the text that follows the path in a sentence, and to the remedy for a file.
var refusals = map[reason]struct {
	text   string
	remedy func(name string, t shell.Typed) string
}{
	isLink: {"is a symbolic link, and so is not memory", func(name string, _ shell.Typed) string {
		return fmt.Sprintf("put the file itself in its place, or except it in the settings: %q", exception+name)
	}},
	isBehindLink:      {"is a symbolic link, and what is behind it is not memory", always("put the folder itself in its place")},
	isOtherRepository: {"is another repository, and what is in it is not memory", always("name files of this repository in the settings")},
	isFolder:          {"is a folder, and so is not memory", always("put a text file in its place")},
	isNoMarkdown:      {"is not Markdown, and so is not memory", always("name files that end in .md or .markdown in the settings")},
	isHidden: {"is hidden and not tracked by git, and so is not memory", func(name string, t shell.Typed) string {
		return fmt.Sprintf("run \"%s\", or move it to a path without leading dots", t.Git("add", name))
	}},
	isIgnored: {"is ignored by git, and so is not memory", func(name string, t shell.Typed) string {
		return fmt.Sprintf("change the line that \"%s\" shows, or, if it is ignored on purpose, write \"ignored_memory: true\" into %s",
			t.Git("check-ignore -v", name), t.Path(localSettings))
	}},
	isUnstaged: {"is not in the commit", func(name string, t shell.Typed) string {
		return fmt.Sprintf("run \"%s\", or remove it from the settings", t.Git("add", name))
	}},
	isLarge:  {fmt.Sprintf("is larger than %d MB, and so is not memory", worktree.MaxTextBytes>>20), always("split it")},
	isBeyond: {fmt.Sprintf("exceeds the %d MB that a memory may have in all, and so is not memory", maxMemoryBytes>>20), always(beyondRemedy)},
}

func always(remedy string) func(string, shell.Typed) string {
	return func(string, shell.Typed) string { return remedy }
}

// beyondRemedy says what to do about a file that does not fit into a memory.
const beyondRemedy = "remove decision files, or except some in the settings"

// localSettings is the user's own file of settings for a repository, see package config.
const localSettings = ".claude/whence.local.md"

// refusal returns the problem of a file that is not memory.
func (s *Source) refusal(name string, why reason) Problem {
	r := refusals[why]
	p := s.refused(name, r.text, r.remedy(name, s.typed))
	p.why = why
	return p
}

func (s *Source) refused(name, reason, remedy string) Problem {
	return Problem{Path: name, Reason: reason, Remedy: remedy, text: s.typed.Path(name) + " " + reason + ": " + remedy, err: ErrNoMemory}
}

// typedIn returns how the user types paths of a memory in a tree.
func typedIn(tree fs.FS) shell.Typed {
	if source, is := tree.(*Source); is {
		return source.typed
	}
	return shell.Typed{}
}
