package learning

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"whence/internal/text"
)

// A learning has at most maxKeywords keywords, and at least minKeywords if its text has as
// many meaningful words.
const (
	minKeywords     = 3
	maxKeywords     = 10
	maxKeywordBytes = 32 // of one that is taken from a text
)

// vague are words of software that are too common to identify a learning.
var vague = wordSet{words: `
	code development software system application implementation feature project function method file data error bug fix
	update change`}

// functionWords are English words without meaning of their own, besides those of text.IsStopWord.
var functionWords = wordSet{words: `
	about above across actually again against all almost along already also although always am among another any anyone anything
	around away back because been before behind being below best better between both but came can cannot can't come could did didn't
	do does doesn't doing don't done down due during each either else enough etc even ever every everything few first followed
	further gave get gets getting give given gives go goes going got had hadn't has hasn't have haven't having he hence her here hers
	him his however i i'd i'll i'm i've if instead into isn't it's itself just keep kept last least left less let let's like likely
	made mainly make makes making many may maybe me might mine more most much must my myself near need needed needs neither never
	next no nobody none nor not nothing now off often ok okay once one only onto other others otherwise our ours out over own
	per perhaps please prefer put quite rather really right said same say says see seem seems seen shall she should shouldn't since
	so some someone something sometimes soon still such sure take takes taken than thank that's them themselves there there's therefore these they
	thing things those though through thus till together too toward towards two under unless until up upon us use used uses using usually
	very via want wants wasn't way we we'd we'll we're we've well went weren't what what's whatever where whether which while
	who whole whom whose why will within without won't would wouldn't yes yet you you'd you'll you're you've your yours avoid ensure
	dont doesnt cant isnt wont thats eg ie vs new old good bad`}

// ValidKeyword reports whether a word can be a keyword: small letters of ASCII, digits
// and hyphens, no hyphen in front, and not a word that fits everything.
func ValidKeyword(word string) bool {
	if word == "" || word[0] == '-' || vague.has(word) {
		return false
	}
	for i := range len(word) {
		if b := word[i]; (b < 'a' || b > 'z') && (b < '0' || b > '9') && b != '-' {
			return false
		}
	}
	return true
}

// keyword is a candidate.
type keyword struct {
	word   string
	at     int // its place in the text
	weight float64
}

// Keywords returns the words to find a learning by, at most ten, in the order of the text. Words
// with signs or digits weigh most, those of the name twice, those of the reasoning half. Forms of
// one word are one keyword. Function words are none, however few remain.
func Keywords(name, description, reasoning string) []string {
	known := map[string]int{}
	var all []keyword
	add := func(from string, weight float64) {
		for word := range strings.FieldsSeq(from) {
			if strings.Contains(word, "://") { // a reference
				continue
			}
			word = lastPart(word)
			specific := 0.0
			if isIdentifier(strings.Trim(word, "`'\"()")) || strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ.,;:") == "" && len(word) > 1 {
				specific = 1
			}
			word = keywordOf(word)
			if plain := strings.ReplaceAll(word, "-", "'"); !ValidKeyword(word) || vague.has(strings.TrimSuffix(word, "s")) || len(word) > maxKeywordBytes || text.IsStopWord(word) || functionWords.has(word) || functionWords.has(plain) {
				continue
			}
			stem := word
			if len(word) > 2 && !strings.ContainsAny(word, "-0123456789") {
				stem = text.Stem(word)
			}
			if i, found := known[stem]; found {
				all[i].weight += weight / 2
				continue
			}
			if len(word) == 1 || strings.Trim(word, "0123456789-") == "" {
				specific -= 4
			}
			known[stem] = len(all)
			all = append(all, keyword{word, len(all), weight + specific})
		}
	}
	add(name, 2)
	add(description, 1)
	add(reasoning, 0.5)
	best := slices.Clone(all)
	slices.SortStableFunc(best, func(a, b keyword) int { return cmp.Compare(b.weight, a.weight) })
	best = best[:min(len(best), maxKeywords)]
	for len(best) > minKeywords && best[len(best)-1].weight < 0 {
		best = best[:len(best)-1]
	}
	slices.SortFunc(best, func(a, b keyword) int { return cmp.Compare(a.at, b.at) })
	words := make([]string, len(best))
	for i, k := range best {
		words[i] = k.word
	}
	return words
}

// lastPart returns the file name of a path, and any other word as it is.
func lastPart(word string) string {
	trimmed := strings.TrimRight(word, "/\\`'\")]},;:.*")
	if i := strings.LastIndexAny(trimmed, "/\\"); i >= 0 && i+1 < len(trimmed) {
		return trimmed[i+1:]
	}
	return word
}

// keywordOf returns a word as a keyword: letters without accents, hyphens for signs.
func keywordOf(word string) string {
	word = strings.TrimSuffix(strings.TrimSuffix(strings.ReplaceAll(word, "’", "'"), "'s"), "'")
	var b strings.Builder
	for _, r := range text.Decomposed(strings.ToLower(word)) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case r < 0x80 && b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		case r >= 0x80: // a letter that no keyword can have
			return ""
		}
	}
	return strings.Trim(b.String(), "-")
}

// isIdentifier reports whether a word is an identifier, a number, a path or an option rather
// than English: it has a digit, a sign inside, or a capital after a lower-case letter. Words
// joined by hyphens are English.
func isIdentifier(word string) bool {
	word = strings.TrimRight(word, ",;:.!?)")
	word = strings.TrimLeft(word, "(")
	if strings.HasPrefix(word, "-") && len(word) > 1 {
		return true
	}
	before := rune(0)
	for _, r := range word {
		switch {
		case unicode.IsDigit(r), strings.ContainsRune("_./:=@#$%&*+<>\\|~^[]{}()", r):
			return true
		case unicode.IsUpper(r) && unicode.IsLower(before):
			return true
		}
		before = r
	}
	return false
}

// wordSet is the set of the words of a text, built on first use: most programs need none.
type wordSet struct {
	words string
	once  sync.Once
	set   map[string]bool
}

func (s *wordSet) has(word string) bool {
	s.once.Do(func() {
		s.set = make(map[string]bool, strings.Count(s.words, " "))
		for w := range strings.FieldsSeq(s.words) {
			s.set[w] = true
		}
	})
	return s.set[word]
}
