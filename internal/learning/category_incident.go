package learning

import "strings"

// storyCategory returns the category of a sentence that reports what happened, or "". The present
// tense describes how things are; what somebody did or suffered in the past was a mistake, unless
// the sentence ends with the repair.
func storyCategory(w []string) Category {
	if len(w) < 3 || conditions.has(w[0]) {
		return ""
	}
	pasts := 0
	suffered := w[0] == "i" || w[0] == "we" || w[0] == "my" || w[0] == "our" || isGerund(w[0])
	for i, word := range w[1:] {
		before := w[:i+1]
		switch {
		case word == "us" || word == "me" || word == "again" || word == "until":
			suffered = true
		case !isPast(word, before):
		case repairs.has(word):
			return Patterns
		default:
			pasts++
			suffered = suffered || harms.has(word)
		}
	}
	if pasts > 1 || pasts == 1 && suffered {
		return AntiPatterns
	}
	return ""
}

// repairs end a problem.
var repairs = wordSet{words: "fixed solved resolved cured helped saved prevented avoided became"}

// irregular are past forms without -ed.
var irregular = wordSet{words: "bit broke came cost did fell found gave got had hid kept led left lost made meant ran sent threw took went wrote became"}

func isGerund(word string) bool { return len(word) > 4 && strings.HasSuffix(word, "ing") }

// isPast reports whether a word is a verb in the past, given the words before it. After a form
// of "be" or "have", or an article, -ed makes a participle, which says how something is.
func isPast(word string, before []string) bool {
	if irregular.has(word) {
		return true
	}
	if len(word) < 5 || !strings.HasSuffix(word, "ed") {
		return false
	}
	for i := len(before) - 1; i >= 0; i-- {
		switch last := before[i]; {
		case last == "never" || last == "not" || last == "only" || last == "already" || strings.HasSuffix(last, "ly"):
			continue
		case participleAfter.has(last):
			return false
		}
		return true
	}
	return false
}

// participleAfter are words after which a word in -ed is a participle.
var participleAfter = wordSet{words: "a an the this that these those our my your their its every each no is are was were be been being has have had get gets got by as"}
