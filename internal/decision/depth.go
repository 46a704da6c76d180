package decision

import "bytes"

// maxDepth is how deeply lists and quotes may be nested. The time to parse them
// grows with the third power of the depth: 2,000 levels take minutes.
const maxDepth = 250

// TooDeep returns the number of the first line whose lists or quotes are nested
// beyond all reason, or 0. Such a file is not to be parsed.
func TooDeep(src []byte) (line int) {
	for number := 1; len(src) > 0; number++ {
		var text []byte
		text, src, _ = bytes.Cut(src, []byte{'\n'})
		if depth(text) > maxDepth {
			return number
		}
	}
	return 0
}

// depth estimates from above how deeply the content of a line is nested: every list
// or quote mark in front of it is a level, and every two columns of indentation.
// Indented text without a mark does not count.
func depth(line []byte) int {
	columns, marks := 0, 0
	for len(line) > 0 {
		switch n := markLength(line); {
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

// markLength is the length of the quote or list mark that a line begins with, or 0.
func markLength(line []byte) int {
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
