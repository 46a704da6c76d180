package migrate

import (
	"strings"

	"whence/internal/index"
)

// legacy is an entry of an old format, as read from its line alone.
type legacy struct {
	line     int // index into Index.Lines
	operator string
	trigger  string // "" where the format has none
	readings []reading
}

// reading is one way to read a line.
type reading struct {
	title       string // of the heading
	description string
}

// legacyEntries reads the entries of old formats, line by line: an index may mix several.
func legacyEntries(f *index.File) []legacy {
	var entries []legacy
	for i, line := range f.Lines {
		if line.Kind != index.Malformed {
			continue
		}
		var entry legacy
		switch e := line.Entry; {
		case line.Problem == index.LegacyDash:
			entry = emDash(f.Text(line))
		case line.Problem == index.MissingFields && e.Fields > 0 && e.Trigger.Text != "":
			entry = twoFields(e)
		default:
			continue
		}
		entry.line = i
		entries = append(entries, entry)
	}
	return entries
}

const dash = " — "

// emDash reads the oldest format:
//
//	Mock patching pattern — patch where object is used not where defined
//
// The key is the header title. A title may hold a dash itself, so the description may begin after
// any of them; the first is the likeliest.
func emDash(line string) legacy {
	entry := legacy{operator: "when"}
	text, end := strings.TrimSpace(line), 0
	for {
		_, description, found := strings.Cut(text[end:], dash)
		if !found || end > maxKeyBytes {
			return entry
		}
		end = len(text) - len(description)
		title := text[:end-len(dash)]
		entry.readings = append(entry.readings, reading{strings.TrimSpace(title), strings.TrimSpace(description)})
	}
}

// twoFields reads the later format, whose heading is made of the trigger:
//
//	/when writing mock tests | mock patch, test doubles      When Writing Mock Tests
//	/how encode paths | path encoding                        How to Encode Paths
//
// The keywords may be missing.
func twoFields(e index.Entry) legacy {
	prefix := "When "
	if e.Operator == "how" {
		prefix = "How to "
	}
	return legacy{
		operator: e.Operator,
		trigger:  e.Trigger.Text,
		readings: []reading{{prefix + e.Trigger.Text, e.Title.Text}},
	}
}
