package redact

import (
	"strings"

	"whence/internal/text"
)

// Private keys in PEM: a line of BEGIN, base 64, a line of END. The lines may be
// indented, quoted, numbered, or joined by an escaped \n as in JSON. Of a truncated block the
// existing base 64 is removed; a marker without any is only mentioned.

const (
	pemDashes = "-----"
	pemGap    = `(?:\\[nrt]|[^A-Za-z0-9+/=\\(]){0,8}(?:\d{1,6}[^A-Za-z0-9+/=\\(]{1,8})?` // between two lines of base 64
	pemHeader = `(?:(?:\s|\\n)*[\w-]+: [^\n\\]{0,100}(?:\s|\\n))*`
	pemLines  = `(?:` + pemGap + `[A-Za-z0-9+/]{24,}=*)+`
	pemLast   = `(?:` + pemGap + `[A-Za-z0-9+/]*=+)?`
)

var (
	pemLabel = text.Lazy(`^[ \w-]{0,20}(?i:private key)[ \w]{0,10}-----`)
	pemStart = text.Lazy(`^` + pemHeader + pemLines + pemLast)
	pemRest  = text.Lazy(pemLines + pemLast + pemGap + `$`)
)

// pemBlock finds a private key that begins at a BEGIN.
func pemBlock(text string, hint, _ int) (span, bool) {
	body, ok := markerEnd(text, hint+len("-----begin"))
	if !ok {
		return span{}, false
	}
	inside, end, _ := strings.Cut(text[body:], pemDashes)
	lines := pemStart().FindString(inside)
	isShort := len(inside) < maxLooked && strings.ContainsAny(inside, "\\\n") && !strings.ContainsAny(inside, "(){}[];<&")
	if hasPrefixFold(end, "end") && (lines != "" || isShort) {
		if after, ok := markerEnd(text, body+len(inside)+len("-----end")); ok {
			return span{hint, after}, true
		}
	}
	return span{hint, body + len(lines)}, lines != ""
}

// pemTail finds the rest of a private key whose BEGIN is cut off.
func pemTail(text string, hint, from int) (span, bool) {
	after, ok := markerEnd(text, hint+len("-----end"))
	if !ok {
		return span{}, false
	}
	start := from
	if i := strings.LastIndex(text[from:hint], pemDashes); i >= 0 {
		start += i + len(pemDashes)
	}
	place := pemRest().FindStringIndex(text[start:hint])
	if place == nil {
		return span{}, false
	}
	lines := text[start+place[0] : hint]
	return span{start + place[0] + strings.IndexAny(lines, capitals+strings.ToLower(capitals)+digitChars+"+/"), after}, true
}

// markerEnd returns the end of a marker whose BEGIN or END was read, if it begins or ends a private
// key.
func markerEnd(text string, at int) (int, bool) {
	label := pemLabel().FindString(text[min(at, len(text)):])
	return at + len(label), label != ""
}
