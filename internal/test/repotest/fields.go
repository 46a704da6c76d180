package repotest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Fields are those of a JSON object of a shared case. They note which of the keys are read: a key that
// the run of a case has not read fails the case, since nothing compared it.
type Fields struct {
	c      *Case
	name   string // "expect.steps[1]"
	values map[string]any
	read   map[string]bool
	inner  map[string][]*Fields
}

func newFields(c *Case, name string, values map[string]any) *Fields {
	return &Fields{c, name, values, map[string]bool{}, map[string][]*Fields{}}
}

// Has reports whether there is a key. It does not count as reading it.
func (o *Fields) Has(key string) bool {
	_, found := o.values[key]
	return found
}

// Keys returns the keys, sorted. It does not count as reading them.
func (o *Fields) Keys() []string { return slices.Sorted(maps.Keys(o.values)) }

// All returns the values by their keys. It reads them all.
func (o *Fields) All() map[string]any {
	for key := range o.values {
		o.read[key] = true
	}
	return o.values
}

// Any returns a value with all that is in it, or nil.
func (o *Fields) Any(key string) any {
	o.read[key] = true
	return o.values[key]
}

// Prose marks keys whose values are words for a reader, which the run of the case follows.
func (o *Fields) Prose(keys ...string) {
	for _, key := range keys {
		o.read[key] = true
	}
}

// value returns a value of one type, or nothing if it is null or missing. Any other type
// fails the case.
func value[T any](o *Fields, key string) (v T) {
	v, is := o.Any(key).(T)
	if !is && o.values[key] != nil {
		o.c.Fatalf("%s.%s is %T, not %T", o.name, key, o.values[key], v)
	}
	return v
}

// Text returns a text, or "".
func (o *Fields) Text(key string) string { return value[string](o, key) }

// Number returns a whole number, or 0.
func (o *Fields) Number(key string) int { return int(value[float64](o, key)) }

// True returns a truth value, or false.
func (o *Fields) True(key string) bool { return value[bool](o, key) }

// List returns a list, or nil.
func (o *Fields) List(key string) []any { return value[[]any](o, key) }

// Texts returns a list of texts, or nil.
func (o *Fields) Texts(key string) (texts []string) {
	o.Decode(key, &texts)
	return texts
}

// Object returns an object, whose keys have to be read too. A missing one is empty.
func (o *Fields) Object(key string) *Fields {
	if o.inner[key] == nil {
		o.inner[key] = []*Fields{newFields(o.c, o.name+"."+key, value[map[string]any](o, key))}
	}
	return o.inner[key][0]
}

// Objects returns a list of objects, whose keys have to be read too.
func (o *Fields) Objects(key string) []*Fields {
	if o.inner[key] != nil {
		return o.inner[key]
	}
	for i, element := range o.List(key) {
		values, is := element.(map[string]any)
		if !is {
			o.c.Fatalf("%s.%s[%d] is %T, not an object", o.name, key, i, element)
		}
		o.inner[key] = append(o.inner[key], newFields(o.c, fmt.Sprintf("%s.%s[%d]", o.name, key, i), values))
	}
	return o.inner[key]
}

// Raw returns a value as JSON, or nil.
func (o *Fields) Raw(key string) json.RawMessage {
	if !o.Has(key) {
		return nil
	}
	src, err := json.Marshal(o.Any(key))
	if err != nil {
		o.c.Fatal(err)
	}
	return src
}

// Decode decodes a value, if there is one. A key in it that the target does not have fails
// the case.
func (o *Fields) Decode(key string, into any) {
	if !o.Has(key) {
		return
	}
	decoder := json.NewDecoder(bytes.NewReader(o.Raw(key)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		o.c.Fatalf("%s.%s: %v", o.name, key, err)
	}
}

// unread returns the keys that nothing has read, with those of inner objects.
func (o *Fields) unread() (keys []string) {
	for _, key := range o.Keys() {
		if !o.read[key] && !slices.Contains(prose, key) {
			keys = append(keys, o.name+"."+key)
		}
		for _, inner := range o.inner[key] {
			keys = append(keys, inner.unread()...)
		}
	}
	return keys
}
