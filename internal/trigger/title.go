package trigger

import (
	"html"
	"path"
	"strings"

	"whence/internal/decision"
	"whence/internal/lazyregexp"
)

// Title returns the title of a heading, by its index in the file. The title of a document loses the number that its
// file name has, and a title that is a file name becomes words. The title of a section loses a number such as D12 if
// the file numbers its sections so.
func Title(f *decision.File, heading int) string {
	title := f.Headings[heading].Title
	if !f.Document {
		if kind, rest := cutNumber(title); kind != "" && numbersSections(f, kind) {
			return rest
		}
		return title
	}
	if at := leadingNumber().FindStringSubmatch(title); at != nil && at[1] == fileNumber().FindStringSubmatch(path.Base(f.Path))[1] {
		title = title[len(at[0]):]
	}
	if !strings.Contains(title, " ") {
		title = strings.NewReplacer("-", " ", "_", " ").Replace(title)
	}
	return title
}

// cutNumber cuts letters with a number off a title, and returns the letters.
func cutNumber(title string) (kind, rest string) {
	at := sectionNumber().FindStringSubmatch(title)
	if at == nil {
		return "", title
	}
	return at[1], title[len(at[0]):]
}

// maxNumbered bounds the sections that are checked for numbers.
const maxNumbered = 100

// numbersSections reports whether at least half of the sections of a file begin with the letters kind and a number.
func numbersSections(f *decision.File, kind string) bool {
	numbered, all := 0, 0
	for _, h := range f.Headings {
		if !h.Semantic() || all == maxNumbered {
			continue
		}
		all++
		if other, _ := cutNumber(h.Title); other == kind {
			numbered++
		}
	}
	return numbered > 1 && 2*numbered >= all
}

var (
	// sectionNumber matches "D12 — ", "DR-3: ".
	sectionNumber = lazyregexp.New(`^(\pL{1,3})[-_ #]?\d+[\s:.)–—-]+`)
	leadingNumber = lazyregexp.New(`^0*(\d+)[^\pL\pN]+`)
	fileNumber    = lazyregexp.New(`(?i)^(?:adr[-_ ]?)?0*(\d*)`)

	// itemNumber matches the number or day before a title in any file: "7. ", "ADR-0007: ", "[ADR 7] ", "2026-01-02 ".
	itemNumber = lazyregexp.New(`(?i)^(?:\d{4}-\d{2}-\d{2}[^\pL\d]+|\d+[.:)]\s+|\d+\s+[–—-]\s+|\[?adr[-_ #]*\d+\]?[^\pL\d]+)`)
)

// plain returns the text of a title in Markdown, without the number or day before it.
func plain(title string) string {
	title = strings.TrimLeft(title, ". ")
	if text := decision.Plain(itemNumber().ReplaceAllString(title, "")); text != "" {
		return strings.NewReplacer(" & ", " and ", " + ", " and ").Replace(html.UnescapeString(text))
	}
	return title // all of it is crossed out, or an address
}
