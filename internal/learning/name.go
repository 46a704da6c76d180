package learning

import (
	"strings"
	"unicode/utf8"

	"whence/internal/inert"
	"whence/internal/words"
)

// MaxNameChars is the maximum number of characters of a name.
const MaxNameChars = 60

// minNameChars is the minimum length of a name that is cut between words.
const minNameChars = 20

// NoReason is the Reasoning of a learning that was stored without one.
const NoReason = "No reason was given."

// Shorten cuts a title of more than 60 characters after the first 57 and appends "...".
func Shorten(title string) string {
	if utf8.RuneCountInString(title) <= MaxNameChars {
		return title
	}
	return words.FirstChars(title, MaxNameChars-3) + "..."
}

// InferName returns the beginning of a text as a title: like Shorten, but cut between words if there
// are any, and without a final full stop.
func InferName(s string) string {
	name := strings.Join(strings.Fields(inert.Clean(s)), " ")
	short := Shorten(name)
	if short == name {
		return withoutFinalMarks(name)
	}
	head := strings.TrimSuffix(short, "...")
	if !strings.HasPrefix(name, head+" ") {
		if space := strings.LastIndexByte(head, ' '); utf8.RuneCountInString(head[:max(space, 0)]) >= minNameChars {
			head = head[:space]
		}
	}
	return strings.TrimRight(head, " ,;:-–—") + "..."
}
