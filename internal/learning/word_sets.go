package learning

import (
	"strings"
	"sync"
)

// wordSet is the set of the words of a text, built on first use: most programs need none.
type wordSet struct {
	words string
	once  sync.Once
	set   map[string]bool
}

func (s *wordSet) has(word string) bool {
	s.once.Do(func() {
		s.set = make(map[string]bool, strings.Count(s.words, " "))
		for w := range strings.FieldsSeq(s.words) {
			s.set[w] = true
		}
	})
	return s.set[word]
}
