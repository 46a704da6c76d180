package inert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
)

// WriteJSON prints a value as indented JSON, with a line end. Markup in texts stays as it is;
// invisible characters are escaped.
func WriteJSON(w io.Writer, value any) error {
	return writeJSON(w, value, "  ")
}

// WriteJSONLine prints a value as WriteJSON does, on one line.
func WriteJSONLine(w io.Writer, value any) error { return writeJSON(w, value, "") }

func writeJSON(w io.Writer, value any, indent string) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	forAgent := Exact(w) != w
	encoder.SetEscapeHTML(forAgent) // a tag as \u003c
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := io.WriteString(Exact(w), escapeJSON(out.String()))
	return err
}

// escapeJSON escapes invisible characters, which the encoder leaves alone in strings: a terminal
// must not act on them.
func escapeJSON(src string) string {
	return replaceUnseen(src, func(_ int, r rune) string {
		if r == '\n' {
			return "\n"
		}
		if r > 0xffff {
			high, low := utf16.EncodeRune(r)
			return fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		return fmt.Sprintf(`\u%04x`, r)
	})
}
