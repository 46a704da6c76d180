package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// rule is a kind of secret and how to find it.
type rule struct {
	kind string

	// hints are beginnings of a match, minHintBytes bytes or more in lower case, found in any case.
	// The rule is tried nowhere else.
	hints []string

	// inWord allows a letter or digit directly before the hint.
	inWord bool

	// before, if any, matches what has to be before the hint; its group, if any, belongs to the
	// secret. It ends in $ and sees maxBeforeBytes bytes.
	before string

	// pattern is matched from the hint on. Its groups are the secrets, the whole match
	// if it has none.
	pattern string

	// starts, if any, are the hints in their case, separated by commas; a pattern that begins with ^ follows one.
	starts string

	// check, if any, judges the first group that is part of the match.
	check func(secret string) bool

	find finder // replaces pattern, before and check
}

// finder returns the secret at a hint, if there is one that begins at or after from.
type finder func(text string, hint, from int) (span, bool)

const (
	minHintBytes    = 3
	hashBits        = 13
	maxBeforeBytes  = 100 // how far back a rule looks from its hint
	maxCheckedBytes = 300 // how much of a match is judged by a check
)

// hintTable holds the rules by the hashes of the beginnings of their hints, those of a hash in the order of their
// table. Each process that stores anything builds it, so it takes only a few allocations.
type hintTable struct {
	rules []compiledRule
	hints []hinted
	first [1 << hashBits]int32 // the place of the first hint with a hash in hints, plus one; 0: there is none
}

type hinted struct {
	text string
	rule *compiledRule
	next int32 // as in first
}

// compiledRule is a rule with its regular expressions, each compiled when it is first used.
type compiledRule struct {
	rule
	compiledBefore, compiledPattern compiledOnce
}

type compiledOnce struct {
	once sync.Once
	expr *regexp.Regexp
}

func (c *compiledOnce) get(pattern func() string) *regexp.Regexp {
	c.once.Do(func() { c.expr = regexp.MustCompile(pattern()) })
	return c.expr
}

func (r *compiledRule) beforeExpr() *regexp.Regexp {
	return r.compiledBefore.get(func() string { return r.before })
}

func (r *compiledRule) patternExpr() *regexp.Regexp {
	return r.compiledPattern.get(func() string { return `^(?:` + r.wholePattern() + `)` })
}

// hash returns a hash of three bytes of a text that ignores their case.
func hash(text string, at int) uint32 {
	a, b, c := uint32(text[at]|0x20), uint32(text[at+1]|0x20), uint32(text[at+2]|0x20)
	return (a<<8 ^ b<<4 ^ c ^ a>>4) & (1<<hashBits - 1)
}

func newHintTable(rules []rule) *hintTable {
	size := 0
	for _, r := range rules {
		size += len(r.hints)
	}
	t := &hintTable{rules: make([]compiledRule, len(rules)), hints: make([]hinted, 0, size)}
	for i, r := range slices.Backward(rules) { // the first comes to the front
		t.rules[i].rule = r
		for _, hint := range r.hints {
			for _, spelling := range spelledAs(hint) {
				h := hash(spelling, 0)
				t.hints = append(t.hints, hinted{spelling, &t.rules[i], t.first[h]})
				t.first[h] = int32(len(t.hints))
			}
		}
	}
	return t
}

// spelledAs returns the spellings with which a hint is found in any case. isSeen ignores the case of ASCII at the
// beginning, and of letters of the same length after it; hints with other letters also need spellings in capitals.
func spelledAs(hint string) []string {
	all := []string{hint}
	if !strings.ContainsFunc(hint, func(r rune) bool { return r > unicode.MaxASCII }) {
		return all
	}
	first, size := utf8.DecodeRuneInString(hint)
	for _, spelling := range []string{string(unicode.ToUpper(first)) + hint[size:], strings.ToUpper(hint)} {
		if !slices.ContainsFunc(all, func(other string) bool { return isSeen(spelling, other) }) {
			all = append(all, spelling)
		}
	}
	return all
}

// isSeen reports whether a text begins with a hint of the table.
func isSeen(text, hint string) bool {
	return ((text[0]^hint[0])|(text[1]^hint[1])|(text[2]^hint[2]))&^0x20 == 0 && hasPrefixFold(text, hint)
}

