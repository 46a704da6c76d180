package inert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
)

// WriteJSON writes a value as indented JSON, with a line end. It escapes invisible characters and, for an agent
// (see [AgentWriter]), the characters of tags; other markup is not changed.
func WriteJSON(w io.Writer, value any) error {
	return writeJSON(w, value, "  ")
}

// WriteJSONLine is WriteJSON on one line.
func WriteJSONLine(w io.Writer, value any) error { return writeJSON(w, value, "") }

func writeJSON(w io.Writer, value any, indent string) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	forAgent := Exact(w) != w
	encoder.SetEscapeHTML(forAgent) // < becomes \u003c
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := io.WriteString(Exact(w), escapeJSON(out.String()))
	return err
}

// escapeJSON escapes the invisible characters that the encoder leaves in strings: a terminal must not act on
// them.
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
