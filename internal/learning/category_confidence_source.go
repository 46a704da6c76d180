package learning

import "slices"

// Category says whether a learning is about what to do, what not to do, or how things are.
type Category string

// The categories.
const (
	AntiPatterns Category = "anti-patterns" // a mistake, or what not to do
	Heuristics   Category = "heuristics"    // a rule of thumb, or how a system behaves
	Patterns     Category = "patterns"      // what to do
)

// Confidence is how sure a learning is.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// Source is where a learning comes from.
type Source string

// The sources.
const (
	Import         Source = "import"          // a file of learnings
	Manual         Source = "manual"          // written by a person
	Retro          Source = "retro"           // looking back at finished work
	SessionCapture Source = "session-capture" // in the middle of work
)

// Categories returns all categories, sorted.
func Categories() []Category { return []Category{AntiPatterns, Heuristics, Patterns} }

// Confidences returns all confidences, sorted.
func Confidences() []Confidence { return []Confidence{High, Low, Medium} }

// Sources returns all sources, sorted.
func Sources() []Source { return []Source{Import, Manual, Retro, SessionCapture} }

// ParseCategory reads a category. Case counts. The error is a *FieldError, or
// ErrImportOnly.
func ParseCategory(text string) (Category, error) {
	if text == "constitution" {
		return "", ErrImportOnly
	}
	return parseOneOf("category", text, Categories())
}

// ParseConfidence reads a confidence. Case counts. The error is a *FieldError.
func ParseConfidence(text string) (Confidence, error) {
	return parseOneOf("confidence", text, Confidences())
}

// ParseSource reads a source. Case counts. The error is a *FieldError.
func ParseSource(text string) (Source, error) { return parseOneOf("source", text, Sources()) }

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
