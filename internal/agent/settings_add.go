package agent

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"
)

// add returns the text with one more item, last in the list or object (by its brackets) at the end of a
// path. Objects and lists on the way are made.
func (d *document) add(path []string, brackets string, value item) []byte {
	missing := func(from int) item {
		made := list(brackets, value)
		for _, name := range slices.Backward(path[from+1:]) {
			made = list("{}", member(name, made))
		}
		return member(path[from], made)
	}
	if d.root == nil {
		return d.create(missing(0))
	}
	container := *d.root
	for i, name := range path {
		inner := memberOf(container, name)
		if inner.Value == nil {
			return d.insert(container, missing(i))
		}
		container = inner
	}
	return d.insert(container, value)
}

// element returns an element of the list of an event: a command, or a group with one.
func (d *document) element(r Registration) item {
	command := []item{member("type", quoted("command"))}
	if d.commandName != "" {
		command = append(command, member("name", quoted(d.commandName)))
	}
	command = append(command, member(d.commandKeys[0], quoted(r.Command)))
	if r.Timeout > 0 {
		count := strconv.FormatFloat(r.Timeout.Seconds()/d.timeoutUnit.Seconds(), 'f', -1, 64)
		command = append(command, member(d.timeoutKey, literal(count)))
	}
	var matcher []item
	if r.Matcher != "" {
		matcher = []item{member("matcher", quoted(r.Matcher))}
	}
	if d.flat {
		return list("{}", slices.Concat(command, matcher)...)
	}
	return list("{}", append(matcher, member("hooks", list("[]", list("{}", command...))))...)
}

// create adds an object with a list to an empty text, and what names the format if it needs that,
// after the list: in a file that was there before, the list comes after it.
func (d *document) create(first item) []byte {
	members := []item{first}
	if d.formatKey != "" {
		members = append(members, member(d.formatKey, literal(d.format)))
	}
	l := d.layout()
	return slices.Concat(d.mark, []byte(list("{}", members...)(l, "")+l.newline), d.src)
}

// insert adds an item after the others of an object or list. One that was empty before keeps a space
// before the item, which shows removal that insertion has not made it, and where its own bytes end.
func (d *document) insert(container hujson.Value, write item) []byte {
	children, inner := childrenOf(container)
	l := d.layout()
	closing := container.EndOffset - 1
	base := d.indentOf(container.StartOffset)
	if len(children) == 0 {
		l.lines = l.lines || bytes.IndexByte(inner, '\n') >= 0
		text := " " + write(l, base+l.unit)
		if l.lines {
			text = " " + l.newline + base + l.unit + write(l, base+l.unit) + l.newline + base
		}
		return d.splice(splicing{closing, closing, text})
	}
	behind := children[len(children)-1]
	indent, own := ownLine(behind.before)
	comments := endOfComments(inner)
	if !own && endsInLineComment(inner[:comments]) {
		indent, own = base+l.unit, true
	}
	at, comma := behind.end+comments, ""
	before := splicing{behind.end, behind.end, ","}
	if last, found := d.lastComma(children); found { // so the new one has one, too
		at, comma = last+1+comments, ","
		before.text = ""
	}
	if !own {
		l.lines = false
		return d.splice(before, splicing{at, at, l.gap + write(l, "") + comma})
	}
	l.lines = true
	return d.splice(before, splicing{at, at, l.newline + indent + write(l, indent) + comma})
}

// child is an element of an object or list.
type child struct {
	start, end    int // of the element, without what is around it
	before, after hujson.Extra
}

// childrenOf returns the elements of an object or list, and what follows the last one.
func childrenOf(container hujson.Value) (children []child, inner hujson.Extra) {
	switch v := container.Value.(type) {
	case *hujson.Object:
		for _, m := range v.Members {
			children = append(children, child{m.Name.StartOffset, m.Value.EndOffset, m.Name.BeforeExtra, m.Value.AfterExtra})
		}
		inner = v.AfterExtra
	case *hujson.Array:
		for _, e := range v.Elements {
			children = append(children, child{e.StartOffset, e.EndOffset, e.BeforeExtra, e.AfterExtra})
		}
		inner = v.AfterExtra
	}
	return children, inner
}

// endOfComments returns the length of spaces and comments up to the end of the last comment, without
// its line end.
func endOfComments(extra hujson.Extra) int {
	end := 0
	for i := 0; i < len(extra); i++ {
		if extra[i] == '/' {
			i = endOfComment(extra, i)
			end = i
			if extra[i-1] == '\n' {
				end--
			}
			if end > 0 && extra[end-1] == '\r' {
				end--
			}
			i--
		}
	}
	return end
}

// endsInLineComment reports whether the line ends in a comment, and so cannot go on.
func endsInLineComment(extra hujson.Extra) bool {
	return len(extra) > 0 && !bytes.HasSuffix(extra, []byte("*/"))
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
