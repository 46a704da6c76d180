package remember

import (
	"errors"

	"whence/internal/learning"
)

// The replies to a search that finds nothing, and to one without words.
const (
	NoMatch    = "No matching memories found."
	EmptyQuery = "Error: query must be non-empty"
)

// tooShort is the message for a typed learning that is too short.
const tooShort = "Learning too short (need at least 20 characters). Please provide more detail."

// RefusalText returns the reply to invalid arguments: "Error: …" for a missing or invalid field, "Entry rejected: …"
// for other faults of a learning. For any other error, and for nil, it returns "".
func RefusalText(err error) string {
	switch {
	case errors.As(err, new(*LengthError)), errors.Is(err, learning.ErrTooShort), errors.Is(err, learning.ErrImportOnly):
		return "Entry rejected: " + err.Error()
	case errors.As(err, new(*learning.FieldError)):
		return "Error: " + err.Error()
	}
	return ""
}
