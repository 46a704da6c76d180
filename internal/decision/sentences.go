package decision

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/lazyregexp"
)

// Sentence is a sentence of the prose of a section.
type Sentence struct {
	Label string // "Decision" of "**Decision:** Retry twice."; "" for none
	Text  string // in one line, without emphasis and the targets of links
}

var (
	paragraphLabel = lazyregexp.New(`^\*\*([^*:]+)(?::\*\*|\*\*:|\*\*$)\s*`)

	newLine    = lazyregexp.New(`(?i)<br\s*/?>`)
	noText     = lazyregexp.New(`\[\^[^\]]*\]|<!--.*?(-->|$)|</?[A-Za-z][^<>]*>|~~[^~]*~~|https?://\S+|\s\{[#.:][^{}]*\}\s*$`)
	inlineLink = lazyregexp.New(`!?\[([^\]^]*)\](?:\([^)]*\)|\[[^\]]*\])`)
	boldText   = lazyregexp.New(`\*\*([^*]+)\*\*`)
	emphasis   = lazyregexp.New(`(^|[\s(\[“"'])(?:\*|__?)([^\s*_](?:[^*_]*[^\s*_])?)(?:\*|__?)([.,:;!?]*(?:\s|$)|[)\]”"'])`)
)

// Sentences returns the sentences of the paragraphs and list items of Markdown text, in order.
// Headings, code blocks, comments and other HTML, and table rows are left out.
func Sentences(markdown string) []Sentence {
	var all []Sentence
	for _, paragraph := range paragraphs(markdown) {
		named := ""
		if at := paragraphLabel().FindStringSubmatchIndex(paragraph); at != nil {
			named, paragraph = strings.TrimSpace(paragraph[at[2]:at[3]]), paragraph[at[1]:]
		}
		for _, s := range split(Plain(paragraph)) {
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
			if paragraphLabel().MatchString(line) && len(lines) > 0 {
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

// Plain returns the words of a Markdown text in one line. Outside of code, it leaves out the targets of links and
// images, footnotes, HTML, addresses, what is crossed out, and emphasis.
func Plain(markdown string) string {
	if strings.ContainsAny(markdown, "[<~/{*_") { // the patterns take long for all titles of a memory
		parts := strings.Split(inlineLink().ReplaceAllString(markdown, "$1"), "`")
		for i := 0; i < len(parts); i += 2 { // the others are code
			part := noText().ReplaceAllString(newLine().ReplaceAllString(parts[i], " "), "")
			parts[i] = emphasis().ReplaceAllString(boldText().ReplaceAllString(part, "$1"), "$1$2$3")
		}
		markdown = strings.Join(parts, "`")
	}
	return strings.Join(strings.Fields(markdown), " ")
}

var (
	// sentenceEnd matches a stop with what closes the sentence, and the space after it.
	sentenceEnd = lazyregexp.New("[.!?][\"')”]*\\s+")

	// abbreviation matches text that ends with one that never ends a sentence.
	abbreviation = lazyregexp.New(`(?i)\b(?:e\.g|i\.e|cf|vs)\.\s+$`)
)

// split splits a paragraph at the ends of its sentences: a stop that no small letter follows.
func split(paragraph string) (sentences []string) {
	start := 0
	for _, at := range sentenceEnd().FindAllStringIndex(paragraph, -1) {
		next, _ := utf8.DecodeRuneInString(paragraph[at[1]:])
		if at[1] < len(paragraph) && !unicode.IsLower(next) && !abbreviation().MatchString(paragraph[start:at[1]]) {
			sentences = append(sentences, strings.TrimSpace(paragraph[start:at[1]]))
			start = at[1]
		}
	}
	if start < len(paragraph) {
		sentences = append(sentences, paragraph[start:])
	}
	return sentences
}
