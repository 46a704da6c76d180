package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// parse reads the arguments of a call into a struct of strings, whole numbers, booleans and lists of
// strings. Clients and models send some of these as text: what means the same without loss is taken.
// A missing or null argument stays zero; the tool decides whether it is required. Unknown ones are
// ignored, as some clients add their own.
func parse(arguments json.RawMessage, into any) error {
	if len(bytes.TrimSpace(arguments)) == 0 {
		return nil
	}
	var given map[string]any
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	if err := decoder.Decode(&given); err != nil {
		return fmt.Errorf("the arguments must be an object: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	target := reflect.ValueOf(into).Elem()
	for i := range target.NumField() {
		name, _, _ := strings.Cut(target.Type().Field(i).Tag.Get("json"), ",")
		value, found := given[name]
		if !found || value == nil {
			continue
		}
		if err := set(target.Field(i), value); err != nil {
			return fmt.Errorf("%s must be %w", name, err)
		}
	}
	return nil
}

// set stores a JSON value in a field. The error says what the value should be.
func set(field reflect.Value, value any) error {
	switch into := field.Addr().Interface().(type) {
	case *string:
		s, ok := asText(value)
		if !ok {
			return fmt.Errorf("a string")
		}
		*into = s
	case *int:
		s, _ := asText(value)
		n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || n != math.Trunc(n) || math.Abs(n) > math.MaxInt32 {
			return fmt.Errorf("a whole number")
		}
		*into = int(n)
	case *bool:
		return setBool(into, value)
	case **bool:
		*into = new(bool)
		return setBool(*into, value)
	case *[]string:
		list, ok := asList(value)
		if !ok {
			return fmt.Errorf("a list of strings")
		}
		*into = list
	}
	return nil
}

func setBool(into *bool, value any) error {
	s, _ := asText(value)
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true":
		*into = true
	case "false":
		*into = false
	default:
		return fmt.Errorf("true or false")
	}
	return nil
}

// asText returns a string, number or boolean as text.
func asText(value any) (s string, ok bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// asList returns a list of strings, the list that a string holds as JSON, or a string as the only item.
func asList(value any) (list []string, ok bool) {
	if s, is := value.(string); is {
		if json.Unmarshal([]byte(s), &list) == nil {
			return list, true
		}
		return []string{s}, true
	}
	items, ok := value.([]any)
	if !ok {
		return nil, false
	}
	for _, item := range items {
		s, ok := asText(item)
		if !ok {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}
