package validate

import (
	"fmt"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
)

// SituationCount is the number of decisions that entries lead to, and of those without situations.
type SituationCount struct{ Without, All int }

// SituationsRemedy says how to reduce a SituationCount.
const SituationsRemedy = "memory-remember entry situations lists them and says how to write some"

// CountSituations counts the decisions of a memory.
func CountSituations(m *corpus.Corpus, c config.Config) SituationCount {
	return newCheck(m, c).countSituations()
}

func (k *check) countSituations() (n SituationCount) {
	with := map[Place]bool{}
	for fi, file := range k.Decisions {
		for _, comment := range file.Situations {
			if len(comment.Phrases) > 0 {
				with[Place{File: fi, Heading: comment.Heading}] = true
			}
		}
	}
	seen := map[Place]bool{nowhere: true}
	for _, at := range k.targets {
		if seen[at] {
			continue
		}
		seen[at] = true
		n.All++
		if !with[at] {
			n.Without++
		}
	}
	return n
}

// If fewer decisions or a smaller share have no situations, that changes little for recall.
const (
	minWithout        = 5
	minWithoutPercent = 20
)

// AreFew reports whether so many decisions have no situations that someone should write them.
func (n SituationCount) AreFew() bool {
	return n.Without >= minWithout && 100*n.Without >= minWithoutPercent*n.All
}

// String returns the count in words, and what it means for recall.
func (n SituationCount) String() string {
	all := cli.Count(n.All, "decision", "decisions")
	switch n.Without {
	case 0:
		return all + ", none without situations"
	case 1:
		return "1 of " + all + " has no situations, so it is recalled less often"
	}
	return fmt.Sprintf("%d of %s have no situations, so they are recalled less often", n.Without, all)
}
