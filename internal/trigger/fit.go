package trigger

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// fit makes a phrase of at most maxTriggerWords: without loose words at its ends, cut before
// a word that begins another phrase. It returns how sure the cut is, or 1 for none.
func fit(words []string) (kept []string, confidence float64) {
	words = trim(slices.Compact(severals(words)))
	if len(words) <= maxTriggerWords {
		return words, 1
	}
	breaks := func(w string) bool { return subordinators()[w] || negations()[w] }
	end := slices.IndexFunc(words, breaks)
	if end < minTriggerWords || end > maxTriggerWords {
		end = maxTriggerWords
	}
	for i := end; i >= minTriggerWords; i-- {
		if (boundaries()[words[i]] || subordinators()[words[i]] || isFinite(words, i) || i > minTriggerWords && isGerund(words[i]) && isPlural(words[i-1])) && completes(words[:i], words[i]) && !slices.ContainsFunc(words[:i], breaks) {
			if i < 3 {
				return words[:i], clumsy
			}
			return words[:i], .75
		}
	}
	if !slices.ContainsFunc(words, func(w string) bool { return loose()[w] }) { // one noun: its last words are its head
		return words[len(words)-maxTriggerWords:], clumsy
	}
	return trim(words[:maxTriggerWords]), vague
}

// severals puts "adding a variant" in the plural, "adding variants": a trigger has no word of one letter.
// Other such words are dropped, with the preposition before them.
func severals(words []string) []string {
	var all []string
	words = slices.Clone(words)
	for i, w := range words {
		if r, size := utf8.DecodeRuneInString(w); size < len(w) || r >= utf8.RuneSelf {
			all = append(all, w)
			continue
		}
		last := len(all) - 1
		verb := last == 0
		if verb {
			verb, _ = isVerb(all[0])
		}
		switch {
		case w == "a" && last >= 0 && (verb || isGerund(all[last]) || beforeObjects()[all[last]]):
			end := i + 1
			for end < len(words) && !loose()[words[end]] && !questionWords()[words[end]] && words[end] != "even" {
				end++
			}
			if head := end - 1; head > i && !isPlural(words[head]) && !isGerund(words[head]) && !isFinite(words, head) && !isNumber(words[head]) {
				words[head] = presentTense(words[head]) // spelt as the plural is
			}
		case w == "a" && last >= 0 && isFinite(all, last) && !auxiliaries()[all[last]]:
			all = append(all, "the")
		case w != "a" && last > 0 && boundaries()[all[last]]:
			all = all[:last]
		}
	}
	return all
}

// beforeObjects are words after which "a thing" means any of its kind.
var beforeObjects = set("of from to for in with before after without over by")

// completes reports whether a phrase may end with its last word, before the next one.
func completes(words []string, next string) bool {
	last := len(words) - 1
	verb, _ := isVerb(words[last])
	participle := strings.HasSuffix(words[last], "ed")
	passive := slices.ContainsFunc(words[max(0, last-2):last], func(w string) bool { return auxiliaries()[w] })
	return !loose()[words[last]] && (!isFinite(words, last) || subordinators()[next]) &&
		participle == passive && !(verb && last > 0 && words[last-1] == "to") && !(last > 1 && isGerund(words[last]) && (boundaries()[words[last-1]] || isPlural(words[last-1])))
}

// trim drops loose words from the end, and words from the beginning that only lead on.
func trim(words []string) []string {
	for len(words) > 0 && openers()[words[0]] {
		words = words[1:]
	}
	for len(words) > 0 && loose()[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	return words
}
