package learning

import "strings"

// categoryPhrases say what to do or what not to do.
var categoryPhrases = []struct {
	category Category
	phrases  []string
}{
	{AntiPatterns, []string{"never", "don't", "do not", "avoid", "must not", "mustn't", "should not", "shouldn't", "anti-pattern"}},
	{Patterns, []string{"always", "prefer", "best practice", "make sure"}},
}

// InferCategory returns the category that the first phrase of the table in a text names; patterns
// if the text begins with "use"; else heuristics.
func InferCategory(text string) Category {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(text, "’", "'")))
	for i, word := range words {
		words[i] = strings.Trim(word, "\"'`*_,;:.!?()")
	}
	padded := " " + strings.Join(words, " ") + " "
	category, first := Heuristics, len(padded)
	if strings.HasPrefix(padded, " use ") {
		return Patterns
	}
	for _, row := range categoryPhrases {
		for _, phrase := range row.phrases {
			if i := strings.Index(padded, " "+phrase+" "); i >= 0 && i < first {
				category, first = row.category, i
			}
		}
	}
	return category
}
