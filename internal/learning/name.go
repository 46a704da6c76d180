package learning

import (
	"strings"
	"unicode/utf8"

	"whence/internal/text"
)

// MaxNameChars is the maximal number of characters of a name.
const MaxNameChars = 60

// A name is cut at a joint only if this much remains.
const (
	minNameChars = 20
	minNameWords = 3
)

// Shorten cuts a title of more than 60 characters after the first 57 and appends "...".
func Shorten(title string) string {
	if utf8.RuneCountInString(title) <= MaxNameChars {
		return title
	}
	return string([]rune(title)[:MaxNameChars-3]) + "..."
}

// InferName makes a title of at most 60 characters: the first sentence of a text without its
// lead-in and its reason, and if that is too long, up to its last joint. What forbids stays
// forbidding. A text without words is shortened.
func InferName(s string) string {
	sentence, _ := firstSentence(prose(s))
	name := withoutLeadIn(sentence)
	if main, why := splitReason(name); why != "" && hasWords(main, 2) {
		name = main
	}
	name = strings.Join(strings.Fields(name), " ")
	if before, after, found := strings.Cut(name, ": "); found && utf8.RuneCountInString(name) > MaxNameChars && hasWords(before, 2) && hasWords(after, 1) {
		name = before
	}
	name = strings.Trim(name, " ,;:-—–")
	name = fitName(name)
	if !strings.Contains(s, "`"+firstWord(name)) { // a command keeps its case
		name = capitalized(name)
	}
	name = strings.TrimRight(name, " ,;:")
	if strings.HasSuffix(name, ".") && !strings.HasSuffix(name, "...") && !isAbbreviation(name) {
		name = strings.TrimRight(name, ".")
	}
	if name == "" {
		return Shorten(strings.Join(strings.Fields(text.Clean(s)), " "))
	}
	return name
}

// leadIns announce that something comes. They are dropped as long as one fits.
var leadIns = []string{
	"please note that ", "note that ", "note: ", "note to self: ", "remember that ", "remember: ", "reminder: ",
	"lesson learned: ", "lessons learned: ", "lesson: ", "learned: ", "learning: ", "i learned that ", "we learned that ",
	"learned that ", "learned the hard way that ", "today i learned that ", "til that ", "til: ", "til ", "it turns out that ", "it turns out ", "turns out that ",
	"turns out ", "please ", "rule: ", "rule of thumb: ", "tip: ", "fyi: ", "fyi, ", "fyi ", "important: ", "warning: ",
	"gotcha: ", "insight: ", "i found that ", "we found that ", "found that ", "i discovered that ", "discovered that ", "found out that ",
	"keep in mind that ", "be aware that ", "it is important to ", "it's important to ", "in general, ", "generally, ", "as a rule, ",
	"no, ", "yes, ", "actually, ", "also, ", "from now on, ", "from now on ", "going forward, ", "so, ", "ok, ", "okay, ", "well, ",
	"the user corrected me: ", "user correction: ", "correction: ", "the user said: ", "do it this way: ", "preference: ", "convention: ", "workaround: ",
	"in this repo, ", "in this project, ", "in this codebase, ", "the user said that ", "the user wants us to ", "the user wants you to ", "i want you to ",
}

// orders make an order polite or emphatic. Each is replaced by its plain form.
var orders = [][2]string{
	{"remember to ", ""}, {"make sure to ", ""}, {"be sure to ", ""}, {"always ", ""},
	{"you should ", ""}, {"we should ", ""}, {"you must ", ""}, {"we must ", ""}, {"you need to ", ""}, {"we need to ", ""},
	{"i prefer ", "prefer "}, {"we prefer ", "prefer "}, {"i always ", ""}, {"we always ", ""}, {"we never ", "never "}, {"i never ", "never "},
	{"we use ", "use "}, {"i use ", "use "}, {"we do not ", "do not "}, {"we don't ", "don't "}, {"not ", "do not "},
	{"best practice is to ", ""}, {"best practice here is to ", ""}, {"the best way is to ", ""}, {"it is best to ", ""}, {"it's best to ", ""},
	{"it is better to ", ""}, {"it's better to ", ""}, {"try to ", ""}, {"must not ", "do not "}, {"should not ", "do not "}, {"shall not ", "do not "}, {"must ", ""},
}

