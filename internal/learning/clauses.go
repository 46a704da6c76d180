package learning

import (
	"strings"

	"whence/internal/trigger"
)

// reason is a clause that gives the reason.
type reason struct {
	mark string // between the main clause and it, with spaces
	lead string // begins its sentence instead
}

// reasons are tried in this order. The first one in the text counts.
var reasons = []reason{
	{" because of ", "Because of "}, {" because ", ""}, {" so that ", "So that "}, {" otherwise ", "Otherwise "}, {" or else ", "Otherwise "},
	{" in order to ", "To "}, {" in order not to ", "In order not to "}, {" so as to ", "To "}, {" due to ", "Due to "}, {", since ", ""}, {", as ", ""}, {"; otherwise ", "Otherwise "},
	{", which ", "It "}, {", or it ", "Otherwise it "}, {", or the ", "Otherwise the "}, {", or they ", "Otherwise they "}, {" lest ", "Lest "},
	{" -- ", ""}, {" — ", ""}, {" – ", ""}, {" - ", ""},
}

// purposes are verbs of a to-clause that states a purpose.
var purposes = wordSet{words: `
	avoid prevent keep ensure guarantee reduce minimize minimise allow let stop save catch protect preserve guard make
	get give speed simplify detect enable limit improve maintain eliminate force help support satisfy match`}

// complements are words after which a to-clause does not state a purpose: "needs to keep".
var complements = wordSet{words: `
	need needs needed want wants have has had going able unable way try tries trying tried remember forget forgot how used
	likely ought fail fails failed supposed easy hard enough time chance is are be was due up`}

// splitReason splits a sentence into what it says and its reason, as a sentence without a
// full stop, or "".
func splitReason(sentence string) (main, why string) {
	if main, why := leadingReason(sentence); why != "" {
		return main, why
	}
	at, width, lead := -1, 0, ""
	take := func(i, w int, l string) {
		if i > 0 && (at < 0 || i < at) {
			at, width, lead = i, w, l
		}
	}
	low := lowerASCII(sentence)
	for _, r := range reasons {
		i := strings.Index(low, r.mark)
		if i > 0 && r.mark == ", which " && !isPresent(firstWord(low[i+len(r.mark):])) {
			continue
		}
		take(i, len(r.mark), r.lead)
	}
	take(purposeAt(low), len(" to "), "To ")
	if at < 0 {
		return sentence, ""
	}
	main = strings.TrimRight(sentence[:at], " ,;:—–-")
	for _, end := range []string{" it's", " it is", " that's", " this is", " that is"} {
		main = strings.TrimSuffix(main, end)
	}
	why = strings.TrimSpace(sentence[at+width:])
	if strings.Count(main, " ") < 1 || strings.Count(why, " ") < 1 {
		return sentence, ""
	}
	return main, lead + why
}

// isPresent reports whether a word is a verb that a statement may begin with.
func isPresent(word string) bool {
	word = strings.TrimRight(word, ",;.")
	return finite.has(word) || trigger.IsPresent(word) || harms.has(word) || helps.has(word)
}

// leadingReason splits "Because X, Y" and "Since X, Y".
func leadingReason(sentence string) (main, why string) {
	for _, mark := range []string{"because ", "since ", "as "} {
		if len(sentence) < len(mark) || !strings.EqualFold(sentence[:len(mark)], mark) {
			continue
		}
		before, after, found := strings.Cut(sentence[len(mark):], ", ")
		if found && strings.Count(before, " ") > 0 && strings.Count(after, " ") > 0 {
			return strings.TrimSpace(after), strings.TrimSpace(before)
		}
	}
	return sentence, ""
}

// purposeAt returns where a to-clause of purpose begins in a sentence in lower case, or -1.
func purposeAt(sentence string) int {
	for from := 0; ; {
		i := strings.Index(sentence[from:], " to ")
		if i < 0 {
			return -1
		}
		at := from + i
		from = at + 1
		before := sentence[strings.LastIndexByte(sentence[:at], ' ')+1 : at]
		if purposes.has(strings.TrimRight(firstWord(sentence[at+len(" to "):]), ",;:.!?")) && !complements.has(strings.Trim(before, ",;:.")) {
			return at
		}
	}
}

// lowerASCII lowers the case of ASCII letters only, so that offsets stay.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}
