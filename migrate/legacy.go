package migrate

import (
	"whence/internal/index"
)

// legacy is an entry of an old format, as it can be read from its line alone.
type legacy struct {
	line     int // index into Index.Lines
	operator string
	trigger  string // "" where the format has none
	readings []reading
}

// reading is one way to read a line: the header title and the description.
type reading struct{ title, description string }

// formats are the old formats. The first one that knows a line reads it.
var formats = []func(*index.File, index.Line) (legacy, bool){emDash, twoField}

// legacyEntries reads all entries of old formats, line by line: an index may hold
// several formats at once.
func legacyEntries(f *index.File) []legacy {
	var entries []legacy
	for i, line := range f.Lines {
		for _, format := range formats {
			if entry, known := format(f, line); known {
				entry.line = i
				entries = append(entries, entry)
				break
			}
		}
	}
	return entries
}
