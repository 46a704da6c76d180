package trigger

import (
	"html"
	"path"
	"strings"

	"whence/internal/decision"
	"whence/internal/lazyregexp"
)

// Title returns the title of a heading, by its index in the file: of a document without the number that its file has,
// too, and in words if it is the name of the file.
func Title(f *decision.File, heading int) string {
	title := f.Headings[heading].Title
	if !f.Document {
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

var (
	leadingNumber = lazyregexp.New(`^0*(\d+)[^\pL\pN]+`)
	fileNumber    = lazyregexp.New(`(?i)^(?:adr[-_ ]?)?0*(\d*)`)

	// itemNumber matches what numbers a title wherever it is: "7. ", "ADR-0007: ", "[ADR 7] ", "D12 — ", "2026-01-02 ".
	itemNumber = lazyregexp.New(`(?i)^(?:\d{4}-\d{2}-\d{2}[^\pL\d]+|\d+[.:)]\s+|\d+\s+[–—-]\s+|\[?adr[-_ #]*\d+\]?[^\pL\d]+|dr?-?\d+[:.)\s–—-]*[:.)–—-]\s+)`)
)

// plain returns the text of a title in Markdown, without the number or day before it.
func plain(title string) string {
	title = strings.TrimLeft(title, ". ")
	if text := decision.Plain(itemNumber().ReplaceAllString(title, "")); text != "" {
		return strings.NewReplacer(" & ", " and ", " + ", " and ").Replace(html.UnescapeString(text))
	}
	return title // all of it is crossed out, or an address
}
