package redact

import (
	"slices"
	"strings"
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
			i = lastOf(tags, i)
			if i == len(tags) {
				take(t.start, len(text))
			} else {
				take(t.start, tags[i].end)
			}
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

const privateWord = "private"

// maxAttributeBytes is the length of the attributes that a tag may have.
const maxAttributeBytes = 200

// The forms of the brackets: as they are, and as HTML and JSON escape them.
var (
	openBrackets  = []string{"<", "&lt;", `\u003c`, `\u003C`}
	closeBrackets = []string{">", "&gt;", `\u003e`, `\u003E`}
)

func privateTags(text string) []tag {
	var tags []tag
	for at := indexPrivate(text, 0); at >= 0; at = indexPrivate(text, at+len(privateWord)) {
		if t, ok := tagAt(text, at); ok {
			tags = append(tags, t)
		}
	}
	return tags
}

// indexPrivate returns the offset of the next "private", in any case, or -1.
func indexPrivate(text string, at int) int {
	for at < len(text) {
		i := strings.IndexAny(text[at:], "vV")
		if i < 0 {
			return -1
		}
		at += i + 1
		if start := at - len("priv"); start > 0 && hasPrefixFold(text[start:], privateWord) {
			return start
		}
	}
	return -1
}

// tagAt returns the tag around the word at an offset.
func tagAt(text string, at int) (tag, bool) {
	before, closes := strings.CutSuffix(text[:at], "/")
	if closes {
		before = strings.TrimSuffix(before, `\`)
	}
	i := slices.IndexFunc(openBrackets, func(bracket string) bool { return strings.HasSuffix(before, bracket) })
	if i < 0 {
		return tag{}, false
	}
	before = strings.TrimSuffix(before, openBrackets[i])
	end := at + len(privateWord)
	inside := text[end:min(len(text), end+maxAttributeBytes)]
	for _, bracket := range closeBrackets {
		attributes, _, ok := strings.Cut(inside, bracket)
		if !ok || strings.ContainsAny(attributes, "<\n") || attributes != "" && !isSpace(attributes[0]) {
			continue
		}
		end += len(attributes) + len(bracket)
		return tag{
			span:   span{len(before), end},
			closes: closes,
			quoted: strings.HasSuffix(before, "`") && strings.HasPrefix(text[end:], "`"),
		}, true
	}
	return tag{}, false
}
