package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whence/internal/text"

	"github.com/tailscale/hujson"
)

// SettingsError reports that a settings file cannot be edited.
type SettingsError struct {
	Line    int // where, from 1
	Message string
}

func (e *SettingsError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// document is the text of a settings file, parsed. Edits are made in the text, at the offsets of its
// parts: every other byte stays.
type document struct {
	src    []byte        // without a byte-order mark
	mark   []byte        // the byte-order mark, if there is one
	root   *hujson.Value // nil in a blank text
	format format
}

// byteOrderMark may begin a text, and is kept.
var byteOrderMark = []byte("\uFEFF")

// parseSettings parses a settings file. It returns an error if the agent's own parser would refuse the text, or if
// its hooks have an unexpected shape.
func parseSettings(c Client, src []byte) (*document, error) {
	d := &document{src: src, format: c.profile().format}
	if bytes.HasPrefix(src, byteOrderMark) {
		d.mark, d.src = src[:len(byteOrderMark)], src[len(byteOrderMark):]
	}
	if len(bytes.TrimLeft(d.src, " \t\r\n")) == 0 {
		return d, nil
	}
	if err := d.checkSyntax(c); err != nil {
		return nil, err
	}
	root, err := hujson.Parse(append(slices.Clip(d.src), '\n')) // which a comment in the last line needs
	if err != nil {
		return nil, d.errorAt(0, "it is not valid JSON (%v): correct it by hand", err)
	}
	d.root = &root
	if _, isObject := root.Value.(*hujson.Object); !isObject {
		return nil, d.errorAt(root.StartOffset, "the settings are %s, but must be an object, {…}: replace them with one", describe(root))
	}
	return d, d.checkShape(c)
}

// checkSyntax returns an error for a text that is not JSON, apart from comments if the agent takes them.
// It also bounds the nesting, before a recursive parser reads the text.
func (d *document) checkSyntax(c Client) error {
	plain := d.src
	if d.format.comments {
		plain = withoutComments(d.src)
	}
	err := json.Unmarshal(plain, new(json.RawMessage))
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	at := max(0, int(syntax.Offset)-1)
	if bytes.HasPrefix(plain[at:], []byte("//")) || bytes.HasPrefix(plain[at:], []byte("/*")) {
		return d.errorAt(at, "%s takes no comments in this file: remove them", c.Title())
	}
	before := bytes.TrimRight(plain[:at], " \t\r\n")
	if isBracket := plain[at] == '}' || plain[at] == ']'; isBracket && bytes.HasSuffix(before, []byte(",")) {
		return d.errorAt(len(before), "%s takes no comma after the last element: remove it", c.Title())
	}
	column := at - bytes.LastIndexByte(plain[:at], '\n')
	return d.errorAt(at, "it is not valid JSON (column %d: %v): correct it by hand", column, err)
}

func (d *document) errorAt(offset int, format string, args ...any) error {
	return &SettingsError{1 + bytes.Count(d.src[:offset], []byte("\n")), fmt.Sprintf(format, args...)}
}

// describe returns the kind of a value, for errors.
func describe(v hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 'n':
		return "null"
	case '0':
		return "a number"
	}
	return "true or false"
}

// Comments.

// withoutComments returns a text with spaces in place of comments.
func withoutComments(src []byte) []byte {
	out := bytes.Clone(src)
	for i := 0; i < len(out); i++ {
		switch out[i] {
		case '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case '/':
			end := endOfComment(out, i)
			copy(out[i:end], bytes.Repeat([]byte(" "), end-i))
			i = end - 1
		}
	}
	return out
}

// endOfComment returns the offset after the comment at an offset, or after that byte if there is none.
func endOfComment(src []byte, at int) int {
	end := -1
	switch rest := src[at:]; {
	case bytes.HasPrefix(rest, []byte("//")):
		end = bytes.IndexByte(rest, '\n')
	case bytes.HasPrefix(rest, []byte("/*")):
		if end = bytes.Index(rest[2:], []byte("*/")); end >= 0 {
			end += 4
		}
	default:
		end = 1
	}
	if end < 0 {
		return len(src)
	}
	return at + end
}

// hasComment reports whether there is a comment in what is around a value.
func hasComment(extra hujson.Extra) bool { return bytes.IndexByte(extra, '/') >= 0 }

// Values.

