package usertext

import "strings"

// isWrapper reports whether agents wrap their own texts, or input of the user, in such an element.
func isWrapper(name string) bool {
	switch name {
	case "system-reminder", "ide_selection", "ide_opened_file", "ide_diagnostics", "new-diagnostics", "command-name",
		"command-message", "command-args", "command-contents", "skill-format", "bash-input", "bash-stdout", "bash-stderr",
		"user-memory-input", "task-notification", "agent-notification", "teammate-message", "cross-session-message", "hook_context",
		"session-start-hook", "user-prompt-submit-hook", "post-tool-use-hook":
		return true
	}
	return strings.HasPrefix(name, "local-command-")
}

// maxTagBytes limits an opening tag with its attributes.
const maxTagBytes = 1000

// element is a wrapper with its content.
type element struct {
	name, inside string
	end          int // in the text
}

// elementAt reads the wrapper at a position. One that is never closed extends to the end of the
// text if it begins a line; elsewhere the user is writing about it. A closing tag alone is an
// empty element.
//
// Open has the names without a closing tag in the rest of the text, so that each is searched for
// only once.
func elementAt(text string, at int, open map[string]bool) (element, bool) {
	if strings.HasPrefix(text[at:], "</") {
		name, end, ok := tagAt(text, at+2)
		return element{name: name, end: end}, ok
	}
	if text[at] != '<' {
		return element{}, false
	}
	name, start, ok := tagAt(text, at+1)
	if !ok {
		return element{}, false
	}
	if !open[name] {
		if end, closed := closing(text, name, start); closed {
			return element{name, text[start:end], end + len("</>") + len(name)}, true
		}
		open[name] = true
	}
	if !isLineStart(text, at) {
		return element{}, false
	}
	return element{name, text[start:], len(text)}, true
}

// tagAt returns the name of the wrapper at a position, and the end of its tag.
func tagAt(text string, at int) (name string, end int, ok bool) {
	rest := text[at:min(len(text), at+maxTagBytes)]
	i := strings.IndexAny(rest, "> \t\n<")
	if i < 0 || rest[i] == '<' {
		return "", 0, false
	}
	name = rest[:i]
	if !isWrapper(name) {
		return "", 0, false
	}
	if i = strings.IndexByte(rest, '>'); i < 0 {
		return "", 0, false
	}
	return name, at + i + 1, true
}

// closing returns the position of the closing tag of an element whose content starts at a
// position. Nested elements of the same name are counted; if they are not balanced, because the
// user wrote about one, the first closing tag counts.
func closing(text, name string, start int) (int, bool) {
	open, shut := "<"+name+">", "</"+name+">"
	first := strings.Index(text[start:], shut)
	if first < 0 {
		return 0, false
	}
	first += start
	depth, at := 1, start
	for range maxClosingTags {
		next := strings.Index(text[at:], shut)
		if next < 0 {
			break
		}
		depth += strings.Count(text[at:at+next], open) - 1
		if depth <= 0 {
			return at + next, true
		}
		at += next + len(shut)
	}
	return first, true
}

// maxClosingTags limits the closing tags that are counted for nesting.
const maxClosingTags = 32
