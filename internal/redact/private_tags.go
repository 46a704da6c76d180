package redact

import (
	"slices"
	"strings"

	"whence/internal/lazyregexp"
)

// withoutPrivate replaces private parts. If in doubt, it removes more:
//
//	<private>a <private>b</private> c</private>   nested: one part
//	<private>a …                                  never closed: to the end of the text
//	… a</private>                                 never opened: from its beginning, or from
//	                                              the private part before
//	`<private>`                                   a single tag in backquotes is only
//	                                              mentioned, but a pair removes what is
//	                                              between
//
// The case of a tag does not matter, nor do attributes, nor whether its brackets are
// escaped as in HTML or JSON.
func withoutPrivate(text string, note func(kind string)) string {
	tags := privateTags(text)
	var out strings.Builder
	done := 0
	take := func(start, end int) {
		out.WriteString(text[done:start] + privateMark)
		done = end
		note(privateText)
	}
	depth, begin := 0, tag{}
	for i, t := range tags {
		isPair := t.quoted && i+1 < len(tags) && tags[i+1].closes
		switch {
		case depth == 0 && t.closes && !t.quoted:
			take(done, t.end)
		case depth == 0 && !t.closes && (!t.quoted || isPair):
			depth, begin = 1, t
		case depth == 0 || t.quoted && !begin.quoted: // mentioned
		case t.closes:
			if depth--; depth == 0 {
				take(begin.start, t.end)
			}
		case !begin.quoted:
			depth++
		}
	}
	if depth > 0 {
		take(begin.start, len(text))
	}
	return out.String() + text[done:]
}

// tag is <private> or </private>.
type tag struct {
	span
	closes, quoted bool
}

// tagPattern matches a tag, its brackets as they are or as HTML and JSON escape them, and a backquote on either side.
var tagPattern = lazyregexp.New("(?i)(`?)(?:<|&lt;|\\\\u003c)(\\\\?/)?private(?:[ \t][^<\\n]{0,200}?)?(?:>|&gt;|\\\\u003e)(`?)")

// privateTags returns the tags of a text, without the backquotes around them.
func privateTags(text string) (tags []tag) {
	lower := strings.ToLower(text)
	isIn := func(beginning string) bool { return strings.Contains(lower, beginning+"private") }
	if !slices.ContainsFunc([]string{"<", "/", "&lt;", `\u003c`}, isIn) {
		return nil // the usual case, and tagPattern is slow
	}
	for _, place := range tagPattern().FindAllStringSubmatchIndex(text, -1) {
		quote, end := place[3]-place[2], place[7]-place[6]
		tags = append(tags, tag{span{place[0] + quote, place[1] - end}, place[4] >= 0, quote+end == 2})
	}
	return tags
}
