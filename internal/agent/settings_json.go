package agent

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tailscale/hujson"
)

// document is the text of a settings file, taken apart. Nothing in it is changed: edits
// are made in the text, at the offsets of its parts.
type document struct {
	*settings
	src  []byte        // without a byte-order mark
	mark []byte        // the byte-order mark, if there is one
	root *hujson.Value // nil in a blank text
}

// byteOrderMark may begin a text, and is kept.
var byteOrderMark = []byte("\uFEFF")

// maxDepth bounds the nesting of a text: the parser is recursive.
const maxDepth = 500

// parse parses a text, and makes sure that the agent could, and that its hooks have the expected
// shape.
func parse(c Client, src []byte) (*document, error) {
	d := &document{settings: c.settings(), src: src}
	if bytes.HasPrefix(src, byteOrderMark) {
		d.mark, d.src = src[:len(byteOrderMark)], src[len(byteOrderMark):]
	}
	if len(bytes.TrimLeft(d.src, " \t\r\n")) == 0 {
		return d, nil
	}
	if at := tooDeep(d.src); at >= 0 {
		return nil, d.errorAt(at, "it is nested too deeply: flatten it")
	}
	text := d.src
	if d.comments && !bytes.HasSuffix(text, []byte("\n")) { // which a comment in the last line needs
		text = append(slices.Clip(text), '\n')
	}
	root, err := hujson.Parse(text)
	if err != nil {
		return nil, notJSON(err)
	}
	d.root = &root
	if err := d.strict(); err != nil {
		return nil, err
	}
	return d, d.checkShape()
}

// tooDeep returns the offset at which brackets are nested too deeply, or -1.
func tooDeep(src []byte) int {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return i
			}
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case '/':
			i = endOfComment(src, i) - 1
		}
	}
	return -1
}

// endOfComment returns the offset after the comment at an offset, or after that byte if there is
// none.
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

// notJSON returns the error for a text that is not JSON.
func notJSON(err error) error {
	line, column, message := 1, 1, err.Error()
	if n, _ := fmt.Sscanf(message, "hujson: line %d, column %d:", &line, &column); n == 2 {
		_, message, _ = strings.Cut(message, ": ")
		_, message, _ = strings.Cut(message, ": ")
	}
	return &SettingsError{line, fmt.Sprintf("it is not valid JSON (column %d: %s): correct it by hand", column, message)}
}

// strict refuses what the agent's own parser does.
func (d *document) strict() error {
	for v := range d.root.All() {
		before, end := v.StartOffset-len(v.BeforeExtra), v.EndOffset
		if !d.comments && (!v.BeforeExtra.IsStandard() || !v.AfterExtra.IsStandard()) {
			at := before
			if v.BeforeExtra.IsStandard() {
				at = end
			}
			return d.errorAt(at+bytes.IndexByte(d.src[at:], '/'), "%s takes no comments in this file: remove them", d.title)
		}
		var last *hujson.Value
		var inner hujson.Extra
		switch composite := v.Value.(type) {
		case *hujson.Object:
			if n := len(composite.Members); n > 0 {
				last = &composite.Members[n-1].Value
			}
			inner = composite.AfterExtra
		case *hujson.Array:
			if n := len(composite.Elements); n > 0 {
				last = &composite.Elements[n-1]
			}
			inner = composite.AfterExtra
		}
		if !d.comments && !inner.IsStandard() {
			at := end - 1 - len(inner)
			return d.errorAt(at+bytes.IndexByte(d.src[at:], '/'), "%s takes no comments in this file: remove them", d.title)
		}
		if last != nil {
			if at := last.EndOffset + len(last.AfterExtra); d.src[at] == ',' {
				return d.errorAt(at, "%s takes no comma after the last entry: remove it", d.title)
			}
		}
	}
	return nil
}

// checkShape makes sure that hooks can be added and found.
func (d *document) checkShape() error {
	root, isObject := d.root.Value.(*hujson.Object)
	if !isObject {
		return d.errorAt(d.root.StartOffset, "the settings are %s, but must be an object, {…}: replace them with one", describe(*d.root))
	}
	if d.version != "" {
		version := lastMember(root, "version")
		if version == nil || string(literalOf(version.Value)) != d.version {
			return d.errorAt(d.root.StartOffset, "%s reads a file of hooks only with \"version\": %s: add it", d.title, d.version)
		}
	}
	hooks := lastMember(root, "hooks")
	if hooks == nil {
		return nil
	}
	object, isObject := hooks.Value.Value.(*hujson.Object)
	if !isObject {
		return d.errorAt(hooks.Value.StartOffset, "\"hooks\" is %s, but must be an object, {…}: replace it with one, or remove it", describe(hooks.Value))
	}
	for _, event := range d.events {
		if m := lastMember(object, event.Event); m != nil && m.Value.Value.Kind() != '[' {
			return d.errorAt(m.Value.StartOffset, "the hooks of %q are %s, but must be a list, […]: replace them with one, or remove them", event.Event, describe(m.Value))
		}
	}
	return nil
}

