package redact

import (
	"strings"

	"whence/internal/lazyregexp"
)

// Private keys in PEM: a line of BEGIN, base 64, a line of END. The lines may be
// indented, quoted, numbered, or joined by an escaped \n as in JSON. Of a truncated block, the
// base 64 that is there is removed. A marker without any is only a mention, and stays.

const (
	pemBegin  = `(?i:-----begin)` + pemLabel
	pemEnd    = `(?i:-----end)` + pemLabel
	pemLabel  = `[ \w-]{0,20}(?i:private key)[ \w]{0,10}-----`
	pemGap    = `(?:\\[nrt]|[^A-Za-z0-9+/=\\(]){0,8}(?:\d{1,6}[^A-Za-z0-9+/=\\(]{1,8})?` // between two lines of base 64
	pemHeader = `(?:(?:\s|\\n)*[\w-]+: [^\n\\]{0,100}(?:\s|\\n))*`
	pemLines  = `(?:` + pemGap + `[A-Za-z0-9+/]{24,}=*)+`
	pemLast   = `(?:` + pemGap + `[A-Za-z0-9+/]*=+)?`
	pemShort  = `[^-(){}\[\];<&]*[\\\n][^-(){}\[\];<&]*`

	// pemBlock is a private key from its BEGIN on.
	pemBlock = pemBegin + `(?:` + pemHeader + pemLines + pemLast + `(?:(?:[^-]|-[^-])*` + pemEnd + `)?|` + pemShort + pemEnd + `)`
)

var (
	pemEndLine = lazyregexp.New(`^` + pemEnd)
	pemRest    = lazyregexp.New(`[A-Za-z0-9+/]{24,}=*(?:` + pemLines + `)?` + pemLast + pemGap + `$`)
)

// pemEndRule finds the end of a private key.
var pemEndRule = rule{kind: "private key", hints: []string{"-----end"}, inWord: true, find: pemTail}

// pemTail finds the rest of a private key whose BEGIN is cut off.
func pemTail(text string, hint, from int) (span, bool) {
	end := pemEndLine().FindString(text[hint:])
	if i := strings.LastIndex(text[from:hint], "-----"); i >= 0 {
		from += i
	}
	place := pemRest().FindStringIndex(text[from:hint])
	if end == "" || place == nil {
		return span{}, false
	}
	return span{from + place[0], hint + len(end)}, true
}
