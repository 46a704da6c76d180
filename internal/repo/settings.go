package repo

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// setting is a variable in a settings file of git. Its key is written as git config writes it:
// section, subsection if any, and name, joined by dots, all in lower case except the subsection.
// A variable without a value is "true".
type setting struct{ key, value string }

// readSettings reads a settings file of git, without the files that it includes. It returns false
// if the file is there but cannot be read, which git will report.
func readSettings(name string) ([]setting, bool) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, true
	}
	if err != nil || !info.Mode().IsRegular() { // a pipe would block
		return nil, false
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, false
	}
	return parseSettings(src)
}

// lastValue returns the value of a variable, of which the last one counts; "" if it is not set.
func lastValue(settings []setting, key string) string {
	for _, s := range slices.Backward(settings) {
		if s.key == key {
			return s.value
		}
	}
	return ""
}

// worktree returns core.worktree and core.bare of the repository. Those of the main worktree do
// not apply to a linked one.
func (r *Repository) worktree() (dir string, bare bool) {
	files := []string{filepath.Join(r.GitDir, "config"), filepath.Join(r.GitDir, "config.worktree")}
	if r.CommonDir != r.GitDir {
		files = files[1:]
	}
	for _, name := range files {
		settings, _ := readSettings(name)
		if value := lastValue(settings, "core.worktree"); value != "" {
			dir = value
		}
		if value := lastValue(settings, "core.bare"); value != "" {
			bare = isTrue(value)
		}
	}
	return dir, bare
}

// isTrue reads a boolean as git does; every number but zero is true.
func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true
	}
	return strings.Trim(value, "-+0123456789") == "" && strings.Trim(value, "-+0") != ""
}

// parseSettings reads the syntax that "man git-config" describes. It returns false at what git
// refuses.
func parseSettings(src []byte) ([]setting, bool) {
	src = bytes.ReplaceAll(bytes.TrimPrefix(src, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	p := settingsParser{src: src}
	var all []setting
	section := "" // with its subsection and a dot
	for {
		p.skip(" \t\n\v\f\r")
		switch c := p.peek(); {
		case p.at == len(p.src):
			return all, true
		case c == '#' || c == ';':
			p.skipLine()
		case c == '[':
			var ok bool
			if section, ok = p.header(); !ok {
				return nil, false
			}
		case isLetter(c):
			name := strings.ToLower(p.word("-"))
			value, ok := p.assigned()
			if !ok {
				return nil, false
			}
			all = append(all, setting{section + name, value})
		default:
			return nil, false
		}
	}
}

type settingsParser struct {
	src []byte
	at  int
}

// peek returns the next byte; a line break at the end of the file.
func (p *settingsParser) peek() byte {
	if p.at == len(p.src) {
		return '\n'
	}
	return p.src[p.at]
}

// take consumes a byte if it is the next one.
func (p *settingsParser) take(c byte) bool {
	if p.at == len(p.src) || p.src[p.at] != c {
		return false
	}
	p.at++
	return true
}

func (p *settingsParser) skip(set string) {
	for p.at < len(p.src) && strings.IndexByte(set, p.src[p.at]) >= 0 {
		p.at++
	}
}

func (p *settingsParser) skipLine() {
	for p.at < len(p.src) && p.src[p.at] != '\n' {
		p.at++
	}
}

// word consumes letters, digits and the given bytes.
func (p *settingsParser) word(more string) string {
	start := p.at
	for p.at < len(p.src) && (isLetter(p.src[p.at]) || '0' <= p.src[p.at] && p.src[p.at] <= '9' || strings.IndexByte(more, p.src[p.at]) >= 0) {
		p.at++
	}
	return string(p.src[start:p.at])
}

// header consumes [section], [section "subsection"] or [section.subsection], and returns what
// keys begin with.
func (p *settingsParser) header() (prefix string, ok bool) {
	p.at++
	prefix = strings.ToLower(p.word("-.")) + "."
	if p.take(']') {
		return prefix, prefix != "."
	}
	start := p.at
	if p.skip(" \t"); p.at == start || !p.take('"') {
		return "", false
	}
	var subsection []byte
	for !p.take('"') {
		p.take('\\')
		if p.peek() == '\n' {
			return "", false
		}
		subsection = append(subsection, p.peek())
		p.at++
	}
	return prefix + string(subsection) + ".", p.take(']')
}

// assigned consumes what follows the name of a variable, up to the end of the line.
func (p *settingsParser) assigned() (value string, ok bool) {
	p.skip(" \t")
	if p.peek() == '\n' {
		return "true", true
	}
	if !p.take('=') {
		return "", false
	}
	var all []byte
	quoted, end := false, 0 // end is where white space that is cut off begins
	for {
		c := p.peek()
		if c == '\n' {
			return string(all[:end]), !quoted
		}
		if !quoted && (c == '#' || c == ';') {
			p.skipLine()
			continue
		}
		p.at++
		switch {
		case c == '"':
			quoted = !quoted
			end = len(all)
			continue
		case c == '\\' && p.at < len(p.src):
			escaped := p.src[p.at]
			if p.at++; escaped == '\n' {
				continue
			}
			at := strings.IndexByte(`tbn\"`, escaped)
			if at < 0 {
				return "", false
			}
			all = append(all, "\t\b\n\\\""[at])
			end = len(all)
			continue
		case c == '\\':
			continue // git ignores one at the end of the file
		}
		if blank := strings.IndexByte(" \t\v\f\r", c) >= 0; quoted || !blank {
			all = append(all, c)
			end = len(all)
		} else if len(all) > 0 {
			all = append(all, c)
		}
	}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
