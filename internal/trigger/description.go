package trigger

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"whence/internal/decision"
	"whence/internal/text"
)

// Labels of the sentences that say what was decided, and of those that say nothing of it.
var (
	deciding = set("decision statement rule constraint principle pattern convention policy summary")
	metadata = set("date source status category atomicity session importance deciders updated author owner impact version tags related reference references evidence see score validated confidence created approved reviewed supersedes superseded context question file files")
)

const (
	// minPhraseWords is the least that a part of a sentence needs to stand alone.
	minPhraseWords = 4

	// maxSentences is the number of sentences that a description is looked for in.
	maxSentences = 12
)

// Describe returns a description of a section, or more words for the one that it has: a sentence, a
// clause, or the beginning of a sentence that can stand alone, of at most maxWords, or of one. If that has
// fewer than minWords, another follows behind a semicolon; then the titles above. A section without
// such a phrase is described by its words that are not in the title, those that come often first.
func Describe(s Section, minWords, maxWords int) string {
	maxWords = max(maxWords, 1)
	sentences := decision.Sentences(s.Text)
	for i := range sentences {
		sentences[i].Text = strings.ReplaceAll(sentences[i].Text, "`", "")
	}
	var kept []string
	for _, phrase := range phrases(s, sentences, maxWords) {
		switch words := strings.Fields(phrase); {
		case len(kept) == 0:
			kept = words
		case len(kept) < minWords && len(kept)+len(words) <= maxWords:
			kept[len(kept)-1] += ";"
			kept = append(kept, words...)
		}
	}
	if len(kept) == 0 {
		kept = strings.Fields(shortest(s, sentences, maxWords))
	}
	for i, title := range s.Parents {
		above := strings.Fields(strings.TrimLeft(title, "."))
		file := i == len(s.Parents)-1
		if len(kept) < minWords && len(kept)+len(above) <= maxWords && (!file || len(kept) == 0) {
			kept = append(kept, above...)
		}
	}
	return strings.Join(kept, " ")
}

// shortest returns a description of sentences that offer no phrase: words of them, or the first
// sentence.
func shortest(s Section, sentences []decision.Sentence, maxWords int) string {
	if words := keywords(s.Title+" "+s.Description, sentences, min(maxKeywords, maxWords)); len(words) > 0 {
		return strings.Join(words, ", ")
	}
	for _, sentence := range sentences {
		words := strings.Fields(sentence.Text)
		if len(words) <= maxWords && startsWithLetter(sentence.Text) && balanced(sentence.Text) && (s.Description == "" || !known(s.Description, text.Terms(sentence.Text))) {
			return ended(words)
		}
	}
	return ""
}

// known reports whether a text has all of the terms.
func known(markdown string, terms []string) bool {
	has := text.Terms(markdown)
	return !slices.ContainsFunc(terms, func(t string) bool { return !slices.Contains(has, t) })
}

// maxKeywords is the number of words of a description without a phrase.
const maxKeywords = 5

