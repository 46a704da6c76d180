package trigger

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"whence/internal/decision"
	"whence/internal/lazyregexp"
	"whence/internal/words"
)

const (
	// metadata are labels of sentences that say nothing about the decision.
	metadata = "date source status category context question importance deciders updated author owner impact version tags related references evidence score confidence"

	// phraseStarts are words before which a phrase can end.
	phraseStarts = `about above across after against although as at because before behind below beside between beyond but by during for from if in inside into of on onto
		outside over per since so than that though through to toward towards under unless until using via when whenever where whereas which while who
		whose with within without`

	// notLast are words, besides stop words, that a phrase cannot end with.
	notLast = `instead rather such based due according depends depending order part going decided able need needs want wants cannot will would could may
		might must shall not no never only all each every any both either neither other another same own anymore longer more most less fewer its their our your`

	minPhraseWords  = 3 // of a sentence that says anything
	maxClippedWords = 4 // dropped to end with a whole phrase
)

var (
	// label matches the label of a sentence in a list or in a record.
	label = lazyregexp.New(`^(?:\(?[a-z]\)|[Cc]hosen option:)\s+`)

	// openEnd matches the end of a sentence that leads to a list.
	openEnd = lazyregexp.New(`,?\s+because(?:\s+\(?\w\))?$`)
)

// Describe drafts a description for a heading, or words to add to an existing one: the first sentence of its section,
// clipped to maxWords. While there are fewer than minWords, further sentences follow, then the titles above, or the
// name of the file if there are none: the result is never empty.
func Describe(f *decision.File, heading, minWords, maxWords int) string {
	markdown := string(f.Body(heading))
	if f.Document {
		markdown = f.Decided()
	}
	var sentences, short, titles, kept []string
	for _, sentence := range decision.Sentences(markdown) {
		isMetadata := slices.ContainsFunc(Words(sentence.Label), func(w string) bool { return isIn(metadata, w) })
		text := openEnd().ReplaceAllString(withoutStars(sentence.Text), "")
		if bare := label().ReplaceAllString(text, ""); words.Count(bare) >= minPhraseWords {
			text = bare
		}
		switch {
		case slices.Contains(sentences, text) || isMetadata || strings.HasSuffix(text, ":") || !strings.ContainsFunc(text, unicode.IsLetter):
		case words.Count(text) < minPhraseWords:
			short = append(short, text)
		default:
			sentences = append(sentences, text)
		}
	}
	for i := f.Headings[heading].Parent; i >= 0; i = f.Headings[i].Parent {
		if title := plain(f.Headings[i].Title); title != "" {
			titles = append(titles, title)
		}
	}
	if len(titles) == 0 {
		titles = []string{strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))}
	}
	for n, text := range slices.Concat(sentences, short, titles) {
		count := words.Count(strings.Join(kept, " "))
		if len(kept) > 0 && count >= min(max(minWords, minPhraseWords), maxWords) {
			break
		}
		clause := strings.Fields(strings.ReplaceAll(text, "|", "/"))
		cut := Clip(clause, max(minWords-count, minPhraseWords), max(maxWords-count, 1))
		isCut := len(cut) < len(clause) && isOpen(cut)
		if len(cut) == 0 || n < len(sentences) && (isCut || !saysSomething(cut)) {
			continue
		}
		more := strings.Fields(strings.TrimRight(strings.ReplaceAll(strings.Join(cut, " "), "`", ""), " .,;:!。、，"))
		if len(kept) > 0 && len(more) > 0 {
			kept[len(kept)-1] += ";"
		}
		kept = append(kept, more...)
	}
	return strings.Join(kept, " ")
}

// saysSomething reports whether the kept part of a sentence has enough words, at least two of them with a meaning.
func saysSomething(cut []string) bool {
	content := slices.DeleteFunc(slices.Clone(cut), func(w string) bool {
		w = strings.ToLower(strings.TrimRight(w, ",;:"))
		return w == "we" || words.IsStopWord(w) || isIn(notLast, w) || isIn(phraseStarts, w)
	})
	return words.Count(strings.Join(cut, " ")) >= minPhraseWords && words.Count(strings.Join(content, " ")) >= 2
}

