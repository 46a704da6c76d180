package hooks

import (
	"bytes"
	"slices"
	"strings"

	"whence/internal/text"

	"whence/internal/agent"
)

// An agent without hooks reads rules from a file of the project. rulesBlock is what install adds to that
// file, between two lines by which every version finds it again: a line that begins with blockBegin, and
// blockEnd.
const (
	blockBegin = "<!-- whence:begin"
	blockEnd   = "<!-- whence:end -->"

	rulesBlock = blockBegin + ` (written by memory-hooks install --agents-md; edits in this block are lost) -->
## Decisions of this project

Earlier decisions are in a memory that you query. Before you change code, before a command that deploys,
deletes or migrates, and after anything fails, run this with what you are about to do, or with the error:

    memory-when recall 'rename a column of a large table'

It prints nothing, or lines such as ` + "`- /when <trigger>  (<title>)`" + `. Read each decision that may apply, and
follow it: run ` + "`memory-when '<trigger>'`, or call the MCP tool `when`" + ` with the trigger.
` + blockEnd
)

// alwaysApply begins a new .mdc file: Cursor ignores one without it until the user names the file.
const alwaysApply = "---\nalwaysApply: true\n---\n"

// newRules returns the text of a new file with nothing but the block. removeBlock makes nothing of it.
func newRules(name string) []byte {
	if strings.HasSuffix(name, ".mdc") {
		return []byte(alwaysApply + rulesBlock + "\n")
	}
	return []byte(rulesBlock + "\n")
}

// addBlock returns the text of an existing file with the block of this version: in place of another
// version's, or else at the end. A damaged block is an *agent.SettingsError.
func addBlock(src []byte) ([]byte, error) {
	start, end, err := findBlock(src)
	if err != nil {
		return nil, err
	}
	if start < end {
		return slices.Concat(src[:start], blockWith(text.LineEnd(src[start:end])), src[end:]), nil
	}
	eol := []byte(text.LineEnd(src))
	block := blockWith(string(eol))
	switch {
	case len(src) == 0:
		return block, nil
	case bytes.HasSuffix(src, []byte("\n")):
		return slices.Concat(src, eol, block, eol), nil
	}
	return slices.Concat(src, eol, eol, block), nil // no final newline, so that removeBlock knows
}

// removeBlock returns a text without the block, and without the line ends that addBlock has put around
// it. A damaged block is an *agent.SettingsError.
func removeBlock(src []byte) ([]byte, error) {
	start, end, err := findBlock(src)
	if err != nil || start == end {
		return src, err
	}
	eol := []byte(text.LineEnd(src[start:end]))
	before, after := src[:start], src[end:]
	rest, ends := bytes.CutPrefix(after, eol)
	switch {
	case ends && len(rest) == 0 && string(before) == alwaysApply:
		return nil, nil
	case ends:
		if shorter, found := bytes.CutSuffix(before, eol); found && bytes.HasSuffix(shorter, []byte("\n")) {
			before = shorter
		}
	case len(after) == 0:
		before = bytes.TrimSuffix(before, slices.Concat(eol, eol))
	}
	return slices.Concat(before, rest), nil
}

// hasBlock reports whether a text has the block, of any version.
func hasBlock(src []byte) bool {
	start, end, err := findBlock(src)
	return err == nil && start < end
}

// isCurrentBlock reports whether a text has the block of this version.
func isCurrentBlock(src []byte) bool {
	start, end, err := findBlock(src)
	return err == nil && start < end && bytes.Equal(src[start:end], blockWith(text.LineEnd(src[start:end])))
}

// findBlock returns where the block of a text begins and ends; twice 0 if it has none. Its last line is
// without its end. A block that is not whole, or not the only one, is an *agent.SettingsError.
func findBlock(src []byte) (start, end int, err error) {
	at, line, begin := 0, 0, 0
	damaged := func(message string) (int, int, error) {
		return 0, 0, &agent.SettingsError{Line: line, Message: message}
	}
	for text := range bytes.Lines(src) {
		line++
		trimmed := bytes.TrimPrefix(text, []byte("\ufeff"))
		begins := bytes.HasPrefix(trimmed, []byte(blockBegin))
		ends := string(bytes.TrimRight(trimmed, " \t\r\n")) == blockEnd
		switch {
		case begins && end > 0:
			return damaged("a second block of " + programName + " begins here: delete one of the two")
		case begins && begin > 0:
			return damaged("a block of " + programName + " begins here before the one above ends: delete one of the two, or end that one with the line " + blockEnd)
		case begins:
			start, begin = at+len(text)-len(trimmed), line
		case ends && begin == 0 || ends && end > 0:
			return damaged("a block of " + programName + " ends here that does not begin: delete this line")
		case ends:
			end = at + len(bytes.TrimRight(text, "\r\n"))
		}
		at += len(text)
	}
	if begin > 0 && end == 0 {
		line = begin
		return damaged("the block of " + programName + " that begins here does not end: end it with the line " + blockEnd + ", or delete it")
	}
	return start, end, nil
}

// blockWith returns the block with these line ends.
func blockWith(eol string) []byte {
	return []byte(strings.ReplaceAll(rulesBlock, "\n", eol))
}
