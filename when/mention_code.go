package when

import (
	"slices"
	"strings"

	"whence/internal/decision"
)

// plainFences are the code fences that hold queries or commands, by the first word of
// their info string. In others, of Markdown or of a programming language, a line that
// begins as a query does is part of an example.
var plainFences = []string{
	"", "text", "txt", "plain", "plaintext", "sh", "bash", "zsh", "fish", "shell", "console", "terminal", "shell-session", "sh-session", "shellsession",
}

// prompt marks the commands of a code block. Lines without it are then their output.
const prompt = "$ "

// code reads a code block, which may hold queries, lists of them below a lone operator,
// and commands.
func (r *mentionReader) code(t decision.Text) {
	info := ""
	if words := strings.Fields(t.Info); len(words) > 0 {
		info = strings.ToLower(words[0])
	}
	if !slices.Contains(plainFences, info) {
		return
	}
	lines := make([]excerpt, len(t.Lines))
	prompted := false
	for i, l := range t.Lines {
		lines[i] = r.excerpt(l)
		prompted = prompted || strings.HasPrefix(lines[i].text, prompt)
	}
	batch := false
	for _, l := range lines {
		item := unmarked(l)
		switch command := strings.HasPrefix(l.text, prompt); {
		case l.text == "":
		case batch && item.at != l.at:
			r.codeItem(withoutTask(item))
		case prompted && !command:
			batch = false
		default:
			if command {
				item = l.from(len(prompt))
			} else if strings.HasPrefix(item.text, "> ") {
				item = item.from(len("> "))
			}
			batch = isLabelLine(item.text)
			r.codeLine(item)
		}
	}
}

// codeLine reads a line of a code block.
func (r *mentionReader) codeLine(p excerpt) {
	if queries, _ := commandQueries(p.text); len(queries) > 0 {
		r.add(p, queries...)
		return
	}
	r.bare(p)
}

// codeItem reads an item below a lone operator.
func (r *mentionReader) codeItem(p excerpt) {
	if isQuery(p.text) {
		r.bare(p)
	} else if p.text != "" {
		r.add(p)
	}
}

// unmarked removes the marker of a list item.
func unmarked(p excerpt) excerpt {
	number := strings.TrimLeft(p.text, "0123456789")
	switch n := len(p.text) - len(number); {
	case n == 0 && len(p.text) > 1 && strings.ContainsAny(p.text[:1], "-*+") && p.text[1] == ' ':
		return p.from(2)
	case 0 < n && n < 10 && (strings.HasPrefix(number, ". ") || strings.HasPrefix(number, ") ")):
		return p.from(n + 2)
	}
	return p
}

// subcommands of memory-when are not triggers.
var subcommands = []string{"recall", "check", "list", "hook", "help"}

// commandQueries returns the queries that a shell line passes to memory-when; quoted reports
// whether one is in quotes. It returns none for lines that select another memory, whose
// arguments the shell would expand, or with a single word without quotes, which may be a command.
func commandQueries(line string) (queries []string, quoted bool) {
	rest, found := strings.CutPrefix(line, "memory-when ")
	if !found {
		return nil, false
	}
	words, quoted, plain := shellWords(rest)
	if !plain {
		return nil, false
	}
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		switch {
		case words[0] == "--quiet", strings.HasPrefix(words[0], "--format="):
			words = words[1:]
		case words[0] == "--format" && len(words) > 1:
			words = words[2:]
		default:
			return nil, false
		}
	}
	if len(words) == 0 || len(words) == 1 && !quoted || slices.Contains(subcommands, words[0]) ||
		slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") || strings.TrimSpace(w) == "" }) {
		return nil, false
	}
	for len(words) > 0 {
		first, rest := takeQueries(words)
		queries, words = append(queries, first...), rest
	}
	return queries, quoted
}

// shellWords splits a simple command into words, up to a comment, a pipe or another
// command. It is not plain if the shell would expand something.
func shellWords(line string) (words []string, quoted, plain bool) {
	var word strings.Builder
	open := false // a word has begun
	end := func() {
		if open {
			words = append(words, word.String())
			word.Reset()
			open = false
		}
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t':
			end()
		case '\'', '"':
			length := strings.IndexByte(line[i+1:], c)
			if length < 0 || c == '"' && strings.ContainsAny(line[i+1:i+1+length], "$`\\") {
				return nil, false, false
			}
			word.WriteString(line[i+1 : i+1+length])
			open, quoted = true, true
			i += length + 1
		case '$', '`', '\\', '*', '?', '[', '{', '~', '(', '<', '!':
			return nil, false, false
		case '|', ';', '&', '>':
			end()
			return words, quoted, true
		case '#':
			if !open {
				return words, quoted, true
			}
			word.WriteByte(c)
		default:
			word.WriteByte(c)
			open = true
		}
	}
	end()
	return words, quoted, true
}
