package migrate

import (
	"strings"

	"whence/internal/index"
)

// emDash reads the oldest format:
//
//	Mock patching pattern — patch where object is used not where defined
//
// The key is the header title. A title may hold a dash itself, so each of them is
// a place where the description may begin; the first is the likeliest.
func emDash(f *index.File, line index.Line) (legacy, bool) {
	if line.Kind != index.Malformed || line.Problem != index.LegacyDash {
		return legacy{}, false
	}
	entry := legacy{operator: "when"}
	text := strings.TrimSpace(f.Text(line))
	for at := 0; ; {
		i := strings.Index(text[at:], " — ")
		if i < 0 {
			return entry, true
		}
		at += i
		entry.readings = append(entry.readings, newReading(
			strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+len(" — "):]),
		))
		at += len(" — ")
	}
}
