package trigger

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"whence/internal/decision"
)

// Section holds the text from which an entry is drafted.
type Section struct {
	Title   string   // of the heading
	Text    string   // Markdown under the heading
	Parents []string // titles of the headings above, the nearest first
}

// SectionOf returns the section of a heading, by its index in the file. Of a document it is what was
// decided, then why, and the title without the number of the record.
func SectionOf(f *decision.File, heading int) Section {
	h := f.Headings[heading]
	if f.Document {
		title := recordNumber().ReplaceAllString(h.Title, "")
		if !strings.Contains(title, " ") { // the name of the file
			title = strings.NewReplacer("-", " ", "_", " ").Replace(title)
		}
		return Section{Title: title, Text: f.Decided()}
	}
	s := Section{Title: h.Title, Text: string(f.Body(heading))}
	for i := h.Parent; i >= 0; i = f.Headings[i].Parent {
		s.Parents = append(s.Parents, f.Headings[i].Title)
	}
	if len(s.Parents) == 0 {
		s.Parents = []string{strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))}
	}
	return s
}

// recordNumber matches the number before a title: "7. ", "ADR-0007: ", "[ADR 7] ".
var recordNumber = pattern(`(?i)^\[?(adr[-_ #]*)?\d+\]?(\s*[.:)–—-]\s*|\s+)`)

// Labels of the sentences that say what was decided, and of those that say nothing of it.
var (
	deciding = set("decision statement rule constraint principle pattern convention policy summary")
	metadata = set("date source status category context question session importance deciders updated author owner impact version tags related reference references evidence see score confidence created approved reviewed supersedes superseded file files")
)

// Describe drafts a description of a section, or more words for one that it has: its first sentence, or
// the one with a label that says it is the decision, clipped to maxWords. While it has fewer than
// minWords, further sentences and the titles above follow.
func Describe(s Section, minWords, maxWords int) string {
	maxWords = max(maxWords, 1)
	sentences := slices.DeleteFunc(decision.Sentences(s.Text), func(sentence decision.Sentence) bool {
		return has(metadata(), sentence.Label) || strings.HasSuffix(sentence.Text, ":") || !strings.ContainsFunc(sentence.Text, unicode.IsLetter)
	})
	isDecision := func(sentence decision.Sentence) bool { return has(deciding(), sentence.Label) }
	if i := slices.IndexFunc(sentences, isDecision); i > 0 {
		sentences = sentences[i:]
	}
	var kept []string
	for _, sentence := range sentences {
		if len(kept) > 0 && len(kept) >= min(minWords, maxWords) {
			break
		}
		if len(kept) > 0 {
			kept[len(kept)-1] += ";"
		}
		words := Clip(strings.Fields(unmarked.Replace(sentence.Text)), maxWords-len(kept), minWords-len(kept))
		words[len(words)-1] = strings.TrimRight(words[len(words)-1], ".,;:!")
		kept = append(kept, words...)
	}
	for _, title := range s.Parents {
		above := strings.Fields(strings.TrimLeft(title, "."))
		if len(kept) < minWords && len(kept)+len(above) <= maxWords {
			kept = append(kept, above...)
		}
	}
	return strings.Join(kept, " ")
}

// unmarked removes what has a meaning in Markdown or in the index.
var unmarked = strings.NewReplacer("`", "", "|", "/")

// has reports whether one of the words of a label is in a set.
func has(set map[string]bool, label string) bool {
	return slices.ContainsFunc(Words(label), func(w string) bool { return set[w] })
}
