package decision

import (
	"bytes"
	"slices"
	"strings"
)

// htmlKind is a kind of HTML block, by its number in CommonMark 0.31, section 4.6; 0 is none.
type htmlKind int

const (
	noHTML      htmlKind = 0
	htmlElement htmlKind = 6 // from here on, a blank line ends the block
	htmlTag     htmlKind = 7
)

// htmlElements are the names of elements that begin a block of kind 6.
const htmlElements = " address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul "

// rawElements are those of kind 1.
var rawElements = []string{"script", "pre", "style", "textarea"}

// tag matches a line that is one whole tag.
var tag = pattern(`^<(?:/[A-Za-z][A-Za-z0-9-]*[ \t]*|[A-Za-z][A-Za-z0-9-]*(?:[ \t]+[A-Za-z_:][A-Za-z0-9_.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>` + "`" + `]+|'[^']*'|"[^"]*"))?)*[ \t]*/?)>$`)

// htmlOf returns the kind of HTML block that a line begins. A single tag begins none in a paragraph.
func htmlOf(line []byte, inParagraph bool) htmlKind {
	if line[0] != '<' || len(line) < 2 {
		return noHTML
	}
	rest := line[1:]
	switch {
	case bytes.HasPrefix(rest, []byte("!--")):
		return 2
	case rest[0] == '?':
		return 3
	case bytes.HasPrefix(rest, []byte("![CDATA[")):
		return 5
	case len(rest) > 1 && rest[0] == '!' && isLetter(rest[1]):
		return 4
	}
	inner := bytes.TrimPrefix(rest, []byte("/"))
	n := 0
	for n < len(inner) && (isLetter(inner[n]) || n > 0 && (inner[n] == '-' || '0' <= inner[n] && inner[n] <= '9')) {
		n++
	}
	name, after := strings.ToLower(string(inner[:n])), inner[n:]
	ends := len(after) == 0 || after[0] == ' ' || after[0] == '\t' || after[0] == '>'
	switch {
	case name == "":
		return noHTML
	case slices.Contains(rawElements, name):
		if ends && rest[0] != '/' {
			return 1
		}
		return noHTML
	case (ends || bytes.HasPrefix(after, []byte("/>"))) && strings.Contains(htmlElements, " "+name+" "):
		return htmlElement
	case !inParagraph && tag().Match(line):
		return htmlTag
	}
	return noHTML
}

func isLetter(b byte) bool { return 'a' <= b|' ' && b|' ' <= 'z' }

func (k htmlKind) endsAtBlank() bool { return k >= htmlElement }

// ends reports whether a line of a block is its last one.
func (k htmlKind) ends(line []byte) bool {
	switch k {
	case 1:
		lower := bytes.ToLower(line)
		for _, name := range rawElements {
			if bytes.Contains(lower, []byte("</"+name+">")) {
				return true
			}
		}
	case 2:
		return bytes.Contains(line, []byte("-->"))
	case 3:
		return bytes.Contains(line, []byte("?>"))
	case 4:
		return bytes.Contains(line, []byte(">"))
	case 5:
		return bytes.Contains(line, []byte("]]>"))
	}
	return false
}
