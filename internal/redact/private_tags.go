package redact

import (
	"strings"

	"whence/internal/text"
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
// The case of a tag does not matter, nor attributes, nor whether its brackets are
// escaped as in HTML or JSON.
func withoutPrivate(text string, note func(kind string)) string {
	tags := privateTags(text)
	var out strings.Builder
	done := 0
	take := func(start, end int) {
		out.WriteString(text[done:start])
		out.WriteString(privateMark)
		done = end
		note(privateText)
	}
	lastClose := len(tags) - 1
	for lastClose >= 0 && !tags[lastClose].closes {
		lastClose--
	}
	for i := 0; i < len(tags); i++ {
		switch t := tags[i]; {
		case t.closes && t.quoted:
		case t.closes:
			take(done, t.end)
		case t.quoted && i > lastClose:
		default:
			end := len(text)
			if i = lastOf(tags, i); i < len(tags) {
				end = tags[i].end
			}
			take(t.start, end)
		}
	}
	return out.String() + text[done:]
}

// lastOf returns the tag that ends the part which the tag at i begins, len(tags) if none
// does. Inside a part quoted tags are text, unless a quoted tag began it.
func lastOf(tags []tag, i int) int {
	quoted := tags[i].quoted
	depth := 1
	for i++; i < len(tags); i++ {
		switch t := tags[i]; {
		case quoted && t.closes:
			return i
		case quoted || t.quoted:
		case t.closes:
			if depth--; depth == 0 {
				return i
			}
		default:
			depth++
		}
	}
	return len(tags)
}

// tag is <private> or </private>.
type tag struct {
	span
	closes, quoted bool
}

// tagPattern matches a tag, its brackets as they are or as HTML and JSON escape them, and a backquote on either side.
var tagPattern = text.Lazy("(?i)(`?)(?:<|&lt;|\\\\u003c)(\\\\?/)?private(?:[ \t][^<\\n]{0,200}?)?(?:>|&gt;|\\\\u003e)(`?)")

// privateTags returns the tags of a text, without the backquotes around them.
func privateTags(text string) (tags []tag) {
	if !strings.Contains(strings.ToLower(text), "private") {
		return nil
	}
	for _, place := range tagPattern().FindAllStringSubmatchIndex(text, -1) {
		quote, end := place[3]-place[2], place[7]-place[6]
		tags = append(tags, tag{span{place[0] + quote, place[1] - end}, place[4] >= 0, quote+end == 2})
	}
	return tags
}