// clean goes over a text once, from left to right, and replaces its secrets. If several rules see a secret at
// the same place, the first in the table wins.
func (t *hintTable) clean(text string, note func(kind string)) string {
	var out strings.Builder
	done := 0 // up to where text is in out, or replaced
	for at := 0; at+minHintBytes <= len(text); {
		resume := at + 1
		if first := t.first[hash(text, at)]; first > 0 {
			kind, secrets := t.firstMatch(first, text, at, done)
			for _, s := range secrets {
				out.WriteString(text[done:s.start])
				out.WriteString(markBegin + kind + markEnd)
				note(kind)
				done = s.end
				resume = max(resume, done)
			}
		}
		at = resume
	}
	return out.String() + text[done:]
}

// firstMatch returns what the first matching rule finds at a hint, in order and not before from.
func (t *hintTable) firstMatch(first int32, text string, at, from int) (kind string, secrets []span) {
	for next := first; next > 0; next = t.hints[next-1].next {
		h := t.hints[next-1]
		if !isSeen(text[at:], h.text) || !h.rule.inWord && at > from && isAlnum(text[at-1]) {
			continue
		}
		if h.rule.find == nil {
			secrets = h.rule.match(text, at, from)
		} else if s, ok := h.rule.find(text, at, from); ok {
			secrets = []span{s}
		}
		// What was replaced is never replaced again.
		for i, s := range secrets {
			secrets[i] = upToMark(text, s)
		}
		secrets = slices.DeleteFunc(secrets, func(s span) bool {
			return s.start == s.end || inMark(text, s.start) || slices.Contains(published, text[s.start:s.end])
		})
		if len(secrets) > 0 {
			return h.rule.kind, secrets
		}
	}
	return "", nil
}

// match returns the secrets of a pattern at a hint.
func (r *compiledRule) match(text string, at, from int) []span {
	start, seen := at, text
	if r.check != nil {
		// What a check refuses may be read again from the next hint: it must be short.
		seen = text[:min(len(text), at+maxCheckedBytes)]
	}
	if r.before != "" {
		if r.check != nil && !r.mayAccept(seen, at) {
			return nil // the text before may be slow to match
		}
		window := text[max(from, at-maxBeforeBytes):at]
		place := r.beforeExpr().FindStringSubmatchIndex(window)
		if place == nil {
			return nil
		}
		if len(place) > 2 {
			start -= len(window) - place[2]
		}
	}
	secrets := r.spans(seen, start, at)
	if !r.accepts(text, secrets) {
		return nil
	}
	if len(seen) < len(text) { // it may be longer
		return r.spans(text, start, at)
	}
	return secrets
}

// mayAccept reports whether the rule accepts the match at a hint, or could accept it with the text before it.
func (r *compiledRule) mayAccept(text string, at int) bool {
	secrets := r.spans(text, at, at)
	return r.accepts(text, secrets) || len(secrets) > 0 && secrets[0].start == at
}

// accepts reports whether there are secrets, and the rule's check, if any, accepts the first.
func (r *compiledRule) accepts(text string, secrets []span) bool {
	return len(secrets) > 0 && (r.check == nil || r.check(text[secrets[0].start:secrets[0].end]))
}

// spans returns the groups of a pattern that are part of its match at a hint, or the whole match if the pattern
// has no groups. A span that begins at the hint is extended back to start.
func (r *compiledRule) spans(text string, start, at int) (all []span) {
	places := r.patternExpr().FindStringSubmatchIndex(text[at:])
	if len(places) > 2 {
		places = places[2:]
	}
	for i := 0; i < len(places); i += 2 {
		s := span{at + places[i], at + places[i+1]}
		if places[i] == 0 {
			s.start = start
		}
		if places[i] >= 0 {
			all = append(all, s)
		}
	}
	return all
}

// inMark reports whether an offset is inside a mark that replaces a secret, with a known kind. Text that only begins
// like a mark may be followed by a secret.
func inMark(text string, at int) bool {
	start := strings.LastIndex(text[max(0, at-maxBeforeBytes):at], markBegin)
	if start < 0 {
		return false
	}
	start += max(0, at-maxBeforeBytes)
	kind, _, isClosed := strings.Cut(text[start+len(markBegin):], markEnd)
	return isClosed && at < start+len(markBegin+kind+markEnd) && knownKinds()[kind]
}

// hasPrefixFold is strings.HasPrefix without regard to case.
func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

func hasSuffixFold(text, suffix string) bool {
	return len(text) >= len(suffix) && strings.EqualFold(text[len(text)-len(suffix):], suffix)
}

func isLetter(c byte) bool   { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool    { return isLetter(c) || isDigit(c) }
func isCapital(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isNameByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' }
func isQuote(c byte) bool    { return c == '"' || c == '\'' || c == '`' }
