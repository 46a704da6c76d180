package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
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
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(escape(out.Bytes()))
	return err
}

// escape escapes invisible characters, which the encoder leaves alone in strings: a terminal
// must not act on them.
func escape(src []byte) []byte {
	isUnseen := func(r rune) bool { return r != '\n' && IsUnseen(r) }
	if bytes.IndexFunc(src, isUnseen) < 0 {
		return src
	}
	var out []byte
	for _, r := range string(src) {
		switch {
		case !isUnseen(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}
