package decision

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/text"
)

// Sentence is a sentence of the prose of a section.
type Sentence struct {
	Label string // "Decision" of "**Decision:** Retry twice."; "" for none
	Text  string // in one line, without emphasis and the targets of links
}

var (
	label = text.Lazy(`^\*\*([^*:]+)(?::\*\*|\*\*:|\*\*$)\s*`)

	image  = text.Lazy(`!\[[^\]]*\]\([^)]*\)`)
	link   = text.Lazy(`\[([^\]^]*)\](?:\([^)]*\)|\[[^\]]*\])`)
	noText = text.Lazy(`\[\^[^\]]*\]|<https?:[^>]*>|https?://\S+`)
	bold   = text.Lazy(`\*\*([^*]+)\*\*`)
	italic = text.Lazy(`(^|[\s(\[“"'])[*_]([^\s*_](?:[^*_]*[^\s*_])?)[*_]($|[\s)\].,:;!?”"'])`)
)

// Sentences returns the sentences of the paragraphs and list items of Markdown text, in order.
// Headings, code blocks, comments and other HTML, and table rows are left out.
func Sentences(markdown string) []Sentence {
	var all []Sentence
	for _, paragraph := range paragraphs(markdown) {
		named := ""
		if at := label().FindStringSubmatchIndex(paragraph); at != nil {
			named, paragraph = strings.TrimSpace(paragraph[at[2]:at[3]]), paragraph[at[1]:]
		}
		for _, s := range split(plain(paragraph)) {
			all = append(all, Sentence{named, s})
			named = ""
		}
	}
	return all
}

// paragraphs returns the text of each paragraph and list item, in one line. A line that begins with
// a label begins a paragraph.
func paragraphs(markdown string) []string {
	m := NewMarkdown([]byte(markdown))
	var all []string
	for _, b := range m.blocks {
		if b.Kind != Paragraph {
			continue
		}
		var lines []string
		for _, l := range b.Lines {
			line := strings.TrimSpace(markdown[l.Start:l.End])
			if strings.HasPrefix(line, "|") {
				continue
			}
			if label().MatchString(line) && len(lines) > 0 {
				all, lines = append(all, strings.Join(lines, " ")), nil
			}
			lines = append(lines, line)
		}
		if len(lines) > 0 {
			all = append(all, strings.Join(lines, " "))
		}
	}
	return all
}

// plain removes what Markdown adds to words, outside of code.
func plain(markdown string) string {
	var out strings.Builder
	for i, part := range strings.Split(markdown, "`") {
		if i > 0 {
			out.WriteByte('`')
		}
		if i%2 == 0 {
			part = image().ReplaceAllString(part, "")
			part = link().ReplaceAllString(part, "$1")
			part = noText().ReplaceAllString(part, "")
			part = bold().ReplaceAllString(part, "$1")
			part = italic().ReplaceAllString(part, "$1$2$3")
		}
		out.WriteString(part)
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// abbreviations end with a stop that ends no sentence.
var abbreviations = map[string]bool{"e.g.": true, "i.e.": true, "vs.": true, "etc.": true, "cf.": true, "approx.": true, "no.": true}

// split splits a paragraph at the ends of its sentences: a stop outside of code and brackets, with a
// capital, a digit, a mark or nothing behind it.
func split(paragraph string) (sentences []string) {
	words := strings.Fields(paragraph)
	start, depth, code := 0, 0, false
	for i, w := range words {
		for _, r := range w {
			switch {
			case r == '`':
				code = !code
			case code:
			case r == '(' || r == '[':
				depth++
			case (r == ')' || r == ']') && depth > 0:
				depth--
			}
		}
		if code || depth > 0 && i < len(words)-1 || !endsSentence(w) {
			continue
		}
		if i+1 < len(words) {
			if next, _ := utf8.DecodeRuneInString(words[i+1]); unicode.IsLower(next) || abbreviations[strings.ToLower(strings.TrimLeft(w, "("))] {
				continue
			}
		}
		sentences = append(sentences, strings.Join(words[start:i+1], " "))
		start = i + 1
	}
	if start < len(words) {
		sentences = append(sentences, strings.Join(words[start:], " "))
	}
	return sentences
}

func endsSentence(word string) bool {
	word = strings.TrimRight(word, "\"')”")
	return word != "" && strings.ContainsAny(word[len(word)-1:], ".!?")
}
