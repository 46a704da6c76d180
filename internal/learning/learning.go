package learning

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"whence/internal/text"
)

// Learning is one thing learned.
type Learning struct {
	ID          string // of the description, see ID
	Name        string // a title, at most 60 characters
	Description string // what was learned
	Reasoning   string // why
	Category    Category
	Confidence  Confidence // as stored; Decay returns what remains of it
	Source      Source
	Keywords    []string
	References  []string // files, commits, links
	Project     string   // the repository it belongs to; "" is global

	Observations int // how often it was learned, 1 or more
	Recalls      int // how often it was shown to an agent

	LastRecalled time.Time // zero: never
	LastUsed     time.Time // zero: never
	Created      time.Time
	Updated      time.Time // when it was last observed or edited
}

// MinDescriptionChars is the minimal number of characters of a cleaned description.
const MinDescriptionChars = 20

// TooShort is the message for a typed learning that is too short.
const TooShort = "Learning too short (need at least 20 characters). Please provide more detail."

// Errors of Validate for a complete learning.
var (
	// ErrTooShort reports a description below MinDescriptionChars.
	ErrTooShort = errors.New("description too short (min 20 chars)")
	// ErrImportOnly reports a former category that no learning can have.
	ErrImportOnly = errors.New("constitution entries are import-only (edit docs/knowledge-bank/constitution.md directly)")
)

// FieldError reports a field that is missing or has an invalid value.
type FieldError struct {
	Field   string // name, description, reasoning, category, confidence or source
	Value   string
	Allowed []string // sorted; nil for a text, which must not be empty
}

func (e *FieldError) Error() string {
	if e.Allowed == nil {
		return e.Field + " must be non-empty"
	}
	return "invalid " + e.Field + " '" + e.Value + "'. Must be one of: " + strings.Join(e.Allowed, ", ")
}

// LongEnough reports whether a cleaned text is long enough for a description.
func LongEnough(s string) bool {
	return text.Length(text.Clean(s)) >= MinDescriptionChars
}

// Validate returns the first thing that is wrong: a *FieldError, ErrTooShort or
// ErrImportOnly, or nil.
func (l Learning) Validate() error {
	for _, required := range []struct{ field, value string }{
		{"name", l.Name}, {"description", l.Description}, {"reasoning", l.Reasoning},
	} {
		if text.Clean(required.value) == "" {
			return &FieldError{Field: required.field}
		}
	}
	_, categoryErr := ParseCategory(string(l.Category))
	_, confidenceErr := ParseConfidence(string(l.Confidence))
	_, sourceErr := ParseSource(string(l.Source))
	if err := cmp.Or(categoryErr, confidenceErr, sourceErr); err != nil {
		return err
	}
	if !LongEnough(l.Description) {
		return ErrTooShort
	}
	return nil
}

// Refusal is the answer to a tool call with an error of Validate: "Entry rejected: …" for a
// complete learning, "Error: …" for all else.
func Refusal(err error) string {
	if errors.Is(err, ErrTooShort) || errors.Is(err, ErrImportOnly) {
		return "Entry rejected: " + err.Error()
	}
	return "Error: " + err.Error()
}
