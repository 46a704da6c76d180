package jsontext

import (
	"encoding/json"
	"io"
)

// Write prints a value as indented JSON, with a line end. Markup in texts stays as it is.
func Write(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