// withoutLeadIn drops lead-ins and emphasis as long as words remain.
func withoutLeadIn(sentence string) string {
	sentence = withoutAny(sentence, leadIns)
	for again := true; again; {
		again = false
		for _, order := range orders {
			if rest, found := cutPrefixFold(sentence, order[0]); found && hasWords(rest, 2) {
				sentence, again = order[1]+rest, order[1] == ""
				break
			}
		}
	}
	return sentence
}

// withoutAny drops prefixes as long as one fits.
func withoutAny(text string, prefixes []string) string {
	for {
		rest := withoutPrefix(text, prefixes)
		if rest == text {
			return text
		}
		text = rest
	}
}

// withoutPrefix drops the first of the prefixes that fits and leaves words.
func withoutPrefix(text string, prefixes []string) string {
	for _, prefix := range prefixes {
		if rest, found := cutPrefixFold(text, prefix); found && hasWords(rest, 2) {
			return rest
		}
	}
	return text
}

// cutPrefixFold is strings.CutPrefix for a prefix of ASCII, in any case.
func cutPrefixFold(text, prefix string) (rest string, found bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return strings.TrimSpace(text[len(prefix):]), true
}

// joints are words before which a name may end, and after which it must not.
var joints = wordSet{words: `
	when while if unless until before after because since so that which who where whether for in on at with without from via
	during by into onto over under through across instead rather than and or but as to of against between within
	including using except only even also then is are be was were has have had can could may might must should will would do does not
	the a an its their your our this these those any all each every no whose`}

// breaks are the joints before which a name ends best: a clause begins there.
var breaks = wordSet{words: `
	when while if unless until before after because since so which where whether instead rather and but except even then
	including using during without via`}

// prepositions are those before which a name ends second best.
var prepositions = wordSet{words: `for in on at with from by into onto over under through across against between within as to`}

// fitName shortens a name that is too long: before a clause, at a comma, before a
// preposition, or else after a word, with "...".
func fitName(name string) string {
	if utf8.RuneCountInString(name) <= MaxNameChars {
		return name
	}
	if rest, found := behindCondition(name); found {
		name = rest
		if utf8.RuneCountInString(name) <= MaxNameChars {
			return name
		}
	}
	words := strings.Fields(name)
	for _, set := range []*wordSet{&breaks, &prepositions} {
		best := ""
		for i := minNameWords; i < len(words); i++ {
			head, last := strings.Join(words[:i], " "), words[i-1]
			length := utf8.RuneCountInString(head)
			if length > MaxNameChars {
				break
			}
			joined := set.has(strings.ToLower(words[i])) || strings.HasSuffix(last, ",") || strings.HasSuffix(last, ";")
			if joined && length >= minNameChars && !joints.has(strings.ToLower(strings.Trim(last, ",;"))) && balanced(head) {
				best = head
			}
		}
		if best != "" {
			return strings.TrimRight(best, " ,;:—–-")
		}
	}
	end := min(len(words), MaxNameChars)
	for end > 0 && utf8.RuneCountInString(strings.Join(words[:end], " ")) > MaxNameChars-len("...") {
		end--
	}
	for end > minNameWords && joints.has(strings.ToLower(words[end-1])) {
		end--
	}
	short := strings.TrimRight(strings.Join(words[:end], " "), " ,;:—–-.(")
	if utf8.RuneCountInString(short) < minNameChars {
		return Shorten(name)
	}
	return short + "..."
}

// conditions begin a clause before the one that counts.
var conditions = wordSet{words: "when while if before after during for in on with to unless once whenever as since because under at given"}

// behindCondition returns what follows "When X, ", if that is enough for a name.
func behindCondition(name string) (rest string, found bool) {
	if !conditions.has(strings.ToLower(firstWord(name))) {
		return name, false
	}
	_, rest, found = strings.Cut(name, ", ")
	if !found || !hasWords(rest, minNameWords) || utf8.RuneCountInString(rest) < minNameChars {
		return name, false
	}
	return withoutLeadIn(rest), true
}

// balanced reports whether a text leaves no bracket or quotation open.
func balanced(text string) bool {
	return strings.Count(text, "(") == strings.Count(text, ")") && strings.Count(text, `"`)%2 == 0 && strings.Count(text, "[") == strings.Count(text, "]")
}