// keywords returns the words of the prose that carry meaning and are not in the title, those that
// come often first.
func keywords(title string, sentences []decision.Sentence, most int) []string {
	known := map[string]bool{}
	for _, w := range Words(title) {
		known[w] = true
	}
	count := map[string]int{}
	var found []string
	for _, s := range sentences {
		for _, w := range Words(s.Text) {
			if known[w] || len(w) < 3 || loose()[w] || general()[w] || pointing()[w] || text.IsStopWord(w) || !strings.ContainsFunc(w, unicode.IsLetter) {
				continue
			}
			if count[w]++; count[w] == 1 {
				found = append(found, w)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	return found[:min(most, len(found))]
}

// phrases returns what sentences offer as a description, the best first: those with a label that says
// that they are the decision; then the earlier the better, where a sentence that must be cut, and
// one that shares no word with the title, come two places later.
func phrases(of Section, sentences []decision.Sentence, maxWords int) []string {
	type candidate struct {
		phrase string
		place  int
	}
	var all []candidate
	about := text.Terms(of.Title)
	for i, s := range sentences[:min(len(sentences), maxSentences)] {
		phrase, whole := describing(s.Text, maxWords)
		label := Words(s.Label)
		if phrase == "" || known(of.Description, text.Terms(phrase)) || slices.ContainsFunc(label, func(w string) bool { return metadata()[w] }) {
			continue
		}
		place := i
		if !whole {
			place += 2
		}
		if !slices.ContainsFunc(text.Terms(phrase), func(w string) bool { return slices.Contains(about, w) }) {
			place += 2
		}
		if slices.ContainsFunc(label, func(w string) bool { return deciding()[w] }) {
			place -= maxSentences
		}
		all = append(all, candidate{phrase, place})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.place, b.place) })
	var found []string
	for _, c := range all {
		found = append(found, c.phrase)
	}
	return found
}

// describing returns a sentence without its end, if it is short enough, or else its longest part
// that can stand alone; "" for none.
func describing(sentence string, maxWords int) (phrase string, whole bool) {
	sentence = mainClause(sentence)
	if strings.HasSuffix(sentence, ":") || strings.HasSuffix(sentence, "?") {
		return "", false
	}
	words := strings.Fields(sentence)
	if phrase = ended(words); len(words) <= maxWords {
		first, rest, _ := strings.Cut(phrase, " ")
		if standsAlone(phrase) || leading()[strings.ToLower(first)] && standsAlone(rest) {
			return phrase, true
		}
	}
	for _, ends := range []func(words []string, n int) bool{endsClause, endsBefore} {
		for n := min(maxWords, len(words)-1); n >= minPhraseWords; n-- {
			if kept := ended(words[:n]); ends(words, n) && standsAlone(kept) {
				return kept, false
			}
		}
	}
	return "", false
}

// minTerms is the number of words with a meaning that a description needs.
const minTerms = 2

// mainClause drops the condition that a sentence begins with: "If it fails, retry twice".
func mainClause(sentence string) string {
	first, _, _ := strings.Cut(strings.ToLower(sentence), " ")
	if !subordinators()[first] && !leading()[first] {
		return sentence
	}
	_, main, found := strings.Cut(sentence, ", ")
	if found && len(strings.Fields(main)) >= minPhraseWords && standsAlone(main) {
		return main
	}
	return sentence
}

// leading words begin what precedes the main clause.
var leading = set("for in on at with by to as before after during instead within under once given although though despite from since until")

// endsClause reports whether the first n words end where the author set a mark.
func endsClause(words []string, n int) bool {
	return strings.ContainsAny(words[n-1][len(words[n-1])-1:], ",;:)") || strings.HasPrefix(words[n], "(") || strings.Trim(words[n], "-–—") == ""
}

// endsBefore reports whether the word behind the first n begins another phrase.
func endsBefore(words []string, n int) bool {
	next := strings.ToLower(words[n])
	last := strings.ToLower(strings.Trim(words[n-1], "\"“”'"))
	return joining()[next] && !strings.HasSuffix(last, "ed") && !predicates()[last]
}

// joining words may follow a phrase that says something by itself.
var joining = set(`because so if when while where which unless until since for but with without by from before after via
	through between instead rather although and or`)

// standsAlone reports whether text reads as a phrase by itself: it has enough words, closes its
// marks, does not point to what is before it, and does not lead on.
func standsAlone(phrase string) bool {
	words := Words(phrase)
	if len(words) < 2 || !balanced(phrase) || len(text.Terms(phrase)) < minTerms || !startsWithLetter(phrase) {
		return false
	}
	first, last := words[0], words[len(words)-1]
	return !subordinators()[first] && !leading()[first] && !pointing()[first] && (!loose()[last] || pronounEnds()[last]) && !isFinite(words, len(words)-1)
}

// pointing words begin a sentence that needs the one before it, or only a part of one.
var (
	pointing    = set("it its they their this that these those such both either also then thus hence therefore however otherwise instead here there yes no of and or but nor than")
	pronounEnds = set("it them this that these those here there too")
)

// ended joins words to a phrase without the marks that end a sentence.
func ended(words []string) string {
	return strings.TrimRight(strings.Join(words, " "), " .,;:!–—-")
}

func startsWithLetter(phrase string) bool {
	phrase = strings.TrimLeft(phrase, "\"“('.-")
	return phrase != "" && strings.IndexFunc(phrase, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) == 0
}

var closing = map[rune]rune{'(': ')', '[': ']', '{': '}', '“': '”', '"': '"'}

// balanced reports whether every bracket and quote is closed.
func balanced(phrase string) bool {
	var open []rune
	for _, r := range phrase {
		switch last := len(open) - 1; {
		case last >= 0 && open[last] == r:
			open = open[:last]
		case closing[r] != 0:
			open = append(open, closing[r])
		case strings.ContainsRune(")]}”", r):
			return false
		}
	}
	return len(open) == 0
}
