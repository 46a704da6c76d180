package decision

import "bytes"

// Each line takes time for all lists and quotes that are open, so their nesting is bounded.
const (
	maxIndentColumns = 100
	maxMarkers       = 50 // of lists and quotes
)

// tooDeep returns the number of the first line whose lists or quotes are nested too deeply, or 0.
func tooDeep(src []byte) (line int) {
	for text := range bytes.Lines(src) {
		line++
		if isDeep(bytes.TrimRight(text, "\r\n")) {
			return line
		}
	}
	return 0
}

// isDeep reports whether a line has too many markers of lists and quotes before its text, or
// one after too many columns. Indented text without a marker does not count.
func isDeep(line []byte) bool {
	columns, markers := 0, 0
	for len(line) > 0 {
		switch n := markerLength(line); {
		case line[0] == ' ':
			columns++
			line = line[1:]
		case line[0] == '\t':
			columns += 4
			line = line[1:]
		case n == 0: // the text
			return false
		default:
			markers++
			if markers > maxMarkers || columns > maxIndentColumns {
				return true
			}
			line = line[n:]
		}
	}
	return false
}

// markerLength returns the length of the quote or list marker that a line begins with, or 0.
func markerLength(line []byte) int {
	if line[0] == '>' {
		return 1
	}
	n := len(line) - len(bytes.TrimLeft(line, "0123456789"))
	switch {
	case n == len(line):
		return 0
	case n == 0 && bytes.IndexByte([]byte("-*+"), line[0]) < 0:
		return 0
	case n > 0 && line[n] != '.' && line[n] != ')':
		return 0
	}
	if n+1 < len(line) && line[n+1] != ' ' && line[n+1] != '\t' {
		return 0
	}
	return n + 1
}
