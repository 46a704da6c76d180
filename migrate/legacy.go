package migrate

import "whence/internal/index"

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

func newReading(title, description string) reading {
	return reading{title, description}
}

// formats are the old formats. The first one that knows a line reads it.
var formats = []func(*index.File, index.Line) (legacy, bool){emDash, twoField}

// legacyEntries reads the entries of old formats, line by line: an index may mix several.
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
