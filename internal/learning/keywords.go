package learning

import (
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"whence/internal/redact"
	"whence/internal/words"
)

// Limits of the keywords of a text.
const (
	maxKeywords     = 10
	maxKeywordBytes = 32
)

// vague are words of software that are too common to identify a learning.
const vague = "code development software system application implementation feature project function method file data error bug fix update change"

// functionWords returns English words that carry no meaning, in addition to those of words.IsStopWord.
// A search counts many of them, because "before" and "not" distinguish texts; a keyword has to name a
// subject. They are spelled without apostrophes, like keywords.
var functionWords = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(englishFunctionWords) {
		set[word] = true
	}
	return set
})

const englishFunctionWords = `
	about above across actually again against all almost along already also although always am among another any anyone
	anything around away back because been before behind being below best better between both but came can cannot cant come
	could did didnt do does doesnt doing dont done down due during each either else enough etc even ever every everything few
	first followed further gave get gets getting give given gives go goes going got had hadnt has hasnt have havent having he
	hence her here hers him his however i im ive if instead into isnt its itself just keep kept last least left less let lets
	like likely made mainly make makes making many may maybe me might mine more most much must my myself near need needed needs
	neither never next no nobody none nor not nothing now off often ok okay once one only onto other others otherwise our ours
	out over own per perhaps please prefer put quite rather really right said same say says see seem seems seen shall she
	should shouldnt since so some someone something sometimes soon still such sure take takes taken than thank thats them
	themselves there theres therefore these they thing things those though through thus till together too toward towards two
	under unless until up upon us use used uses using usually very via want wants wasnt way we well were weve went werent what
	whats whatever where whether which while who whole whom whose why will within without wont would wouldnt yes yet you youd
	youll youre youve your yours avoid ensure eg ie vs new old good bad`

// ValidKeyword reports whether a word can be a keyword: lowercase ASCII letters, digits and
// hyphens, no leading hyphen, and not a vague word.
func ValidKeyword(word string) bool {
	isPlain := strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	return isPlain && word != "" && word[0] != '-' && !slices.Contains(strings.Fields(vague), word)
}

// Keywords returns the words by which to find a learning: the first ten that carry meaning. Several forms
// of a word make one keyword.
func Keywords(name, description, reasoning string) (keywords []string) {
	if reasoning == NoReason {
		reasoning = ""
	}
	texts := redact.ReplaceMarks(name+" "+description+" "+reasoning, " ")
	known := map[string]bool{}
	for word := range strings.FieldsSeq(texts) {
		if strings.Contains(word, "://") { // a reference
			continue
		}
		word = keywordOf(word)
		stem := words.Stem(word)
		isWord := ValidKeyword(word) && ValidKeyword(strings.TrimSuffix(word, "s")) && !words.IsStopWord(word) && !functionWords()[word]
		if !isWord || known[stem] || len(word) > maxKeywordBytes {
			continue
		}
		known[stem] = true
		if keywords = append(keywords, word); len(keywords) == maxKeywords {
			break
		}
	}
	return keywords
}

// keywordOf returns a word, or the last element of a path, as a keyword: letters without accents, and hyphens
// in place of other signs.
func keywordOf(word string) string {
	word = strings.ReplaceAll(strings.TrimRight(word, "/\\`'\")]},;:.*"), "\\", "/")
	word = strings.TrimSuffix(strings.ReplaceAll(path.Base(word), "’", "'"), "'s")
	var b strings.Builder
	for _, r := range words.Decomposed(strings.ToLower(word)) {
		switch {
		case unicode.Is(unicode.Mn, r), r == '\'':
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

// Union returns the items of a, followed by those of b that a does not have. It merges keywords or references
// of two observations of the same learning.
func Union(a, b []string) []string {
	a = slices.Clip(a)
	for _, item := range b {
		if !slices.Contains(a, item) {
			a = append(a, item)
		}
	}
	return a
}
