package usertext

import "strings"

// isWrapper tells whether an element is one in which the machinery wraps what it says, or what
// the user has typed for it.
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

// longestTag is how long the beginning of an element may be, with its attributes.
const longestTag = 1000

// element is a wrapper with what it wraps.
type element struct {
	name, inside string
	end          int // of it in the text
}

// elementAt reads the wrapper that begins at a place. One that is never closed goes to the
// end of the text if it begins a line; within one it is something that the user talks
// about. A closing tag alone is empty.
//
// Open are the names of which no closing tag stands behind any place that is still to
// come, so that none is looked for twice.
func elementAt(text string, at int, open map[string]bool) (element, bool) {
	if strings.HasPrefix(text[at:], "</") {
		if name, end, ok := tagAt(text, at+2); ok {
			return element{name: name, end: end}, true
		}
		return element{}, false
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

// tagAt reads the name of a wrapper at a place, and where its tag ends.
func tagAt(text string, at int) (name string, end int, ok bool) {
	rest := text[at:min(len(text), at+longestTag)]
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

// closing is where the closing tag begins of an element whose inside starts at a place.
// Those within one of the same name are counted; if that does not come out even, because
// one was talked about, the first counts.
func closing(text, name string, start int) (int, bool) {
	open, shut := "<"+name+">", "</"+name+">"
	first := strings.Index(text[start:], shut)
	if first < 0 {
		return 0, false
	}
	first += start
	depth, at := 1, start
	for range deepest {
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

// deepest is how many closing tags are counted before that is given up.
const deepest = 32
