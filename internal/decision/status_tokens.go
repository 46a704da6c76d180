package decision

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, a link, or what separates clauses.
type token struct {
	text      string // of a word, as written
	word      string // the same in lower case
	link      string // the target of a link, without its anchor
	separates bool
	chooses   bool // it separates choices: "|" or "?"
}

// tokensOf splits a statement. It leaves out what is crossed out, and the words of links, unless they
// begin with a status.
func tokensOf(s string) (tokens []token) {
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case strings.HasPrefix(s, "~~"):
			if end := strings.Index(s[2:], "~~"); end >= 0 {
				s = s[2+end:]
			}
			s = s[2:]
			continue
		case strings.HasPrefix(s, "[["):
			if name, after, found := strings.Cut(s[2:], "]]"); found && !strings.Contains(name, "](") {
				name, _, _ = strings.Cut(name, "|")
				tokens = addLink(tokens, name)
				s = after
				continue
			}
		case strings.HasPrefix(s, "!["), r == '[':
			if label, target, after, found := cutLink(s[strings.IndexByte(s, '[')+1:]); found {
				words := tokensOf(label)
				if k, _ := statusAt(append(words, token{})); k != NoStatus || r == '!' {
					tokens = append(tokens, words...)
				}
				if r == '[' {
					tokens = addLink(tokens, target)
				}
				s = after
				continue
			}
		case isWordRune(r):
			end := strings.IndexFunc(s, func(r rune) bool { return !isWordRune(r) })
			if end < 0 {
				end = len(s)
			}
			tokens = addWord(tokens, s[:end])
			s = s[end:]
			continue
		case strings.ContainsRune(",;:!?()|→–—", r):
			tokens = append(tokens, token{separates: true, chooses: r == '|' || r == '?'})
		}
		s = s[size:]
	}
	return tokens
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./#'’", r)
}

// addWord appends a word. A stop behind it, or a dash in its place, separates.
func addWord(tokens []token, s string) []token {
	text := strings.Trim(s, "_-.'’")
	lower := strings.ToLower(text)
	if before, found := strings.CutSuffix(strings.NewReplacer("_", " ", "-", " ").Replace(lower), " by"); found && statusWords[before] != NoStatus {
		return append(tokens, token{text: before, word: before}, token{text: "by", word: "by"})
	}
	if text != "" {
		tokens = append(tokens, token{text: text, word: lower})
	}
	if text == "" || strings.HasSuffix(s, ".") {
		tokens = append(tokens, token{separates: true})
	}
	return tokens
}

// addLink appends a link, unless it leads into the same file.
func addLink(tokens []token, target string) []token {
	target, _, _ = strings.Cut(strings.TrimSpace(target), "#")
	if decoded, err := url.PathUnescape(target); err == nil {
		target = decoded
	}
	if target == "" {
		return tokens
	}
	return append(tokens, token{link: target})
}

// cutLink splits the text and the target off a link, after its first bracket.
func cutLink(s string) (label, target, after string, found bool) {
	label, rest, found := strings.Cut(s, "](")
	if !found || strings.Contains(label, "[") && strings.Count(label, "[") > strings.Count(label, "]") {
		return "", "", "", false
	}
	if quoted, angle := strings.CutPrefix(rest, "<"); angle {
		target, rest, found = strings.Cut(quoted, ">")
		_, after, closed := strings.Cut(rest, ")")
		return label, target, after, found && closed
	}
	depth := 0
	for i, r := range rest {
		switch {
		case r == '(':
			depth++
		case r == ')' && depth == 0:
			target, _, _ = strings.Cut(strings.TrimSpace(rest[:i]), " ")
			return label, target, rest[i+1:], true
		case r == ')':
			depth--
		}
	}
	return "", "", "", false
}
