package remember

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// ErrMoreJSON is returned for a text that holds more than one JSON value.
var ErrMoreJSON = errors.New("more than one JSON object")

// DecodeObject reads a text that holds one JSON object, and nothing else, into a struct. Because programs
// and models send numbers, booleans and lists as text, it accepts whatever means the same without loss. A
// missing or null field stays as it is. It returns the names of fields that the struct does not have,
// sorted; the caller decides whether they matter. The error for a text that is not UTF-8, or has a NUL, is
// a *NotTextError.
func DecodeObject(src []byte, into any) (unknown []string, err error) {
	if err := CheckUTF8("the JSON", string(src)); err != nil {
		return nil, err
	}
	fields, err := decodeFields(src)
	if err != nil {
		return nil, err
	}
	target := reflect.ValueOf(into).Elem()
	for i := range target.NumField() {
		name, _, _ := strings.Cut(target.Type().Field(i).Tag.Get("json"), ",")
		value, found := fields[name]
		delete(fields, name)
		if !found || string(value) == "null" {
			continue
		}
		if err := checkEscapes(name, string(value)); err != nil {
			return nil, err
		}
		if want := decodeField(value, target.Field(i)); want != "" {
			return nil, fmt.Errorf("%s must be %s", name, want)
		}
	}
	for name := range fields {
		unknown = append(unknown, name)
	}
	slices.Sort(unknown)
	return unknown, nil
}

func decodeFields(src []byte) (fields map[string]json.RawMessage, err error) {
	decoder := json.NewDecoder(bytes.NewReader(src))
	var other *json.UnmarshalTypeError
	switch err := decoder.Decode(&fields); {
	case errors.As(err, &other):
		return nil, fmt.Errorf("a JSON %s, not an object", other.Value)
	case err != nil:
		return nil, err
	}
	switch _, err := decoder.Token(); {
	case err == nil:
		return nil, ErrMoreJSON
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("behind the JSON object: %w", err)
	}
	return fields, nil
}

// decodeField stores a JSON value in a field. If it does not fit, it returns what the value should be.
func decodeField(src json.RawMessage, field reflect.Value) (want string) {
	switch field.Kind() {
	case reflect.Pointer: // a value that may be missing
		field.Set(reflect.New(field.Type().Elem()))
		return decodeField(src, field.Elem())
	case reflect.String:
		s, ok := jsonText(src)
		if !ok {
			return "a string"
		}
		field.SetString(s)
	case reflect.Int:
		s, _ := jsonText(src)
		n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || n != math.Trunc(n) || math.Abs(n) > math.MaxInt32 {
			return "a whole number"
		}
		field.SetInt(int64(n))
	case reflect.Bool:
		s, _ := jsonText(src)
		s = strings.ToLower(strings.TrimSpace(s))
		if s != "true" && s != "false" {
			return "true or false"
		}
		field.SetBool(s == "true")
	case reflect.Slice:
		list, ok := jsonList(src)
		if !ok {
			return "a list of strings"
		}
		field.Set(reflect.ValueOf(list))
	default: // a time
		if err := json.Unmarshal(src, field.Addr().Interface()); err != nil {
			return "a time, as in 2026-01-31T12:00:00Z"
		}
	}
	return ""
}

// jsonText returns a JSON string, number or boolean as text.
func jsonText(src json.RawMessage) (s string, ok bool) {
	switch src[0] {
	case '"':
		return s, json.Unmarshal(src, &s) == nil
	case '{', '[', 'n':
		return "", false
	}
	return string(src), true
}

// jsonList returns a JSON list of strings, the list that a string holds as JSON, or a string as the
// only item. An empty string is an empty list.
func jsonList(src json.RawMessage) (list []string, ok bool) {
	var items []json.RawMessage
	if src[0] == '"' {
		s, ok := jsonText(src)
		if s = strings.TrimSpace(s); s == "" || !ok {
			return nil, ok
		}
		if s[0] != '[' || json.Unmarshal([]byte(s), &items) != nil || checkEscapes("", s) != nil {
			return []string{s}, true
		}
	} else if json.Unmarshal(src, &items) != nil {
		return nil, false
	}
	for _, item := range items {
		s, ok := jsonText(item)
		if !ok {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}
