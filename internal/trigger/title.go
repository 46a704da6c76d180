package trigger

import (
	"slices"
	"strings"
	"unicode"
)

var (
	numbering = pattern(`^\d+[.)]\s+`)
	comment   = pattern(`<!--.*?(-->|$)`)
	separator = pattern(`:\s+|\s+[-–—|]+\s+`)
)

// heading is a bold line at the beginning of a section, without "Skill-7: " before it.
var heading = pattern(`^\s*\*\*(?:[^*\n:]*\d: )?([^*\n]+?):?\*\*:?\s*\n`)

// hyphenated returns a title with its hyphens, if the section's first line has them: a title that was
// the name of a file has none, "Casesensitive matching".
func hyphenated(title, text string) string {
	letters := func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}
	first := heading().FindStringSubmatch(text)
	if first == nil || !strings.Contains(first[1], "-") {
		return title
	}
	again := withoutAsides(first[1])
	old, spelt := strings.Map(letters, withoutAsides(title)), strings.Map(letters, again)
	if strings.HasSuffix(old, spelt) && 2*len(spelt) > len(old) { // "PowerShell: " may be missing
		return again
	}
	return title
}

// withoutAsides drops the number before a title and what is in parentheses.
func withoutAsides(title string) string {
	title = comment().ReplaceAllString(title, "")
	title = numbering().ReplaceAllString(strings.TrimLeft(title, ". "), "")
	for {
		start := strings.Index(title, " (")
		if start <= 0 {
			return title
		}
		_, after, _ := strings.Cut(title[start:], ")")
		title = title[:start] + after
	}
}

// parts splits a title at its colon or dash, and drops what follows a comma.
func parts(title string) []string {
	if at := separator().FindStringIndex(title); at != nil && at[0] > 0 && at[1] < len(title) {
		return []string{title[:at[0]], firstClause(title[at[1]:])}
	}
	return []string{firstClause(title)}
}

// firstClause returns what precedes a comma or semicolon, if it has two words and the comma
// does not belong to a list: "logs, metrics and traces".
func firstClause(title string) string {
	if before, _, found := strings.Cut(title, "; "); found {
		title = before
	}
	i := strings.Index(title, ", ")
	if i < 0 || !strings.Contains(title[:i], " ") {
		return title
	}
	if rest := title[i+2:]; strings.Contains(rest, ",") || strings.Contains(rest, " and ") || strings.Contains(rest, " or ") {
		if first, _, _ := strings.Cut(rest, " "); !strings.Contains("and or so but not never", strings.ToLower(first)) {
			return title
		}
	}
	return title[:i]
}

// titleWords splits a title into words that a trigger may hold. Camel case is separated:
// SessionStart becomes session start. A number at the end is dropped.
func titleWords(title string) []string {
	words := slices.DeleteFunc(splitTitle(title), func(w string) bool { return len(w) == 1 && w != "a" && w != "i" && !unicode.IsDigit(rune(w[0])) })
	for len(words) > 2 && isNumber(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return words
}

func splitTitle(title string) []string {
	var words []string
	for w := range strings.FieldsSeq(title) {
		switch w {
		case "→":
			words = append(words, "to")
		case "+", "&":
			words = append(words, "and")
		case "@":
			words = append(words, "at-sign")
		default:
			for _, part := range splitCamel(w) {
				words = appendWords(words, part)
			}
		}
	}
	return words
}

// oneWord holds names with a capital inside.
var oneWord = set("GitHub GitLab JavaScript TypeScript PowerShell PostgreSQL GraphQL OpenAI YouTube DevOps MacOS NodeJS MySQL")

// splitCamel separates the humps of a word of letters. Names, code with other signs, and words
// with fewer than two lower-case letters in a hump are not split.
func splitCamel(word string) []string {
	if !strings.ContainsFunc(word[1:], unicode.IsUpper) || oneWord()[word] || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return []string{word}
	}
	var parts []string
	start, runes := 0, []rune(word)
	for i := 1; i < len(runes); i++ {
		if unicode.IsUpper(runes[i]) && unicode.IsLower(runes[i-1]) && i-start >= 3 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			parts = append(parts, string(runes[start:i]))
			start = i
		}
	}
	return append(parts, string(runes[start:]))
}

// Words splits text into lower-case words of the characters that a trigger may hold.
func Words(text string) []string { return appendWords(nil, text) }

func appendWords(words []string, text string) []string {
	cleaned := strings.Map(letter, strings.ToLower(text))
	for w := range strings.FieldsSeq(cleaned) {
		w = strings.TrimRight(strings.TrimLeft(w, "-'/"), "-'/.")
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words = append(words, w)
		}
	}
	return words
}

// letter maps a rune to what a trigger holds for it: the rune itself, a space, or nothing (-1).
func letter(r rune) rune {
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		return r
	case r == '’':
		return '\''
	}
	switch r {
	case '-', '\'', '/', '.', '_':
		return r
	case '`', '(', ')', '"', '*':
		return -1
	}
	return ' '
}
