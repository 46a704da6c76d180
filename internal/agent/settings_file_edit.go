package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whence/internal/words"

	"github.com/tailscale/hujson"
)

// SettingsError reports that a settings file cannot be edited.
type SettingsError struct {
	Line    int // from 1
	Message string
}

func (e *SettingsError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// document is a parsed settings file. Its root holds every byte of the text, so that parts which are not edited do not
// change.
type document struct {
	src    []byte // the parsed text, without the byte-order mark
	mark   []byte // the byte-order mark, if there is one
	root   hujson.Value
	isNew  bool // the text is only white space, or only the root that insertion created is left
	format format
}

// byteOrderMark may begin a text. It is kept.
var byteOrderMark = []byte("\uFEFF")

// maxBrackets limits the number of objects and lists, since the parser is recursive.
const maxBrackets = 100_000

// parseSettings parses a settings file. It returns an error if the agent's own parser would refuse the text, or if
// its hooks have an unexpected shape.
func parseSettings(c Client, src []byte) (*document, error) {
	d := &document{src: src, format: c.profile().format}
	if bytes.HasPrefix(src, byteOrderMark) {
		d.mark, d.src = src[:len(byteOrderMark)], src[len(byteOrderMark):]
	}
	if len(bytes.TrimLeft(d.src, " \t\r\n")) == 0 {
		d.isNew = true
		d.root = hujson.Value{Value: &hujson.Object{}, AfterExtra: slices.Concat([]byte(words.LineEnd(d.src)), d.src)}
		return d, nil
	}
	syntax := (*json.SyntaxError)(nil)
	if !d.format.comments && errors.As(json.Unmarshal(d.src, new(json.RawMessage)), &syntax) {
		return nil, d.errorAt(int(syntax.Offset)-1, "it is not valid JSON, which allows no comments and no trailing commas (%v): correct it by hand", syntax)
	}
	if bytes.Count(d.src, []byte("{"))+bytes.Count(d.src, []byte("[")) > maxBrackets {
		return nil, d.errorAt(0, "it has more than %d objects and lists: remove some by hand", maxBrackets)
	}
	root, err := hujson.Parse(append(slices.Clip(d.src), '\n')) // a comment on the last line needs the line end
	if err != nil {
		line := 1
		_, _ = fmt.Sscanf(err.Error(), "hujson: line %d,", &line)
		return nil, &SettingsError{line, fmt.Sprintf("it is not valid JSON (%v): correct it by hand", err)}
	}
	root.AfterExtra = root.AfterExtra[:len(root.AfterExtra)-1]
	d.root = root
	return d, d.checkShape(c)
}

func (d *document) errorAt(offset int, format string, args ...any) error {
	line := 1 + bytes.Count(d.src[:max(0, offset)], []byte("\n"))
	return &SettingsError{line, fmt.Sprintf(format, args...)}
}

// demand returns an error if a value exists and is not of a kind, '{' or '['.
func (d *document) demand(v *hujson.Value, kind hujson.Kind, title string) error {
	if v == nil || v.Value.Kind() == kind {
		return nil
	}
	wanted := "an object, {…}"
	if kind == '[' {
		wanted = "a list, […]"
	}
	return d.errorAt(v.StartOffset, "%s must be %s: replace it with one, or remove it", title, wanted)
}

// text returns the text of the document. If nothing is left of the root, that is only the text around it.
func (d *document) text() []byte {
	if d.isNew {
		around := bytes.TrimPrefix(bytes.TrimPrefix(d.root.AfterExtra, []byte("\r")), []byte("\n"))
		return slices.Concat(d.mark, d.root.BeforeExtra, around)
	}
	return slices.Concat(d.mark, d.root.Pack())
}

// Values.

// membersOf returns the members of an object; none for any other value.
func membersOf(v *hujson.Value) []hujson.ObjectMember {
	if v == nil {
		return nil
	}
	if object, isObject := v.Value.(*hujson.Object); isObject {
		return object.Members
	}
	return nil
}

// elementsOf returns the elements of a list; none for any other value.
func elementsOf(v *hujson.Value) []hujson.Value {
	if v == nil {
		return nil
	}
	if list, isList := v.Value.(*hujson.Array); isList {
		return list.Elements
	}
	return nil
}

func nameOf(m *hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// at follows the names of members from a value, and returns the value it arrives at; nil if there is none. If several
// members have the same name, the last one counts.
func at(v *hujson.Value, path ...string) *hujson.Value {
	for _, name := range path {
		members := membersOf(v)
		v = nil
		for i := range members {
			if nameOf(&members[i]) == name {
				v = &members[i].Value
			}
		}
	}
	return v
}

// textOf returns a string without its quotes, or a number, true, false or null as written; "" for an object or list.
func textOf(v *hujson.Value) string {
	if v == nil {
		return ""
	}
	literal, _ := v.Value.(hujson.Literal)
	return literal.String()
}

// Insertion.

// unit returns one step of indentation: that of the first member of the root, or else two spaces.
func (d *document) unit() string {
	if members := membersOf(&d.root); len(members) > 0 {
		before := members[0].Name.BeforeExtra
		line := before[bytes.LastIndexByte(before, '\n')+1:]
		if indent := bytes.TrimLeft(line, " \t"); len(indent) == 0 && len(line) > 0 && len(line) < len(before) {
			return string(line)
		}
	}
	return "  "
}

// add adds an element to the list at a path. It creates missing objects and the list.
func (d *document) add(path []string, element any) error {
	container := &d.root
	for i, name := range path {
		inner := at(container, name)
		if inner == nil {
			value := any([]any{element})
			for _, name := range slices.Backward(path[i+1:]) {
				value = map[string]any{name: value}
			}
			return d.insert(container, i, name, value)
		}
		container = inner
	}
	return d.insert(container, len(path), "", element)
}

// insert adds a member to an object, or an element to a list, on lines of its own. It comes before the others or, in a
// list if the format appends, after them.
func (d *document) insert(container *hujson.Value, depth int, name string, value any) error {
	unit, newline := d.unit(), words.LineEnd(d.src)
	outer := strings.Repeat(unit, depth)
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(outer+unit, unit)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	v, err := hujson.Parse(bytes.ReplaceAll(bytes.TrimSpace(encoded.Bytes()), []byte("\n"), []byte(newline)))
	if err != nil {
		return err
	}
	switch c := container.Value.(type) {
	case *hujson.Object:
		member := hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(name)}, Value: v}
		member.Name.BeforeExtra = d.lead(len(c.Members) == 0, &c.AfterExtra, newline+outer, unit)
		member.Value.BeforeExtra = hujson.Extra(" ")
		c.Members = slices.Insert(c.Members, 0, member)
	case *hujson.Array:
		v.BeforeExtra = d.lead(len(c.Elements) == 0, &c.AfterExtra, newline+outer, unit)
		at := 0
		if d.format.appends {
			at = len(c.Elements)
		}
		c.Elements = slices.Insert(c.Elements, at, v)
	}
	d.isNew = false
	return nil
}

