package trigger

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/index"
	"whence/internal/text"
)

// Set holds the triggers of an index.
type Set map[index.Key]bool

// Unique reserves the trigger of the given words. If it is in use, it appends a word of the further
// texts, or else a number, which it returns as added.
func (s Set) Unique(operator string, words []string, further ...string) (trigger, added string) {
	isUseless := func(w string) bool { return slices.Contains(words, w) || text.IsStopWord(w) || index.IsOperator(w) }
	more := slices.DeleteFunc(Words(plain(strings.Join(further, " "))), isUseless)
	more = slices.Insert(more, 0, "")
	for n := 0; ; n++ {
		added = fmt.Sprint(n - len(more) + 2)
		if n < len(more) {
			added = more[n]
		}
		trigger = strings.TrimSpace(strings.Join(words, " ") + " " + added)
		key := index.Key{Operator: operator, Trigger: trigger}
		if trigger != "" && !s[key] {
			s[key] = true
			return trigger, added
		}
	}
}
