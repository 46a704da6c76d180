package trigger

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"whence/internal/decision"
	"whence/internal/words"
)

// metadata are labels of sentences that say nothing of the decision.
const metadata = "date source status category context question importance deciders updated author owner impact version tags related references evidence score confidence"

// Describe drafts a description for a heading, or more words for one that it has: the first sentence of its
// section, clipped to maxWords. While it has fewer than minWords, further sentences and the titles above
// follow, or the name of the file: it is never empty.
func Describe(f *decision.File, heading, minWords, maxWords int) string {
	markdown := string(f.Body(heading))
	if f.Document {
		markdown = f.Decided()
	}
	var texts, kept []string
	for _, sentence := range decision.Sentences(markdown) {
		isMetadata := slices.ContainsFunc(Words(sentence.Label), func(w string) bool { return isIn(metadata, w) })
		if !isMetadata && !strings.HasSuffix(sentence.Text, ":") && strings.ContainsFunc(sentence.Text, unicode.IsLetter) {
			texts = append(texts, sentence.Text)
		}
	}
	found := len(texts)
	for i := f.Headings[heading].Parent; i >= 0; i = f.Headings[i].Parent {
		if title := plain(f.Headings[i].Title); title != "" {
			texts = append(texts, title)
		}
	}
	if len(texts) == found {
		texts = append(texts, strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path)))
	}
	for _, text := range texts {
		clause := strings.Fields(unmarked.Replace(text))
		if len(clause) == 0 || len(kept) > 0 && words.Count(strings.Join(kept, " ")) >= min(minWords, maxWords) {
			continue
		}
		if len(kept) > 0 {
			kept[len(kept)-1] += ";"
		}
		count := words.Count(strings.Join(kept, " "))
		kept = append(kept, Clip(clause, minWords-count, max(maxWords-count, 1))...)
		kept[len(kept)-1] = strings.TrimRight(kept[len(kept)-1], ".,;:!")
	}
	return strings.Join(kept, " ")
}

// unmarked removes what has a meaning in Markdown or in the index.
var unmarked = strings.NewReplacer("`", "", "|", "/")

// Clip shortens the words of a description to between minWords and maxWords, without words at its end that
// cannot be the last.
func Clip(clause []string, minWords, maxWords int) []string {
	cut := words.CutToCount(clause, maxWords)
	if len(cut) == len(clause) || len(cut) == 0 {
		return cut
	}
	for clause = cut; len(clause) > max(minWords, 1) && words.IsStopWord(strings.ToLower(clause[len(clause)-1])); {
		clause = clause[:len(clause)-1]
	}
	clause[len(clause)-1] = strings.TrimRight(clause[len(clause)-1], ",;:")
	return clause
}
