package dispatch

import (
	"io/fs"
	"unicode"
	"unicode/utf8"

	"whence/internal/agent"
	"whence/internal/shell"
	"whence/internal/words"
	"whence/internal/worktree"
)

// Limits of the text that is looked up: a prompt that is looked up whole, each end of a longer one, a command or
// path, each end of the output of a command, and the beginning of a file.
//
// A long prompt asks its question before or after what it quotes. The more of the quote is looked up, the less the
// question counts: of three questions, each next to 22 READMEs and source files, a quarter reach their decision
// with ends of 500 characters, and five in eight with 300.
const (
	maxTypedChars     = 2000
	maxPromptEndChars = 300
	maxCommandBytes   = 500
	maxEndChars       = 1 << 10
	maxReadBytes      = 4 << 10
)

// promptText returns what is looked up for the words of a prompt.
func promptText(spoken string) string {
	if utf8.RuneCountInString(spoken) <= maxTypedChars {
		return spoken
	}
	return words.Ends(spoken, maxPromptEndChars, maxPromptEndChars)
}

// maxFileBytes is the size of a file beyond which its beginning says little about the rest.
const maxFileBytes = 1 << 20

// failureText returns the text that is looked up for a failure: the command, unless that runs a
// program of whence, and the ends of the error.
func failureText(e agent.Event) string {
	command := words.Beginning(e.Command, maxCommandBytes)
	if shell.RunsWhence(e.Command) {
		command = ""
	}
	return command + "\n" + ends(agent.ToolOutput(e.Error))
}

// WithResult adds what a tool has printed or read to the text of its command or path: the ends of an
// output, or the beginning of a file of the repository. For 34 commands and files to which decisions
// apply, it puts 78 instead of 45 % of these decisions among the first three. Learnings are looked up
// by the command or path alone; by both, a wrong one is shown at 3 instead of 4 of 98 unrelated ones
// (make eval).
func (r *Request) WithResult(text string) string {
	result := ""
	if r.Name == agent.PostToolUse && r.Tool == "Bash" {
		result = ends(r.Output)
	}
	if r.Name == agent.PostToolUse && r.Tool == "Read" {
		result = r.beginningOfFile()
	}
	if result == "" {
		return text
	}
	return text + "\n" + result
}

// beginningOfFile returns the beginning of the file that a tool has read: from the file itself if the
// agent does not report it. It returns "" if the file is outside of the repository or is not text.
func (r *Request) beginningOfFile() string {
	name, inside := r.name(r.Path)
	if !inside {
		return ""
	}
	text := words.Beginning(r.Content, maxReadBytes)
	if text == "" {
		text = beginningOf(r.Tree.FS(), name)
	}
	if !isText(text) {
		return ""
	}
	return text
}

// beginningOf reads the beginning of a regular file that is not huge. What cannot be read is empty.
func beginningOf(tree fs.FS, name string) string {
	if info, err := fs.Lstat(tree, name); err != nil || !info.Mode().IsRegular() || info.Size() > maxFileBytes {
		return ""
	}
	return worktree.ReadBeginning(tree, name, maxReadBytes)
}

// ends returns the beginning of an output and its end, which often names the cause of a failure; "" if
// it is not text.
func ends(output string) string {
	output = words.Ends(output, maxEndChars, maxEndChars)
	if !isText(output) {
		return ""
	}
	return output
}

// isText reports whether people can read a text: it has no zero byte, and the number of unprintable
// characters is at most a tenth of its bytes. The escapes of terminal colours count as printable.
func isText(text string) bool {
	unreadable := 0
	for _, c := range text {
		if c == 0 {
			return false
		}
		if c == utf8.RuneError || c != '\x1b' && !unicode.IsPrint(c) && !unicode.IsSpace(c) {
			unreadable++
		}
	}
	return unreadable <= len(text)/10
}
