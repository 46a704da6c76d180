package agent

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tailscale/hujson"
)

// document is a parsed settings file. Edits are made in its text, at the offsets of its parts.
type document struct {
	*profile
	list  string        // the member that is edited: "hooks" or a list of servers
	hooks []Hook        // that the programs need
	src   []byte        // without a byte-order mark
	mark  []byte        // the byte-order mark, if there is one
	root  *hujson.Value // nil in a blank text
}

// byteOrderMark may begin a text, and is kept.
var byteOrderMark = []byte("\uFEFF")

// maxDepth bounds the nesting of a text: the parser is recursive.
const maxDepth = 500

// parse parses a text. It returns an error if the agent could not read it, or if its hooks have an
// unexpected shape.
func parse(c Client, src []byte) (*document, error) {
	d := &document{profile: c.profile(), list: "hooks", hooks: c.Hooks()}
	if err := d.parse(src); err != nil {
		return nil, err
	}
	if d.root == nil {
		return d, nil
	}
	return d, d.checkShape()
}

// parse parses a text that must be an object.
func (d *document) parse(src []byte) error {
	d.src = src
	if bytes.HasPrefix(src, byteOrderMark) {
		d.mark, d.src = src[:len(byteOrderMark)], src[len(byteOrderMark):]
	}
	if len(bytes.TrimLeft(d.src, " \t\r\n")) == 0 {
		return nil
	}
	if at := tooDeep(d.src); at >= 0 {
		return d.errorAt(at, "it is nested too deeply: flatten it")
	}
	text := d.src
	if d.comments && !bytes.HasSuffix(text, []byte("\n")) { // which a comment in the last line needs
		text = append(slices.Clip(text), '\n')
	}
	root, err := hujson.Parse(text)
	if err != nil {
		return notJSON(err)
	}
	d.root = &root
	if err := d.strict(); err != nil {
		return err
	}
	if _, isObject := d.root.Value.(*hujson.Object); !isObject {
		return d.errorAt(d.root.StartOffset, "the settings are %s, but must be an object, {…}: replace them with one", describe(*d.root))
	}
	return nil
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

// strict returns an error for what the agent's own parser refuses.
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
		children, inner := childrenOf(*v)
		if !d.comments && !inner.IsStandard() {
			at := end - 1 - len(inner)
			return d.errorAt(at+bytes.IndexByte(d.src[at:], '/'), "%s takes no comments in this file: remove them", d.title)
		}
		if at, found := d.lastComma(children); found && !d.lastCommas {
			return d.errorAt(at, "%s takes no comma after the last element: remove it", d.title)
		}
	}
	return nil
}

// lastComma returns the offset of the comma after the last element, if there is one.
func (d *document) lastComma(children []child) (at int, found bool) {
	if len(children) == 0 {
		return 0, false
	}
	last := children[len(children)-1]
	at = last.end + len(last.after)
	return at, d.src[at] == ','
}

// checkShape returns an error if hooks cannot be added and found.
func (d *document) checkShape() error {
	if d.formatKey != "" && string(literalOf(memberOf(*d.root, d.formatKey))) != d.format {
		return d.errorAt(d.root.StartOffset, "%s reads a file of hooks only with %q: %s: add it", d.title, d.formatKey, d.format)
	}
	hooks := memberOf(*d.root, "hooks")
	if hooks.Value == nil {
		return nil
	}
	if _, isObject := hooks.Value.(*hujson.Object); !isObject {
		return d.errorAt(hooks.StartOffset, "\"hooks\" is %s, but must be an object, {…}: replace it with one, or remove it", describe(hooks))
	}
	for _, hook := range d.hooks {
		if list := memberOf(hooks, hook.Event); list.Value != nil && list.Value.Kind() != '[' {
			return d.errorAt(list.StartOffset, "the hooks of %q are %s, but must be a list, […]: replace them with one, or remove them", hook.Event, describe(list))
		}
	}
	return nil
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

// memberOf returns the value of an object's member. Of several with the same name the last one
// counts. Without any, the Value of the result is nil.
func memberOf(v hujson.Value, name string) hujson.Value {
	object, _ := v.Value.(*hujson.Object)
	if object == nil {
		return hujson.Value{}
	}
	for _, m := range slices.Backward(object.Members) {
		if nameOf(m) == name {
			return m.Value
		}
	}
	return hujson.Value{}
}

// elementsOf returns the elements of a list; none of another value.
func elementsOf(v hujson.Value) []hujson.Value {
	if list, isList := v.Value.(*hujson.Array); isList {
		return list.Elements
	}
	return nil
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

func literalOf(v hujson.Value) hujson.Literal {
	literal, _ := v.Value.(hujson.Literal)
	return literal
}

// stringOf returns the value of a member, without quotes; "" if there is none.
func stringOf(v hujson.Value, name string) string {
	if literal, isLiteral := memberOf(v, name).Value.(hujson.Literal); isLiteral {
		return literal.String()
	}
	return ""
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

// handler is a command in the file, and the way to it.
type handler struct {
	Registration
	command                      hujson.Value
	hooks, event, group, element int // indexes, from the root downwards; group is -1 in a flat list
}

// handlers returns the commands of all events, in the order of the text. Of a file with two objects
// of hooks, or two lists of an event, it returns those of both.
func (d *document) handlers() (all []handler) {
	if d.root == nil {
		return nil
	}
	for hi, hooks := range d.root.Value.(*hujson.Object).Members {
		object, isObject := hooks.Value.Value.(*hujson.Object)
		if nameOf(hooks) != "hooks" || !isObject {
			continue
		}
		for ei, event := range object.Members {
			for gi, element := range elementsOf(event.Value) {
				matcher := stringOf(element, "matcher")
				if d.flat {
					if r, command, ok := d.registration(nameOf(event), matcher, element); ok {
						all = append(all, handler{r, command, hi, ei, -1, gi})
					}
				}
				for ci, command := range elementsOf(memberOf(element, "hooks")) { // Copilot also reads groups
					if r, line, ok := d.registration(nameOf(event), matcher, command); ok {
						all = append(all, handler{r, line, hi, ei, gi, ci})
					}
				}
			}
		}
	}
	return all
}

// registration reads an element that runs a command, and returns where its command line is.
func (d *document) registration(event, matcher string, v hujson.Value) (r Registration, command hujson.Value, ok bool) {
	r = Registration{Event: event, Matcher: matcher}
	if d.flat && matcher == "" {
		r.Matcher = stringOf(v, "matcher")
	}
	for _, key := range d.commandKeys {
		if r.Command = stringOf(v, key); r.Command != "" {
			command = memberOf(v, key)
			break
		}
	}
	if seconds, err := time.ParseDuration(stringOf(v, d.timeoutKey) + "s"); err == nil {
		r.Timeout = time.Duration(float64(seconds) * d.timeoutUnit.Seconds())
	}
	return r, command, r.Command != ""
}
