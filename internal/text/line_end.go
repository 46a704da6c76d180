package text

import "bytes"

// LineEnd returns the line end of most lines of a text: "\n" or "\r\n".
func LineEnd(src []byte) string {
	if crlf := bytes.Count(src, []byte("\r\n")); 2*crlf > bytes.Count(src, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}
