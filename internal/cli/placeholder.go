package cli

import (
	"slices"
	"strings"
)

// placeholders lists the words that help and messages of this module put where users write their own.
var placeholders = []string{"TEXT", "TITLE", "WORDS", "PHRASE", "NAME", "TRIGGER", "LOGIN", "OTHER WORDS", "NEW TITLE", "NEW TEXT",
	"WHAT SOMEONE TYPES, DOES OR SEES WHEN IT APPLIES"}

// IsPlaceholder reports whether a text is a placeholder of help and manuals, such as "<text>" or "WORDS".
func IsPlaceholder(s string) bool {
	s = strings.TrimSpace(s)
	inner, isOpened := strings.CutPrefix(s, "<")
	inner, isClosed := strings.CutSuffix(inner, ">")
	if isOpened && isClosed && inner != "" && !strings.ContainsAny(inner, "<>") {
		return true
	}
	return slices.Contains(placeholders, s)
}
