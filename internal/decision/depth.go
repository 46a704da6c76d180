package decision

import "bytes"

// maxDepth bounds the nesting of lists and quotes: each line takes time for all that are open.
const maxDepth = 250

// TooDeep returns the number of the first line whose lists or quotes are nested too deeply, or 0.
// Such a file must not be parsed.
func TooDeep(src []byte) (line int) {
	for text := range bytes.Lines(src) {
		line++
		if depth(bytes.TrimSuffix(text, []byte{'\n'})) > maxDepth {
			return line
		}
	}
	return 0
}

// depth returns an upper estimate of how deeply the content of a line is nested: every list or
// quote marker before it is a level, and every two columns of indentation. Indented text without
// a marker does not count.
func depth(line []byte) int {
	columns, marks := 0, 0
	for len(line) > 0 {
		switch n := markerLength(line); {
		case line[0] == ' ':
			columns++
			line = line[1:]
		case line[0] == '\t':
			columns += 4
			line = line[1:]
		case n > 0:
			marks++
			line = line[n:]
		case marks == 0:
			return 0
		default:
			return marks + columns/2
		}
	}
	return marks + columns/2
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
