package migrate

import (
	"strings"

	"whence/internal/index"
)

const dash = " — "

// emDash reads the oldest format:
//
//	Mock patching pattern — patch where object is used not where defined
//
// The key is the header title. A title may hold a dash itself, so the description may begin after
// any of them; the first is the likeliest.
func emDash(f *index.File, line index.Line) (legacy, bool) {
	if line.Kind != index.Malformed || line.Problem != index.LegacyDash {
		return legacy{}, false
	}
	entry := legacy{operator: "when"}
	text, end := strings.TrimSpace(f.Text(line)), 0
	for {
		_, description, found := strings.Cut(text[end:], dash)
		if !found {
			return entry, true
		}
		end = len(text) - len(description)
		title := text[:end-len(dash)]
		entry.readings = append(entry.readings, newReading(strings.TrimSpace(title), strings.TrimSpace(description)))
	}
}
