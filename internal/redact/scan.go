package redact

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
)

// rule is a kind of secret and how to find it.
type rule struct {
	kind string

	// hints are beginnings of a match, three bytes or more in lower case, found in any case.
	// Nothing else is looked at.
	hints []string

	// before, if any, matches what belongs to the secret before the hint; it ends in $ and
	// sees 16 bytes.
	before string

	// pattern is matched from the hint on. Its groups are the secrets, the whole match
	// if it has none.
	pattern string

	// glued allows a letter or digit directly in front of the hint.
	glued bool

	// apart forbids a hyphen or underscore there, too: for a pattern that may fail only
	// at the end of a long word, lest it read that again from each hint inside of it.
	apart bool

	// check, if any, decides about what the pattern has matched: its first group that is
	// part of it.
	check func(secret string) bool

	// window is how many bytes are looked at if there is a check; 0 is maxChecked.
	window int

	find finder // replaces pattern and before

	matcher, behind func() *regexp.Regexp
}

// finder returns the secret at a hint, if there is one that begins at from or behind it.
type finder func(t *hintTable, text string, hint, from int) (secret, bool)

// beforeWindow is how far back a rule looks from its hint.
const beforeWindow = 16

// maxMark is the length of what replaces a secret, and a little.
const maxMark = 40

// maxChecked is how much of a match is judged by a check.
const maxChecked = 256

// hintTable finds the offsets of a text at which some rule has a hint.
type hintTable struct {
	group  [1 << hashBits]uint16 // by hash; 0 is none
	groups [][]hinted            // each in the order of the table
}

type hinted struct {
	text string
	rule *rule
}

const hashBits = 12

// hash returns a hash of three bytes of a text that ignores their case.
func hash(text string, at int) uint32 {
	a, b, c := uint32(text[at]|0x20), uint32(text[at+1]|0x20), uint32(text[at+2]|0x20)
	return (a<<8 ^ b<<4 ^ c ^ a>>4) & (1<<hashBits - 1)
}

// hints is built at the first call.
var hints = sync.OnceValue(func() *hintTable { return newHintTable(append(table(), otherLanguages()...)) })

func newHintTable(rules []rule) *hintTable {
	t := &hintTable{groups: make([][]hinted, 1)}
	for _, r := range rules {
		r.matcher = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + r.pattern + `)`) })
		r.behind = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(r.before) })
		for _, hint := range r.hints {
			h := hash(hint, 0)
			if t.group[h] == 0 {
				t.group[h] = uint16(len(t.groups))
				t.groups = append(t.groups, nil)
			}
			t.groups[t.group[h]] = append(t.groups[t.group[h]], hinted{hint, &r})
		}
	}
	return t
}

// next returns the first offset from at on where a hint may be, or -1.
func (t *hintTable) next(text string, at int) int {
	for ; at+2 < len(text); at++ {
		if t.group[hash(text, at)] != 0 {
			return at
		}
	}
	return -1
}

// secretsAt returns what the first matching rule finds at a hint, in order and not before from.
func (t *hintTable) secretsAt(text string, at, from int) []secret {
	for _, h := range t.groups[t.group[hash(text, at)]] {
		if !hasPrefixFold(text[at:], h.text) || at > from && h.rule.forbids(text[at-1]) {
			continue
		}
		if h.rule.find != nil {
			if s, ok := h.rule.find(t, text, at, from); ok {
				return []secret{s}
			}
			continue
		}
		if found := h.rule.match(text, at, from); found != nil {
			return found
		}
	}
	return nil
}

// forbids reports whether the byte before a hint rules it out.
func (r *rule) forbids(c byte) bool {
	return !r.glued && isAlnum(c) || r.apart && isName(c)
}

func (r *rule) match(text string, at, from int) []secret {
	start := at
	if r.before != "" {
		window := text[max(from, at-beforeWindow):at]
		place := r.behind().FindStringIndex(window)
		if place == nil {
			return nil
		}
		start -= len(window) - place[0]
	}
	// What a check refuses may be read again from the next hint: it must be short.
	seen := text[at:]
	if r.check != nil {
		seen = seen[:min(len(seen), cmp.Or(r.window, maxChecked))]
	}
	places := r.matcher().FindStringSubmatchIndex(seen)
	if places == nil || r.check != nil && !r.checks(seen, places) {
		return nil
	}
	if places[1] == len(seen) && len(seen) < len(text)-at {
		places = r.matcher().FindStringSubmatchIndex(text[at:])
	}
	if len(places) == 2 {
		return []secret{{span{start, at + places[1]}, r.kind}}
	}
	var found []secret
	for i := 2; i < len(places); i += 2 {
		if places[i] >= 0 && !inMark(text[:at+places[i]]) {
			found = append(found, secret{span{at + places[i], at + places[i+1]}, r.kind})
		}
	}
	return found
}

// inMark reports whether a text ends inside of what replaces a secret.
func inMark(before string) bool {
	before = before[max(0, len(before)-maxMark):]
	i := strings.LastIndex(before, markBegin)
	return i >= 0 && !strings.Contains(before[i:], markEnd)
}

// checks reports whether the first group that has matched is a secret, the whole match if
// there is none.
func (r *rule) checks(seen string, places []int) bool {
	for i := 2; i < len(places); i += 2 {
		if places[i] >= 0 {
			return r.check(seen[places[i]:places[i+1]])
		}
	}
	return r.check(seen[places[0]:places[1]])
}

// hasPrefixFold is strings.HasPrefix for a prefix in lower case, in any case. strings.EqualFold
// makes redaction a tenth slower.
func hasPrefixFold(text, prefix string) bool {
	if len(text) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		c := text[i]
		if isCapital(c) {
			c |= 0x20
		}
		if c != prefix[i] {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool  { return isLetter(c) || isDigit(c) }
func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
