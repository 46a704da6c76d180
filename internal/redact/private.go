package redact

import "strings"

// withoutPrivate replaces private parts. More rather than less is taken out:
//
//	<private>a <private>b</private> c</private>   nested: one part
//	<private>a …                                  never closed: to the end of the text
//	… a</private>                                 never opened: from its beginning, or from
//	                                              the private part before
//	`<private>`                                   a tag that alone is in backquotes is talked
//	                                              about, but a pair of them takes out what
//	                                              stands between
//
// The case of a tag does not matter, nor attributes, nor whether its brackets are
// escaped as in HTML or JSON.
func withoutPrivate(text string, note func(kind string)) string {
	tags := privateTags(text)
	if len(tags) == 0 {
		return text
	}
	var out strings.Builder
	done := 0
	take := func(start, end int) {
		out.WriteString(text[done:start])
		out.WriteString(privateMark)
		done = end
		note(privateText)
	}
	lastClose := -1 // index of the last closing tag
	for i, t := range tags {
		if t.closes {
			lastClose = i
		}
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
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// lastOf is the tag that ends the part which the tag at i begins, len(tags) if none
// does. Inside of a part quoted tags are text, but for one that a quoted tag began.
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

// maxAttributes is the length to which a tag may have attributes.
const maxAttributes = 200

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

// indexPrivate is the place of the next "private" in any case behind something that
// ends a bracket.
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

// tagAt reads the tag around the word at a place.
func tagAt(text string, at int) (tag, bool) {
	before, closes := strings.CutSuffix(text[:at], "/")
	if closes {
		before = strings.TrimSuffix(before, `\`)
	}
	open := false
	for _, bracket := range openBrackets {
		if rest, ok := strings.CutSuffix(before, bracket); ok {
			before, open = rest, true
			break
		}
	}
	if !open {
		return tag{}, false
	}
	end := at + len(privateWord)
	inside := text[end:min(len(text), end+maxAttributes)]
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
