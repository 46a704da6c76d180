package migrate

import (
	"slices"

	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/parallel"
)

// legacy is an entry of an old format, as it can be read from its line alone.
type legacy struct {
	line     int // index into Index.Lines
	operator string
	trigger  string // "" where the format has none
	readings []reading
}

// reading is one way to read a line.
type reading struct {
	title       string // of the heading
	key         string // the title as it is compared: see decision.Key
	description string
}

func newReading(title, description string) reading {
	return reading{title, decision.Key(title), description}
}

// formats are the old formats. The first one that knows a line reads it.
var formats = []func(*index.File, index.Line) (legacy, bool){emDash, twoField}

// legacyEntries reads all entries of old formats, line by line: an index may hold
// several formats at once.
func legacyEntries(f *index.File) []legacy {
	read := make([]legacy, len(f.Lines))
	parallel.For(len(f.Lines), func(i int) {
		for _, format := range formats {
			if entry, known := format(f, f.Lines[i]); known {
				entry.line = i
				read[i] = entry
				break
			}
		}
	})
	return slices.DeleteFunc(read, func(e legacy) bool { return e.readings == nil })
}
