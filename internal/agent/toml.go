package agent

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// tomlItem is the header of a table, or a key with its value.
type tomlItem struct {
	path       []string // of the table, or of the table and the key
	isHeader   bool
	isElement  bool // a header in double brackets, of an element of a list
	start, end int  // the item, without what else is on its lines
	value      int  // where the value begins
}

// tomlScanner reads the structure of a text in TOML. It does not check values.
type tomlScanner struct {
	src []byte
	at  int
}

// scanTOML returns the items of a text, in order.
func scanTOML(src []byte) (items []tomlItem, err error) {
	s := &tomlScanner{src: src}
	if bytes.HasPrefix(src, byteOrderMark) {
		s.at = len(byteOrderMark)
	}
	var table []string
	for s.skipLines(); s.at < len(src); s.skipLines() {
		item := tomlItem{start: s.at, isHeader: src[s.at] == '['}
		ok := false
		if item.isHeader {
			item.isElement = bytes.HasPrefix(src[s.at:], []byte("[["))
			item.path, ok = s.header(item.isElement)
			table = item.path
		} else {
			item.path, ok = s.key()
			item.path = slices.Concat(table, item.path)
			ok = ok && s.take("=")
			s.skipSpaces()
			item.value = s.at
			ok = ok && s.skipValue()
		}
		item.end = s.at
		if !ok || !s.endOfLine() {
			return nil, &SettingsError{1 + bytes.Count(src[:item.start], []byte("\n")), "it is not valid TOML: correct it by hand"}
		}
		items = append(items, item)
	}
	return items, nil
}

// skipLines skips spaces, comments and line ends.
func (s *tomlScanner) skipLines() {
	for {
		s.skipSpaces()
		switch {
		case s.peek('#'):
			s.skipComment()
		case s.peek('\n') || s.peek('\r'):
			s.at++
		default:
			return
		}
	}
}

func (s *tomlScanner) skipSpaces() {
	for s.peek(' ') || s.peek('\t') {
		s.at++
	}
}

func (s *tomlScanner) skipComment() {
	if end := bytes.IndexByte(s.src[s.at:], '\n'); end >= 0 {
		s.at += end
		return
	}
	s.at = len(s.src)
}

func (s *tomlScanner) peek(c byte) bool { return s.at < len(s.src) && s.src[s.at] == c }

// take skips spaces and a token, if that comes next.
func (s *tomlScanner) take(token string) bool {
	s.skipSpaces()
	if !bytes.HasPrefix(s.src[s.at:], []byte(token)) {
		return false
	}
	s.at += len(token)
	return true
}

// endOfLine skips the rest of a line, which may hold a comment only.
func (s *tomlScanner) endOfLine() bool {
	s.skipSpaces()
	if s.peek('#') {
		s.skipComment()
	}
	return s.at == len(s.src) || s.take("\n") || s.take("\r\n")
}

func (s *tomlScanner) header(isElement bool) (path []string, ok bool) {
	open, end := "[", "]"
	if isElement {
		open, end = "[[", "]]"
	}
	if ok = s.take(open); ok {
		path, ok = s.key()
	}
	return path, ok && s.take(end)
}

// key reads a key, with the names between its dots.
func (s *tomlScanner) key() (path []string, ok bool) {
	for {
		s.skipSpaces()
		start := s.at
		switch {
		case s.peek('"') || s.peek('\''):
			if !s.skipLine() {
				return nil, false
			}
			name, ok := unquoteTOML(s.src[start:s.at])
			if !ok {
				return nil, false
			}
			path = append(path, name)
		default:
			for s.at < len(s.src) && isBare(s.src[s.at]) {
				s.at++
			}
			if s.at == start {
				return nil, false
			}
			path = append(path, string(s.src[start:s.at]))
		}
		if !s.take(".") {
			return path, true
		}
	}
}

// isBare reports whether a byte may be in a key without quotes.
func isBare(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// skipValue skips a value.
func (s *tomlScanner) skipValue() bool {
	switch {
	case s.peek('"') || s.peek('\''):
		return s.skipString()
	case s.peek('[') || s.peek('{'):
		return s.skipBrackets()
	}
	start := s.at
	for s.at < len(s.src) && !strings.ContainsRune("#\r\n", rune(s.src[s.at])) {
		s.at++
	}
	s.at = start + len(bytes.TrimRight(s.src[start:s.at], " \t"))
	return s.at > start
}

// skipBrackets skips a list or an inline table, with what is in it.
func (s *tomlScanner) skipBrackets() bool {
	for depth := 0; s.at < len(s.src); {
		switch s.src[s.at] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '"', '\'':
			if !s.skipString() {
				return false
			}
			continue
		case '#':
			s.skipComment()
			continue
		}
		s.at++
		if depth == 0 {
			return true
		}
	}
	return false
}

// skipString skips a string, of one line or of several.
func (s *tomlScanner) skipString() bool {
	quote := s.src[s.at]
	three := bytes.Repeat([]byte{quote}, 3)
	if !bytes.HasPrefix(s.src[s.at:], three) {
		return s.skipLine()
	}
	for s.at += 3; s.at < len(s.src); s.at++ {
		switch {
		case quote == '"' && s.src[s.at] == '\\':
			s.at++
		case bytes.HasPrefix(s.src[s.at:], three):
			s.at += 3
			for range 2 { // which may be quotes of the text itself
				if s.peek(quote) {
					s.at++
				}
			}
			return true
		}
	}
	return false
}

// skipLine skips a string of one line.
func (s *tomlScanner) skipLine() bool {
	quote := s.src[s.at]
	for s.at++; s.at < len(s.src) && s.src[s.at] != '\n'; s.at++ {
		switch {
		case quote == '"' && s.src[s.at] == '\\':
			s.at++
		case s.src[s.at] == quote:
			s.at++
			return true
		}
	}
	return false
}

// unquoteTOML returns the value of a string of one line. Of the escapes in Go, those of TOML are a part.
func unquoteTOML(text []byte) (value string, ok bool) {
	if len(text) > 1 && text[0] == '\'' && text[len(text)-1] == '\'' {
		return string(text[1 : len(text)-1]), true
	}
	value, err := strconv.Unquote(string(text))
	return value, err == nil
}
