package learning

import (
	"strings"

	"whence/internal/words"
)

// Category says whether a learning is about what to do, what not to do, or how things are.
type Category string

// The categories.
const (
	AntiPatterns Category = "anti-patterns" // a mistake, or what not to do
	Heuristics   Category = "heuristics"    // a rule of thumb, or how a system behaves
	Patterns     Category = "patterns"      // what to do
)

// categories returns all categories, sorted.
func categories() []Category { return []Category{AntiPatterns, Heuristics, Patterns} }

// ParseCategory parses a category; case matters. The error is a *FieldError or ErrImportOnly.
func ParseCategory(text string) (Category, error) {
	if text == "constitution" {
		return "", ErrImportOnly
	}
	return parseOneOf("category", text, categories())
}

// categoryPhrases are the phrases from which a category is inferred. A phrase of a lower rank takes
// precedence; among phrases of the same rank, the first in the text does.
var categoryPhrases = []struct {
	rank     int
	category Category
	leading  bool   // the phrases count only at the beginning of a clause
	phrases  string // separated by commas
}{
	{1, Heuristics, false, "rule of thumb,as a rule"},
	{2, AntiPatterns, false, "never,don't,do not,avoid,must not,mustn't,should not,shouldn't,anti-pattern,nobody,mistake,bad idea"},
	{2, AntiPatterns, true, "no,stop,beware"},
	{2, Patterns, false, "always,prefer,best practice,make sure,ensure,better to"},
	{2, Patterns, true, "use,run,set,keep,put,write,call,add,check,wrap,start"},
	{3, Patterns, false, "must,should"},
}

// InferCategory returns the category that the phrases of an English text suggest; for any other text, Heuristics.
func InferCategory(description string) Category {
	if words.LanguageOf(description) != words.English { // "no" is a word of Spanish, too
		return Heuristics
	}
	clauses := clausesOf(description)
	category, rank, first := Heuristics, 0, 0
	for _, row := range categoryPhrases {
		before := " "
		if row.leading {
			before = clauseMark
		}
		for phrase := range strings.SplitSeq(row.phrases, ",") {
			at := strings.Index(clauses, before+phrase+" ")
			if at >= 0 && (rank == 0 || row.rank == rank && at < first) {
				category, rank, first = row.category, row.rank, at
			}
		}
	}
	return category
}

// clauseMark precedes the first word of a clause.
const clauseMark = "| "

// clausesOf returns the words of a text in lower case, each between spaces, without punctuation.
func clausesOf(text string) string {
	var b strings.Builder
	b.WriteString(clauseMark)
	for word := range strings.FieldsSeq(strings.ToLower(strings.ReplaceAll(text, "’", "'"))) {
		b.WriteString(strings.Trim(word, "\"'`*_,;:.!?()|") + " ")
		if strings.ContainsAny(word[len(word)-1:], ",;:.!?") {
			b.WriteString(clauseMark)
		}
	}
	return b.String()
}