// lead returns the text before an inserted element, which begins a line. In an object or list that was empty, the lead
// starts with the bytes that it held and a space: the space shows on removal that the container existed before, and
// where its own bytes end.
func (d *document) lead(isEmpty bool, end *hujson.Extra, line, unit string) hujson.Extra {
	lead := hujson.Extra(line + unit)
	if !isEmpty {
		return lead
	}
	held := *end
	*end = hujson.Extra(line)
	if d.isNew {
		return lead
	}
	return slices.Concat(held, []byte(" "), lead)
}

// Removal.

// removeMembers removes the members of an object for which a function returns true. It reports whether the object must
// be removed, too: insertion created it, and it is empty now.
func removeMembers(v *hujson.Value, isOurs func(*hujson.ObjectMember) bool) (isGone bool) {
	object, isObject := v.Value.(*hujson.Object)
	if !isObject {
		return false
	}
	object.Members, isGone = remove(object.Members, &object.AfterExtra, isOurs, func(m *hujson.ObjectMember) (before, after *hujson.Extra) {
		return &m.Name.BeforeExtra, &m.Value.AfterExtra
	})
	return isGone
}

// removeElements is removeMembers for a list.
func removeElements(v *hujson.Value, isOurs func(*hujson.Value) bool) (isGone bool) {
	list, isList := v.Value.(*hujson.Array)
	if !isList {
		return false
	}
	list.Elements, isGone = remove(list.Elements, &list.AfterExtra, isOurs, func(v *hujson.Value) (before, after *hujson.Extra) {
		return &v.BeforeExtra, &v.AfterExtra
	})
	return isGone
}

// removeAtRoot is removeMembers for the root.
func (d *document) removeAtRoot(isOurs func(*hujson.ObjectMember) bool) {
	isGone := removeMembers(&d.root, isOurs)
	d.isNew = d.isNew || isGone && !hasComment(d.root.BeforeExtra) && !hasComment(d.root.AfterExtra)
}

// remove returns the elements that are not ours, and whether their container must be removed, too. End is the text
// after the last element. Comments next to removed elements are kept.
func remove[E any](all []E, end *hujson.Extra, isOurs func(*E) bool, around func(*E) (before, after *hujson.Extra)) (left []E, isGone bool) {
	var comments, held hujson.Extra
	wasEmpty, isLast := false, false // the container held only held before insertion; the last element is ours
	for i := range all {
		before, after := around(&all[i])
		if !isOurs(&all[i]) {
			*before = slices.Concat(comments, *before)
			comments = nil
			left, isLast = append(left, all[i]), false
			continue
		}
		isLast = true
		if inner, isMarked := withoutMark(*before); isMarked {
			held, wasEmpty, *before = inner, true, inner
		}
		if hasComment(*before) || hasComment(*after) {
			comments = slices.Concat(comments, *before, *after)
		}
	}
	if len(left) == len(all) {
		return all, false
	}
	if len(left) > 0 {
		if isLast {
			_, after := around(&left[len(left)-1])
			*end, *after = slices.Concat(*after, comments, *end), nil // otherwise a comma would follow
		}
		return left, false
	}
	if comments == nil {
		comments = held
	}
	if hasComment(*end) {
		comments = slices.Concat(comments, *end)
	}
	*end = comments
	return nil, !wasEmpty && !hasComment(comments)
}

// withoutMark undoes lead: from the text before a first element it returns the bytes that an empty object or list
// held. It returns false if the text has no mark, a space.
func withoutMark(before hujson.Extra) (held hujson.Extra, isMarked bool) {
	held = before
	if line := bytes.TrimRight(held, " \t"); bytes.HasSuffix(line, []byte("\n")) {
		held = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	}
	return bytes.CutSuffix(held, []byte(" "))
}

// hasComment reports whether the text around a value has a comment.
func hasComment(extra hujson.Extra) bool { return bytes.IndexByte(extra, '/') >= 0 }
