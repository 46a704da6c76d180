package redact

import (
	"strings"

	"whence/internal/text"
)

// delimiter matches the line below the headers of a Markdown table.
var delimiter = text.Lazy(`^[ \t>|:-]*--[ \t|:-]*\r?\n?$`)

// cleanColumns replaces the secrets of Markdown tables. A cell of one word is a secret if it were one
// behind the header of its column and a colon.
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
			continue
		}
		if len(cells) != len(headers) {
			headers = nil
			continue
		}
		for column, cell := range cells {
			cells[column] = cleanCell(headers[column], cell, note)
		}
		lines[i] = strings.Join(cells, "|")
	}
	return strings.Join(lines, "")
}

func cleanCell(header, cell string, note func(kind string)) string {
	label := strings.Trim(header, " \t>*_`") + ": "
	value := strings.Trim(cell, " \t\r\n>*`")
	if len(label) > maxName || value == "" || len(value) > maxValue || strings.Contains(value, " ") || isTerm(value) {
		return cell
	}
	clean, isBehind := strings.CutPrefix(tables()[1].clean(label+value, note), label)
	if !isBehind {
		return cell
	}
	return strings.Replace(cell, value, clean, 1)
}
