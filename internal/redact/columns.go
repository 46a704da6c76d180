package redact

import (
	"strings"

	"whence/internal/lazyregexp"
)

// delimiter matches the line below the headers of a Markdown table.
var delimiter = lazyregexp.New(`^[ \t>|:-]*--[ \t|:-]*\r?\n?$`)

// cleanColumns replaces the secrets of Markdown tables.
func cleanColumns(text string, note func(kind string)) string {
	if !strings.Contains(text, "|") || !strings.Contains(text, "--") {
		return text
	}
	var headers []string
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		cells := strings.Split(line, "|")
		if i > 0 && len(cells) > 1 && delimiter().MatchString(line) {
			headers = strings.Split(lines[i-1], "|")
		}
		if len(cells) != len(headers) {
			headers = nil
		}
		for column, header := range headers {
			cells[column] = cleanCell(header, cells[column], note)
		}
		lines[i] = strings.Join(cells, "|")
	}
	return strings.Join(lines, "")
}

// cleanCell replaces the word in a cell if it would be a secret after the header of its column and a colon.
func cleanCell(header, cell string, note func(kind string)) string {
	label := strings.Trim(header, " \t>*_`") + ": "
	value := strings.Trim(cell, " \t\r\n>*`")
	if len(label) > maxNameBytes || value == "" || len(value) > maxValueBytes || strings.Contains(value, " ") || isHarmless(value) {
		return cell
	}
	if clean, ok := strings.CutPrefix(byName().clean(label+value, note), label); ok {
		return strings.Replace(cell, value, clean, 1)
	}
	return cell
}