func (d *document) errorAt(offset int, format string, args ...any) error {
	return &SettingsError{1 + bytes.Count(d.src[:offset], []byte("\n")), fmt.Sprintf(format, args...)}
}

// describe names a value that should be another one.
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

// lastMember returns the last member with a name, which is the one that counts.
func lastMember(object *hujson.Object, name string) *hujson.ObjectMember {
	for i := len(object.Members) - 1; i >= 0; i-- {
		if nameOf(object.Members[i]) == name {
			return &object.Members[i]
		}
	}
	return nil
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

func literalOf(v hujson.Value) []byte {
	literal, _ := v.Value.(hujson.Literal)
	return literal
}

// at returns the value at a path; its Value is nil if there is none.
func (d *document) at(path []string) (v hujson.Value) {
	if d.root == nil {
		return v
	}
	v = *d.root
	for _, name := range path {
		object, isObject := v.Value.(*hujson.Object)
		if !isObject {
			return hujson.Value{}
		}
		m := lastMember(object, name)
		if m == nil {
			return hujson.Value{}
		}
		v = m.Value
	}
	return v
}

// literal returns the text of the literal at a path.
func (d *document) literal(path []string) string { return string(literalOf(d.at(path))) }

// listContains reports whether the list at a path names something.
func (d *document) listContains(path []string, name string) bool {
	list, isList := d.at(path).Value.(*hujson.Array)
	return isList && slices.ContainsFunc(list.Elements, func(v hujson.Value) bool {
		literal, isLiteral := v.Value.(hujson.Literal)
		return isLiteral && literal.String() == name
	})
}

// handler is a command in the file, and the way to it.
type handler struct {
	Registration
	command                    hujson.Value
	offset                     int
	hooks, event, group, entry int // indexes, from the root downwards; group is -1 in a flat list
}

// handlers lists the commands of all events, as they stand in the text. In a file with two
// objects of hooks, or two lists of an event, those of both are listed.
func (d *document) handlers() (all []handler) {
	if d.root == nil {
		return nil
	}
	root := d.root.Value.(*hujson.Object)
	for hi, hooks := range root.Members {
		object, isObject := hooks.Value.Value.(*hujson.Object)
		if nameOf(hooks) != "hooks" || !isObject {
			continue
		}
		for ei, event := range object.Members {
			list, isList := event.Value.Value.(*hujson.Array)
			if !isList {
				continue
			}
			for gi, entry := range list.Elements {
				if d.flat {
					if r, command, ok := d.registration(nameOf(event), "", entry); ok {
						all = append(all, handler{r, command, entry.StartOffset, hi, ei, -1, gi})
					}
				}
				for ci, command := range commandsOf(entry) { // Copilot also reads groups
					if r, line, ok := d.registration(nameOf(event), stringOf(entry, "matcher"), command); ok {
						all = append(all, handler{r, line, command.StartOffset, hi, ei, gi, ci})
					}
				}
			}
		}
	}
	return all
}

// commandsOf returns the commands of a group.
func commandsOf(group hujson.Value) []hujson.Value {
	if object, isObject := group.Value.(*hujson.Object); isObject {
		if m := lastMember(object, "hooks"); m != nil {
			if list, isList := m.Value.Value.(*hujson.Array); isList {
				return list.Elements
			}
		}
	}
	return nil
}

// registration reads an entry that runs a command, and returns where its command line is.
func (d *document) registration(event, matcher string, v hujson.Value) (r Registration, command hujson.Value, ok bool) {
	r = Registration{Event: event, Matcher: matcher}
	if d.flat && matcher == "" {
		r.Matcher = stringOf(v, "matcher")
	}
	for _, key := range d.commands {
		if line := stringOf(v, key); r.Command == "" && line != "" {
			r.Command, command = line, lastMember(v.Value.(*hujson.Object), key).Value
		}
	}
	if seconds, err := time.ParseDuration(stringOf(v, d.timeout) + "s"); err == nil {
		r.Timeout = time.Duration(float64(seconds) * d.unit.Seconds())
	}
	return r, command, r.Command != ""
}

// stringOf returns the value of a member, without quotes; "" if there is none.
func stringOf(v hujson.Value, name string) string {
	object, isObject := v.Value.(*hujson.Object)
	if !isObject {
		return ""
	}
	m := lastMember(object, name)
	if m == nil {
		return ""
	}
	if l, isLiteral := m.Value.Value.(hujson.Literal); isLiteral {
		return l.String()
	}
	return ""
}
