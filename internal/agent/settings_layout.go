package agent

import (
	"bytes"
	"strings"

	"whence/internal/text"

	"github.com/tailscale/hujson"
)

// layout is the style of a text.
type layout struct {
	lines   bool   // an element a line; else all on one
	newline string // "\n" or "\r\n"
	unit    string // one step of indentation
	gap     string // behind colons, and behind commas on one line
}

// layout detects the style of the text.
func (d *document) layout() layout {
	l := layout{lines: true, newline: text.LineEnd(d.src), unit: "  ", gap: " "}
	if d.root == nil {
		return l
	}
	object := d.root.Value.(*hujson.Object)
	if len(object.Members) == 0 {
		return l
	}
	first := object.Members[0]
	if len(first.Value.BeforeExtra) == 0 {
		l.gap = ""
	}
	l.lines = bytes.IndexByte(d.src[d.root.StartOffset:d.root.EndOffset], '\n') >= 0
	if indent, own := ownLine(first.Name.BeforeExtra); own && indent != "" {
		l.unit = indent
		if outer := d.indentOf(d.root.StartOffset); strings.HasPrefix(indent, outer) && indent != outer {
			l.unit = indent[len(outer):]
		}
	}
	return l
}

// ownLine reports whether a value has a line of its own, and how that is indented, given what
// precedes the value.
func ownLine(before hujson.Extra) (indent string, own bool) {
	at := bytes.LastIndexByte(before, '\n')
	if at < 0 {
		return "", false
	}
	line := before[at+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]), true
}

// indentOf returns the indentation of the line at an offset.
func (d *document) indentOf(offset int) string {
	line := d.src[bytes.LastIndexByte(d.src[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// item writes a value for a place with an indentation.
type item func(l layout, indent string) string

// list writes an object or a list: the brackets, and what is in it.
func list(brackets string, items ...item) item {
	return func(l layout, indent string) string {
		var out strings.Builder
		out.WriteByte(brackets[0])
		for i, write := range items {
			switch {
			case i > 0 && l.lines:
				out.WriteString(",")
			case i > 0:
				out.WriteString("," + l.gap)
			}
			if l.lines {
				out.WriteString(l.newline + indent + l.unit)
			}
			out.WriteString(write(l, indent+l.unit))
		}
		if l.lines {
			out.WriteString(l.newline + indent)
		}
		out.WriteByte(brackets[1])
		return out.String()
	}
}

// member writes a member of an object.
func member(name string, value item) item {
	return func(l layout, indent string) string {
		return string(hujson.String(name)) + ":" + l.gap + value(l, indent)
	}
}

// literal writes a value as it is given.
func literal(text string) item {
	return func(layout, string) string { return text }
}

// quoted writes a string.
func quoted(s string) item { return literal(string(hujson.String(s))) }
