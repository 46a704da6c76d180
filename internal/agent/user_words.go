package agent

import (
	"strings"

	"whence/internal/lazyregexp"
)

// Message is the part of a user message that the user wrote.
type Message struct {
	Words       string // typed as a prompt
	Command     string // name of a slash command
	Arguments   string // typed after the slash command
	Shell       string // a shell command that the user ran, typed after "!"
	Interrupted bool   // the user stopped the agent
}

// Spoken returns the words of the user in a prompt, including arguments and shell commands.
func Spoken(prompt string) string {
	m := ReadMessage(prompt)
	return strings.TrimSpace(strings.Join([]string{m.Words, m.Arguments, m.Shell}, " "))
}

// ReadMessage returns the part of a user message that the user wrote, without texts of the agent, of hooks and of
// whence.
func ReadMessage(text string) (m Message) {
	text = withoutInjected(text)
	if !strings.ContainsAny(text, "<[") {
		return Message{Words: strings.TrimSpace(text)}
	}
	marks := mark().FindAllStringSubmatchIndex(text, -1)
	var words strings.Builder
	addWords := func(part string) {
		if s := words.String(); s != "" && part != "" && !isSpace(s[len(s)-1]) && !isSpace(part[0]) {
			words.WriteByte(' ') // keeps two words apart
		}
		words.WriteString(part)
	}
	done, unclosed := 0, map[string]bool{}
	for i, at := range marks {
		if at[0] < done {
			continue
		}
		name, isOpening := elementOf(text, at)
		inside, end := "", at[1]
		if isOpening {
			var last []int
			if !unclosed[name] {
				last = closing(text, name, marks[i+1:])
				unclosed[name] = last == nil
			}
			if last == nil && !isLineStart(text, at[0]) {
				continue // the user is writing about the tag
			}
			inside, end = text[at[1]:], len(text)
			if last != nil {
				inside, end = text[at[1]:last[0]], last[1]
			}
		}
		addWords(text[done:at[0]])
		switch done = end; name {
		case "":
			m.Interrupted = true
		case "command-name":
			m.Command = strings.TrimSpace(inside)
		case "command-args":
			m.Arguments = strings.TrimSpace(m.Arguments + "\n" + inside)
		case "bash-input":
			m.Shell = strings.TrimSpace(m.Shell + "\n" + inside)
		case "user-memory-input":
			addWords(inside)
		}
	}
	addWords(text[done:])
	m.Words = strings.TrimSpace(words.String())
	return m
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// interruptMark begins the text by which an agent records an interrupt.
const interruptMark = "[Request interrupted by user"

// Interrupted is the text by which Claude Code records that the user has stopped it. Package transcript uses it in the
// records of all agents.
const Interrupted = interruptMark + "]"

// mark matches the record of an interrupt, and the tags of the elements in which agents wrap their own texts or the
// user's input.
var mark = lazyregexp.New(`\` + interruptMark + `[^\]\n]*\]|<(/?)(system-reminder|ide_selection|ide_opened_file|ide_diagnostics|` +
	`new-diagnostics|command-name|command-message|command-args|command-contents|skill-format|bash-input|bash-stdout|bash-stderr|` +
	`user-memory-input|task-notification|agent-notification|teammate-message|cross-session-message|hook_context|` +
	`session-start-hook|user-prompt-submit-hook|post-tool-use-hook|local-command-[a-z-]*)(?:[ \t\n][^<>]*)?>`)

// elementOf returns the name of the element of a tag, and whether the tag opens it. The name is "" for an interrupt.
func elementOf(text string, at []int) (name string, isOpening bool) {
	if at[4] < 0 {
		return "", false
	}
	return text[at[4]:at[5]], at[2] == at[3]
}

// maxClosingTags is the maximum number of closing tags that are counted for nesting.
const maxClosingTags = 32

// closing returns the closing tag of an element among the marks after its opening tag; nil if there is none. It counts
// nested elements of the same name. If they are not balanced, because the user wrote about one, it returns the first
// closing tag.
func closing(text, name string, marks [][]int) (first []int) {
	depth, tags := 1, 0
	for _, at := range marks {
		other, isOpening := elementOf(text, at)
		if other != name {
			continue
		}
		if isOpening {
			depth++
			continue
		}
		if first == nil {
			first = at
		}
		depth--
		if tags++; depth == 0 {
			return at
		}
		if tags == maxClosingTags {
			break
		}
	}
	return first
}

// isLineStart reports whether only spaces precede a position in its line.
func isLineStart(text string, at int) bool {
	before := strings.TrimRight(text[:at], " \t")
	return before == "" || strings.HasSuffix(before, "\n")
}
