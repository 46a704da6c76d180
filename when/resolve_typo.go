package when

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"whence/internal/text"
)

// minSlipLetters is the length below which a word of a trigger is compared exactly: with
// a letter more or less, "in" and "as" are "ink", "is" or "ask".
const minSlipLetters = 3

// In other languages than English a beginning often makes the opposite: anschalten and abschalten,
// включить and выключить. There a slip is only sought in words of minForeignLetters, behind the first
// keptLetters of them.
const (
	minForeignLetters = 5
	keptLetters       = 2
)

// isSlip reports whether a word of a query may be a misspelt word of a trigger: with one
// letter left out, added or wrong, or with two neighbours swapped. Digits have to agree.
// A word of three letters with a letter wrong is another word: "ssh" is not "ssl".
func (m *matcher) isSlip(typed, meant word) bool {
	if m.language != text.English || !text.IsASCII(typed.text+meant.text) {
		x, y := []rune(typed.text), []rune(meant.text)
		if min(len(x), len(y)) < minForeignLetters || !slices.Equal(x[:keptLetters], y[:keptLetters]) {
			return false
		}
	}
	near := text.OneTypo(typed.text, meant.text)
	if !near && min(utf8.RuneCountInString(typed.stem), utf8.RuneCountInString(meant.stem)) > minSlipLetters {
		near = text.OneTypo(typed.stem, meant.stem)
	}
	if !near || digits(typed.text) != digits(meant.text) {
		return false
	}
	length := utf8.RuneCountInString(meant.text)
	otherLetter := length == utf8.RuneCountInString(typed.text) && !hasSameLetters(typed.text, meant.text)
	return length > minSlipLetters || length == minSlipLetters && !otherLetter
}

func digits(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, word)
}

func hasSameLetters(a, b string) bool {
	x, y := []rune(a), []rune(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// isWord reports whether a word exists, so that it is not taken for a slip: stop words, lookalikes,
// and the words of the index and the decision files do. Decision files have words shorter than
// minWrittenLetters by chance, as in "FR-1", so these do not count.
func (m *matcher) isWord(word string) bool {
	if m.isKnown(word) || text.IsStopWord(word) || lookalikes()[word] {
		return true
	}
	return utf8.RuneCountInString(word) >= minWrittenLetters && m.isWritten(word)
}

const minWrittenLetters = 4

// lookalikes are words that developers write and that are a letter away from another one, often
// their contrary.
var lookalikes = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`
		never ever no non none nor not
		sync async synchronous asynchronous synchronously asynchronously symmetric asymmetric symmetrical asymmetrical typical atypical
		mount mounts mounting mounted umount umounts umounting umounted inbound unbound
		lock locks locking locked block blocks blocking blocked pool pools pooling pooled poll polls polling polled
		parsing parsed passing passed caching cached catching share shared sharing shard shards sharded sharding
		local locale locales host hosts hosting post posts posting port ports porting patch patches patching batch batches batching
		stage stages staging staged state stating stated trial trail pinning pinned pinging pinged
		adopt adopting adapt adapting hashing`) {
		words[w] = true
	}
	return words
})

// isKnown reports whether a word, or its plural or singular, is one of the index.
func (m *matcher) isKnown(text string) bool {
	if m.known == nil {
		m.known = map[string]bool{}
		for _, words := range slices.Concat(m.triggers, m.detailWords()) {
			for _, w := range words {
				m.known[w.text] = true
			}
		}
	}
	singular, plural := strings.CutSuffix(text, "s")
	return m.known[text] || m.known[text+"s"] || plural && m.known[singular] && !strings.HasSuffix(singular, "s")
}

// isWritten reports whether a decision file has a word. Files that cannot be read are skipped:
// the query that leads to one reports that.
func (m *matcher) isWritten(word string) bool {
	if m.texts == nil {
		m.texts = []string{}
		for _, p := range m.library.paths {
			if src, err := m.library.read(p); err == nil {
				m.texts = append(m.texts, strings.ToLower(string(src)))
			}
		}
	}
	return slices.ContainsFunc(m.texts, func(text string) bool { return hasWord(text, word) })
}

// hasWord reports whether a text has a word, with no letter next to it.
func hasWord(s, word string) bool {
	for start := 0; ; start += len(word) {
		i := strings.Index(s[start:], word)
		if i < 0 {
			return false
		}
		start += i
		before, _ := utf8.DecodeLastRuneInString(s[:start])
		after, _ := utf8.DecodeRuneInString(s[start+len(word):])
		if !text.IsWordRune(before) && !text.IsWordRune(after) {
			return true
		}
	}
}

// isContrary reports whether two words mean something else when joined: "in active", "a
// synchronous". A short second word is the rest of a split word.
func isContrary(first, second word) bool {
	switch first.text {
	case "a", "in", "no", "non", "not", "un", "не", "ни", "nie", "ne", "dé", "des", "dis", "ab", "an", "aus", "ein":
		return utf8.RuneCountInString(second.text) > minSlipLetters
	}
	return false
}
