package learning

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"whence/internal/inert"
	"whence/internal/words"
)

// Learning is one thing learned. Export prints it, and import reads it, as JSON.
type Learning struct {
	ID          string     `json:"id,omitempty"`        // of the description, see ID
	Name        string     `json:"name,omitempty"`      // a title, at most 60 characters
	Description string     `json:"description"`         // what was learned
	Reasoning   string     `json:"reasoning,omitempty"` // why
	Category    Category   `json:"category,omitempty"`
	Confidence  Confidence `json:"confidence,omitempty"` // as stored; Decay returns what remains of it
	Source      Source     `json:"source,omitempty"`
	Keywords    []string   `json:"keywords,omitempty"`
	References  []string   `json:"references,omitempty"` // files, commits, links
	Project     string     `json:"project,omitempty"`    // the repository it belongs to; "" is global

	Observations int `json:"observations,omitempty"` // how often it was learned, 1 or more
	Recalls      int `json:"recalls,omitempty"`      // how often it was shown to an agent

	LastRecalled time.Time `json:"last_recalled,omitzero"` // zero: never
	LastUsed     time.Time `json:"last_used,omitzero"`     // zero: never
	Created      time.Time `json:"created,omitzero"`
	Updated      time.Time `json:"updated,omitzero"` // when it was last observed or edited
}

// Imported completes a learning that was read from a file: it sets the id from the description, and a missing
// confidence to medium and a missing source to import.
func Imported(l Learning) Learning {
	l.ID = ID(l.Description)
	l.Confidence, l.Source = cmp.Or(l.Confidence, Medium), cmp.Or(l.Source, Import)
	return l
}

// MinDescriptionChars is the minimum number of characters of a cleaned description.
const MinDescriptionChars = 20

// Errors of Validate for a complete learning, in the words of the specification.
var (
	// ErrTooShort reports a description below MinDescriptionChars.
	ErrTooShort = errors.New("description too short (min 20 chars)")
	// ErrImportOnly reports the category constitution, which the store does not hold.
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

func parseOneOf[T ~string](field, text string, all []T) (T, error) {
	if slices.Contains(all, T(text)) {
		return T(text), nil
	}
	allowed := make([]string, len(all))
	for i, value := range all {
		allowed[i] = string(value)
	}
	return "", &FieldError{field, text, allowed}
}

// LongEnough reports whether a text is long enough for a description once it is cleaned.
func LongEnough(s string) bool {
	return words.Length(inert.Clean(s)) >= MinDescriptionChars
}

// Validate returns the first fault of a learning that is to be stored: a *FieldError, ErrTooShort or
// ErrImportOnly, or nil.
func (l Learning) Validate() error {
	if err := l.ValidateFields(); err != nil {
		return err
	}
	if inert.Clean(l.Reasoning) == "" {
		return &FieldError{Field: "reasoning"}
	}
	if !LongEnough(l.Description) {
		return ErrTooShort
	}
	return nil
}

// ValidateFields checks what no learning can be stored without. It returns a *FieldError, ErrImportOnly, or nil.
func (l Learning) ValidateFields() error {
	if inert.Clean(l.Name) == "" {
		return &FieldError{Field: "name"}
	}
	if inert.Clean(l.Description) == "" {
		return &FieldError{Field: "description"}
	}
	_, category := ParseCategory(string(l.Category))
	_, confidence := ParseConfidence(string(l.Confidence))
	_, source := parseSource(string(l.Source))
	return cmp.Or(category, confidence, source)
}
