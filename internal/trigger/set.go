package trigger

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/index"
	"whence/internal/text"
)

// Set holds the triggers of an index, each once.
type Set struct {
	taken map[index.Key]bool
	next  map[string]int // the number to try next, by words
}

// NewSet returns an empty set with room for a number of triggers.
func NewSet(size int) *Set { return &Set{make(map[index.Key]bool, size), map[string]int{}} }

// Add reserves a trigger that is in use.
func (s *Set) Add(key index.Key) { s.taken[key] = true }

// Unique reserves the trigger of the given words. If it is in use, it appends a word of the further
// texts, or else a number, which it returns as added.
func (s *Set) Unique(operator string, words []string, further ...string) (trigger, added string) {
	base := strings.Join(words, " ")
	take := func(added string) bool {
		trigger = strings.TrimSpace(base + " " + added)
		key := index.Key{Operator: operator, Trigger: trigger}
		free := trigger != "" && !s.taken[key]
		if free {
			s.taken[key] = true
		}
		return free
	}
	if take("") {
		return trigger, ""
	}
	for _, w := range Words(plain(strings.Join(further, " "))) {
		if slices.Contains(words, w) || text.IsStopWord(w) || loose()[w] || index.IsOperator(w) {
			continue
		}
		if take(w) {
			return trigger, w
		}
	}
	for n := max(2, s.next[base]); ; n++ {
		if added = fmt.Sprint(n); take(added) {
			s.next[base] = n + 1
			return trigger, added
		}
	}
}
