package agent

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// remove returns the text without a registration, and without the lists and objects that insertion
// has made and that hold nothing else.
func (d *document) remove(h handler) []byte {
	root := d.root.Value.(*hujson.Object)
	hooks := root.Members[h.hooks]
	event := hooks.Value.Value.(*hujson.Object).Members[h.event]
	element := h.element
	if h.group >= 0 {
		group := elementsOf(event.Value)[h.group]
		list := memberOf(group, "hooks")
		if len(elementsOf(list)) > 1 {
			return d.removeChild(list, h.element)
		}
		element = h.group
	}
	return d.removeAt(step{event.Value, element}, step{hooks.Value, h.event}, step{*d.root, h.hooks})
}

// step is an element of an object or list, by its index.
type step struct {
	container hujson.Value
	index     int
}

// removeAt returns the text without the element of the first step. Each further step is the place of
// the container before it, which goes too if insertion has made it.
func (d *document) removeAt(steps ...step) []byte {
	for _, s := range steps {
		if !d.insertedByUs(s.container) {
			return d.removeChild(s.container, s.index)
		}
	}
	return d.removeRoot()
}

// insertedByUs reports whether insertion has made an object or list with one element, which is then
// removed with it.
func (d *document) insertedByUs(container hujson.Value) bool {
	children, inner := childrenOf(container)
	if container.StartOffset == d.root.StartOffset && (endOfComments(d.root.BeforeExtra) > 0 || endOfComments(d.root.AfterExtra) > 0) {
		return false
	}
	switch len(children) {
	case 1:
		before := children[0].before
		_, marked := withoutMark(before)
		return !marked && endOfComments(before) == 0 && endOfComments(inner) == 0
	case 2: // what names the format has been put behind the list
		root := d.root.Value.(*hujson.Object)
		return d.formatKey != "" && container.StartOffset == d.root.StartOffset && nameOf(root.Members[0]) == d.list && nameOf(root.Members[1]) == d.formatKey
	}
	return false
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

// removeChild returns the text without one element of an object or list.
func (d *document) removeChild(container hujson.Value, index int) []byte {
	children, inner := childrenOf(container)
	taken := children[index]
	before := taken.start - len(taken.before)
	kept := endOfComments(taken.before) // spaces after the last comment go with the element
	lineComment := endsInLineComment(taken.before[:kept])
	switch {
	case len(children) == 1:
		held, marked := withoutMark(taken.before)
		if !marked {
			held = taken.before
		}
		if endOfComments(inner) > 0 {
			held = slices.Concat(held, inner)
		}
		return d.splice(splicing{before, container.EndOffset - 1, string(held)})
	case index == len(children)-1:
		comma, end := before-1, taken.end
		last, found := d.lastComma(children)
		if found {
			end = last + 1
		}
		if lineComment && !startsLine(d.src[end:]) {
			kept = len(taken.before)
		}
		if found { // the one before it ends the list then
			return d.splice(splicing{before + kept, end, ""})
		}
		return d.splice(splicing{comma, comma + 1, ""}, splicing{before + kept, taken.end, ""})
	}
	comma := taken.end + len(taken.after)
	if lineComment && !startsLine(d.src[comma+1:]) {
		kept = len(taken.before)
	}
	return d.splice(splicing{before + kept, taken.end, ""}, splicing{comma, comma + 1, ""})
}

// startsLine reports whether a text begins with the end of a line.
func startsLine(src []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(src, " \t\r"), []byte("\n"))
}

// removeRoot returns the text without its settings, as it was before there were any.
func (d *document) removeRoot() []byte {
	rest := d.src[d.root.EndOffset:]
	rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n"))
	return slices.Concat(d.mark, d.src[:d.root.StartOffset], rest)
}
