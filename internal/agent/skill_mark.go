package agent

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
)

// The mark at the end of a skill that install has written, with a sum of the text before it.
const (
	markBegin = "\n<!-- \"memory-hooks install --skills\" wrote this file, and \"memory-hooks uninstall\" removes it unless it is changed: "
	markEnd   = " -->\n"
)

// MarkSkill returns the text of a skill with a mark at its end.
func MarkSkill(text []byte) []byte {
	return fmt.Appendf(bytes.Clone(text), "%s%x%s", markBegin, sumOf(text), markEnd)
}

// SkillMark reports whether a text has the mark of MarkSkill, and whether the text before it is still as
// it was written, of whatever version of the skill and with whatever ends of lines.
func SkillMark(src []byte) (marked, unchanged bool) {
	text := strings.ReplaceAll(string(src), "\r\n", "\n")
	at := strings.LastIndex(text, markBegin)
	return at >= 0, at >= 0 && text == string(MarkSkill([]byte(text[:at])))
}

// sumOf returns a sum by which a change is noticed; it need not withstand an attack.
func sumOf(text []byte) []byte {
	sum := sha256.Sum256(text)
	return sum[:8]
}
