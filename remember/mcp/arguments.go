package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whence/internal/text"
)

// parse reads the arguments of a call into a struct. A missing or null one stays zero; the tool
// decides whether it is required. An unknown one is an error, since it may be a typing mistake.
func parse(arguments json.RawMessage, into any) error {
	if len(bytes.TrimSpace(arguments)) == 0 {
		return nil
	}
	err := text.DecodeJSON(arguments, into)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Errorf("%s must be %s, not %s", wrong.Field, article(wrong.Type.Kind().String()), article(wrong.Value))
	case errors.As(err, &wrong):
		return fmt.Errorf("the arguments must be an object, not %s", article(wrong.Value))
	}
	return fmt.Errorf("bad arguments: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// article returns a type of Go or JSON in plain words.
func article(kind string) string {
	kind, _, _ = strings.Cut(kind, " ") // "number 1.5"
	switch {
	case kind == "slice" || kind == "array":
		return "a list"
	case kind == "bool":
		return "true or false"
	case kind == "int":
		return "a whole number"
	case slices.Contains([]string{"string", "number"}, kind):
		return "a " + kind
	}
	return "an " + kind // object
}
