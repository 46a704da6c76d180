package cli

import (
	"slices"
	"strings"
)

// placeholders are the words that help and messages of this module put where a user has to write their own.
var placeholders = []string{"TEXT", "TITLE", "WORDS", "PHRASE", "NAME", "TRIGGER", "LOGIN", "OTHER WORDS", "NEW TITLE", "NEW TEXT",
	"WHAT SOMEONE TYPES, DOES OR SEES WHEN IT APPLIES"}

// IsPlaceholder reports whether a text is a placeholder, as help and manuals print them: "<text>" or "WORDS".
func IsPlaceholder(s string) bool {
	s = strings.TrimSpace(s)
	inner, isOpened := strings.CutPrefix(s, "<")
	inner, isClosed := strings.CutSuffix(inner, ">")
	if isOpened && isClosed && inner != "" && !strings.ContainsAny(inner, "<>") {
		return true
	}
	return slices.Contains(placeholders, s)
}
