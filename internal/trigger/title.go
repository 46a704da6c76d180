package trigger

import (
	"html"
	"strings"

	"whence/internal/decision"
	"whence/internal/lazyregexp"
)

// recordNumber matches the number before a title: "7. ", "ADR-0007: ", "[ADR 7] ".
var recordNumber = lazyregexp.New(`(?i)^\[?(adr[-_ #]*)?\d+\]?(\s*[.:)–—-]\s*|\s+)`)

// Title returns the title of a heading, by its index in the file: of a document without the number of the
// record, and in words if it is the name of the file.
func Title(f *decision.File, heading int) string {
	title := f.Headings[heading].Title
	if f.Document {
		title = recordNumber().ReplaceAllString(title, "")
		if !strings.Contains(title, " ") {
			title = strings.NewReplacer("-", " ", "_", " ").Replace(title)
		}
	}
	return title
}

// itemNumber matches the number or the day of a title in a list of decisions.
var itemNumber = lazyregexp.New(`^(?:\d{4}-\d{2}-\d{2}[^\pL\d]+|\d+[.)]\s+)`)

// plain returns the text of a title in Markdown, without the number or day before it.
func plain(title string) string {
	title = strings.TrimLeft(title, ". ")
	if text := decision.Plain(itemNumber().ReplaceAllString(title, "")); text != "" {
		return html.UnescapeString(text)
	}
	return title // all of it is crossed out, or an address
}
