package learning

import (
	"slices"
	"strings"
)

// storyCategory judges a sentence that tells what happened. How things are stands in the present;
// who tells the past of what they did, or of what befell them, tells of a mistake, unless it ends
// with its repair.
func storyCategory(w []string) Category {
	if len(w) < 3 || conditions.has(w[0]) {
		return ""
	}
	pasts := 0
	told := slices.Contains(tellers, w[0]) || isGerund(w[0])
	for i, word := range w[1:] {
		before := w[:i+1]
		switch {
		case word == "us" || word == "me" || word == "again" || word == "until":
			told = true
		case !isPast(word, before):
		case repairs.has(word):
			return Patterns
		default:
			pasts++
			told = told || harms.has(word)
		}
	}
	if pasts > 1 || pasts == 1 && told {
		return AntiPatterns
	}
	return ""
}

// tellers begin a sentence that tells what somebody did.
var tellers = []string{"i", "we", "my", "our"}

// repairs are what makes an end of a problem.
var repairs = wordSet{words: "fixed solved resolved cured helped saved prevented avoided became"}

// irregular are pasts that do not end with -ed.
var irregular = wordSet{words: "bit broke came cost did fell found gave got had hid kept led left lost made meant ran sent threw took went wrote became"}

func isGerund(word string) bool { return len(word) > 4 && strings.HasSuffix(word, "ing") }

// isPast reports whether a word is a verb in the past behind others. Behind a form of "be" or
// "have", or an article, -ed makes a participle, which tells how something is.
func isPast(word string, before []string) bool {
	if irregular.has(word) {
		return true
	}
	if len(word) < 5 || !strings.HasSuffix(word, "ed") || strings.HasSuffix(word, "eed") {
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

// participleAfter are words behind which -ed makes no past.
var participleAfter = wordSet{words: "a an the this that these those our my your their its every each no is are was were be been being has have had get gets got by as"}