// child is an element of an object or list.
type child struct {
	start, end    int // of the element, without what is around it
	before, after hujson.Extra
	value         hujson.Value // of a member of an object: without its name
}

// childrenOf returns the elements of an object or list, and what follows the last one.
func childrenOf(container hujson.Value) (children []child, inner hujson.Extra) {
	switch v := container.Value.(type) {
	case *hujson.Object:
		for _, m := range v.Members {
			children = append(children, child{m.Name.StartOffset, m.Value.EndOffset, m.Name.BeforeExtra, m.Value.AfterExtra, m.Value})
		}
		inner = v.AfterExtra
	case *hujson.Array:
		for _, e := range v.Elements {
			children = append(children, child{e.StartOffset, e.EndOffset, e.BeforeExtra, e.AfterExtra, e})
		}
		inner = v.AfterExtra
	}
	return children, inner
}

// membersOf returns the members of an object; none of another value.
func membersOf(v hujson.Value) []hujson.ObjectMember {
	if object, isObject := v.Value.(*hujson.Object); isObject {
		return object.Members
	}
	return nil
}

// elementsOf returns the elements of a list; none of another value.
func elementsOf(v hujson.Value) []hujson.Value {
	if list, isList := v.Value.(*hujson.Array); isList {
		return list.Elements
	}
	return nil
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// indexOf returns the index of an object's member; -1 if there is none. Of several with the same name
// the last one counts.
func indexOf(v hujson.Value, name string) int {
	for i, m := range slices.Backward(membersOf(v)) {
		if nameOf(m) == name {
			return i
		}
	}
	return -1
}

// memberOf returns the value of an object's member. Without any, the Value of the result is nil.
func memberOf(v hujson.Value, name string) hujson.Value {
	if i := indexOf(v, name); i >= 0 {
		return membersOf(v)[i].Value
	}
	return hujson.Value{}
}

// at returns the value at a path with dots; its Value is nil if there is none.
func (d *document) at(path string) (v hujson.Value) {
	if d.root == nil {
		return v
	}
	v = *d.root
	for name := range strings.SplitSeq(path, ".") {
		v = memberOf(v, name)
	}
	return v
}

// literalOf returns a string with its quotes, a number, true, false or null as it is written; nil for an
// object or list.
func literalOf(v hujson.Value) hujson.Literal {
	literal, _ := v.Value.(hujson.Literal)
	return literal
}

// textOf returns a string without its quotes, or another literal as it is written; "" for an object or list.
func textOf(v hujson.Value) string {
	if literal := literalOf(v); literal != nil {
		return literal.String()
	}
	return ""
}

// Insertion.

// add returns the text with one more item, first in the list or object (by its brackets) at the end of a
// path. Objects and lists on the way are made.
func (d *document) add(path []string, brackets string, value item) []byte {
	missing := func(from int) item {
		made := list(brackets, value)
		for _, name := range slices.Backward(path[from+1:]) {
			made = list("{}", member(name, made))
		}
		return member(path[from], made)
	}
	l := d.layout()
	if d.root == nil {
		return slices.Concat(d.mark, []byte(list("{}", missing(0))(l, "")+l.newline), d.src)
	}
	container := *d.root
	for i, name := range path {
		inner := memberOf(container, name)
		if inner.Value == nil {
			return d.insert(l, container, missing(i))
		}
		container = inner
	}
	return d.insert(l, container, value)
}

// insert adds an item before the others of an object or list. One that was empty before keeps a space
// before the item, which shows removal that insertion has not made it, and where its own bytes end.
func (d *document) insert(l layout, container hujson.Value, write item) []byte {
	children, inner := childrenOf(container)
	if len(children) == 0 {
		closing, base := container.EndOffset-1, d.indentOf(container.StartOffset)
		l.lines = l.lines || bytes.IndexByte(inner, '\n') >= 0
		text := " " + write(l, base+l.unit)
		if l.lines {
			text = " " + l.newline + base + l.unit + write(l, base+l.unit) + l.newline + base
		}
		return d.splice(splicing{closing, closing, text})
	}
	indent, own := ownLine(children[0].before)
	l.lines = own
	text := write(l, "")
	if own {
		text = l.newline + indent + write(l, indent)
	}
	at := container.StartOffset + 1
	return d.splice(splicing{at, at, text + ","})
}

// item writes a value for a place with an indentation.
type item func(l layout, indent string) string

// list writes an object or a list: the brackets, and what is in it.
func list(brackets string, items ...item) item {
	return func(l layout, indent string) string {
		between, end := l.gap, ""
		if l.lines {
			between, end = l.newline+indent+l.unit, l.newline+indent
		}
		var out strings.Builder
		out.WriteByte(brackets[0])
		for i, write := range items {
			if i > 0 {
				out.WriteString(",")
			}
			if i > 0 || l.lines {
				out.WriteString(between)
			}
			out.WriteString(write(l, indent+l.unit))
		}
		out.WriteString(end)
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
	if d.root == nil || len(membersOf(*d.root)) == 0 {
		return l
	}
	first := membersOf(*d.root)[0]
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

// ownLine reports whether a value begins a line, and how that is indented, from the text before the value.
func ownLine(before hujson.Extra) (indent string, own bool) {
	at := bytes.LastIndexByte(before, '\n')
	return indentation(before[at+1:]), at >= 0
}

// indentOf returns the indentation of the line at an offset.
func (d *document) indentOf(offset int) string {
	return indentation(d.src[bytes.LastIndexByte(d.src[:offset], '\n')+1:])
}

// indentation returns the spaces and tabs that begin a line.
func indentation(line []byte) string {
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// Removal.

// remove returns the text without the element at a path of indexes, from the root downwards, and without
// the objects and lists around it that insertion has made and that hold nothing else.
func (d *document) remove(path ...int) []byte {
	containers := []hujson.Value{*d.root}
	for i, index := range path[:len(path)-1] {
		children, _ := childrenOf(containers[i])
		containers = append(containers, children[index].value)
	}
	for i, container := range slices.Backward(containers) {
		if !d.insertedByUs(container) {
			return d.removeChild(container, path[i])
		}
	}
	rest := d.src[d.root.EndOffset:] // as it was before there were settings
	rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n"))
	return slices.Concat(d.mark, d.src[:d.root.StartOffset], rest)
}

// insertedByUs reports whether insertion has made an object or list with one element, which is then
// removed with it.
func (d *document) insertedByUs(container hujson.Value) bool {
	children, inner := childrenOf(container)
	if len(children) != 1 || hasComment(children[0].before) || hasComment(inner) {
		return false
	}
	isRoot := container.StartOffset == d.root.StartOffset
	if isRoot && (hasComment(d.root.BeforeExtra) || hasComment(d.root.AfterExtra)) {
		return false
	}
	_, marked := withoutMark(children[0].before)
	return !marked
}

// withoutMark returns the contents of an empty object or list before insertion filled it, given what
// precedes its first element.
func withoutMark(before hujson.Extra) (held hujson.Extra, marked bool) {
	held = before
	if line := bytes.TrimRight(held, " \t"); bytes.HasSuffix(line, []byte("\n")) {
		held = hujson.Extra(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")))
	}
	if !bytes.HasSuffix(held, []byte(" ")) {
		return nil, false
	}
	return held[:len(held)-1], true
}

// removeChild returns the text without one element of an object or list, and the comma beside it. Comments stay.
func (d *document) removeChild(container hujson.Value, index int) []byte {
	children, inner := childrenOf(container)
	removed := children[index]
	start := removed.start - len(removed.before)
	if len(children) == 1 {
		held, marked := withoutMark(removed.before)
		if !marked {
			held = removed.before
		}
		if hasComment(inner) {
			held = slices.Concat(held, inner)
		}
		return d.splice(splicing{start, container.EndOffset - 1, string(held)})
	}
	element := splicing{start, removed.end, ""}
	if hasComment(removed.before) {
		element.start = removed.start
	}
	comma := removed.end + len(removed.after)
	if index == len(children)-1 {
		return d.splice(splicing{start - 1, start, ""}, element)
	}
	return d.splice(element, splicing{comma, comma + 1, ""})
}

// splicing is a stretch of the text, and what is put in its place.
type splicing struct {
	start, end int
	text       string
}

// splice returns the text with edits, which are in order.
func (d *document) splice(edits ...splicing) []byte {
	out := slices.Clone(d.mark)
	at := 0
	for _, c := range edits {
		out = append(append(out, d.src[at:c.start]...), c.text...)
		at = c.end
	}
	return append(out, d.src[at:]...)
}
