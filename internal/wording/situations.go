package wording

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/validate"
)

// FitPhrases normalizes phrases to one line with single spaces. It also returns why it skipped or
// refused phrases.
func FitPhrases(phrases []string) (fit, skipped, refused []string) {
	seen := map[string]bool{}
	for _, text := range phrases {
		phrase := strings.Join(strings.Fields(text), " ")
		switch key := decision.Key(phrase); {
		case phrase == "":
			skipped = append(skipped, "an empty situation")
		case strings.Contains(phrase, "-->"):
			refused = append(refused, fmt.Sprintf("situation %q has -->, which would end the comment: remove it", phrase))
		case !IsLine(phrase):
			refused = append(refused, fmt.Sprintf("situation %q has control characters, or is not UTF-8: remove them", phrase))
		case seen[key]:
			skipped = append(skipped, fmt.Sprintf("a duplicate of situation %q", phrase))
		default:
			seen[key] = true
			fit = append(fit, phrase)
		}
	}
	return fit, skipped, refused
}

// IsLine reports whether text is one line of UTF-8 without control characters.
func IsLine(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\t' || r == '\u2028' || r == '\u2029'
	})
}

// Phrases are situations for a heading.
type Phrases struct {
	validate.Place
	Texts []string
}

// AddSituations returns the memory with phrases, which fit, under their headings, and the phrases
// that were not there. The memory is nil if all were. No two places are the same.
func AddSituations(e *validate.Editor, wanted []Phrases) (after *corpus.Corpus, added []Phrases, err error) {
	var edits []finding.Edit
	for _, w := range wanted {
		made, missing, err := e.AddSituations(w.Place, w.Texts)
		if err != nil {
			return nil, nil, err
		}
		edits, added = append(edits, made...), append(added, Phrases{w.Place, missing})
	}
	if len(edits) == 0 {
		return nil, added, nil
	}
	if after, err = e.Apply(edits...); err != nil {
		return nil, nil, err
	}
	return after, added, areRead(after, added)
}

// areRead checks that situations are read where they were written.
func areRead(m *corpus.Corpus, written []Phrases) error {
	for _, w := range written {
		file := m.Decisions[w.File]
		known := file.Phrases(w.Heading)
		for _, phrase := range w.Texts {
			if !slices.Contains(known, phrase) {
				return fmt.Errorf("the situation %q would not be read under %q of %s: close the comments and fences there first", phrase, file.Headings[w.Heading].Title, file.Path)
			}
		}
	}
	return nil
}
