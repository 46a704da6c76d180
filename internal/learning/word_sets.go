package learning

import (
	"strings"
	"sync"

	"whence/internal/text"
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

// groups maps each word of a group to its first word, or its stem to the stem of that one.
// Commas separate groups.
type groups struct {
	lines string
	stems bool
	once  sync.Once
	first map[string]string
}

func (g *groups) of(word string) string {
	g.once.Do(func() {
		g.first = map[string]string{}
		for line := range strings.SplitSeq(g.lines, ",") {
			words := strings.Fields(line)
			for i, w := range words {
				if g.stems {
					w = text.Stem(w)
					words[i] = w
				}
				g.first[w] = words[0]
			}
		}
	})
	return g.first[word]
}