// stars matches code, and the marks of emphasis outside of it.
var stars = lazyregexp.New("`[^`]*`|\\*+")

// withoutStars removes the marks of strong emphasis, and of an emphasis that continues in the next sentence.
func withoutStars(text string) string {
	outside := strings.Count(codeSpan().ReplaceAllString(text, ""), "*")
	return stars().ReplaceAllStringFunc(text, func(match string) string {
		if match == "*" && outside%2 == 0 || match[0] == '`' {
			return match
		}
		return ""
	})
}

// Clip shortens a description to at most maxWords words, if possible at a good place with at least minWords: at the end
// of a clause if a third is left, or of a phrase if that drops only few words more, else after any word that can be the
// last.
func Clip(clause []string, minWords, maxWords int) []string {
	cut := words.CutToCount(clause, maxWords)
	if len(cut) == 0 || len(cut) == len(clause) && cut[len(cut)-1] == clause[len(cut)-1] {
		return cut
	}
	language := words.LanguageOf(strings.Join(clause, " "))
	longest, phrase, best := 0, 0, 0
	for n := len(cut); n >= max(minWords, 1) && best == 0 && (longest == 0 || n >= len(cut)/3); n-- {
		if isUnfinished(cut[n-1], language) || isOpen(cut[:n]) {
			continue
		}
		longest = max(longest, n)
		next := strings.ToLower(clause[min(n, len(clause)-1)])
		if isIn(phraseStarts, next) && n >= len(cut)-maxClippedWords || next == "and" && n == len(cut)-2 && kindOf(strings.ToLower(cut[n+1])) != other {
			phrase = max(phrase, n)
		}
		isHalf := n >= len(cut)/2 && (isIn(phraseStarts, next) || isIn("and or", next))
		if mark := cut[n-1][len(cut[n-1])-1]; mark == ';' || mark == ':' || mark == ',' && (isHalf || isIn(reasons, next)) {
			best = n
		}
	}
	if best = cmp.Or(best, phrase, longest); best > 0 {
		cut = slices.Clone(cut[:best])
	}
	last := cut[len(cut)-1]
	if at := strings.LastIndexAny(last, "、，；"); at > len(last)/2 { // of a script without spaces
		last = last[:at]
	}
	if last = strings.TrimRight(last, ",;:|"); last == "" {
		return cut[:len(cut)-1]
	}
	cut[len(cut)-1] = last
	return cut
}

// isUnfinished reports whether a text cannot end with a word.
func isUnfinished(word string, language words.Language) bool {
	word = strings.ToLower(strings.TrimRight(word, ",;:"))
	if strings.ContainsFunc(word, words.IsUnspaced) {
		return false // it is more than a word
	}
	return !strings.ContainsFunc(word, words.IsWordRune) || language.IsSmall([]byte(word)) || words.IsStopWord(word) || isIn(notLast, word) || isIn(phraseStarts, word)
}

var (
	codeSpan = lazyregexp.New("`[^`]*`")
	quoteEnd = lazyregexp.New(`'[,.;:)]*(?:\s|$)`)
)

// isOpen reports whether a code span, bracket, quotation or emphasis is not closed.
func isOpen(cut []string) bool {
	text := strings.ToLower(codeSpan().ReplaceAllString(strings.Join(cut, " "), ""))
	for _, mark := range []string{"`", `"`, "**"} {
		if strings.Count(text, mark)%2 == 1 {
			return true
		}
	}
	text = " " + quoteEnd().ReplaceAllString(text, "’ ") + " "
	for _, pair := range [][2]string{{" '", "’ "}, {"(", ")"}, {"[", "]"}, {"{", "}"}, {"“", "”"}, {"「", "」"}, {"both ", " and "}, {"between ", " and "}, {"either ", " or "}} {
		if strings.Count(text, pair[0]) > strings.Count(text, pair[1]) {
			return true
		}
	}
	return false
}
