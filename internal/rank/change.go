package rank

import (
	"math"
	"path"
	"strings"
)

// Change is a change of a project: what its author says, the files, and the lines that are new.
type Change struct {
	Message string
	Paths   []string
	Lines   string
}

// ChangeFeatures are the features of a decision and a change:
//
//	recall     log-odds that it applies, were the change a prompt
//	phrase     how much of its best phrase the change has, 0 to 1
//	mentioned  rarity of the rarest of the files, by its name, that it mentions, 0 to 1
type ChangeFeatures [3]float64

// changeGate is a logistic regression of these, in their order, fitted on 240 commits of two public repositories, without
// situations; half of them name the records that they follow. By the table of the other repository, with half a line at
// those that name none, and of each message the subject alone (make eval):
//
//	                        first      among 3    shown
//	as if it were a prompt  .25  .37   .40  .45   .18  .30
//	as a change             .23  .38   .40  .53   .28  .33
//
// With whole messages, which would tell those apart by their length: .32 .42, .42 .55, .20 .33, and .28 .37, .47 .55, .35 .35.
// What the message, the lines or the paths alone share with a record, as further features, does not help. The constant is
// such that half a line is shown from p .2.
var changeGate = struct {
	perFeature ChangeFeatures
	constant   float64
}{ChangeFeatures{0.346, 2.781, 1.377}, -3.05}

// maxMentioned bounds how many files are looked for in all documents.
const maxMentioned = 100

// RecallChange returns the documents that may govern a change: those that a recall finds, weighed again.
func (x *Index) RecallChange(c Change, maxMatches int) []Match {
	matches := x.Recall(strings.Join([]string{c.Message, strings.Join(c.Paths, "\n"), c.Lines}, "\n"), candidates)
	mentioned := x.mentioned(c.Paths)
	for i := range matches {
		m := &matches[i]
		m.Change = ChangeFeatures{math.Log(m.P / (1 - m.P)), m.Features[phraseShare], mentioned[m.Document]}
		z := changeGate.constant
		for n, f := range m.Change {
			z += changeGate.perFeature[n] * f
		}
		m.P = 1 / (1 + math.Exp(-z))
	}
	Sort(matches)
	return matches[:min(maxMatches, len(matches))]
}

// NearestText returns which of some texts has most in common with a document, the first if none has anything.
func (x *Index) NearestText(document int, texts []string) (nearest int) {
	best := 0.0
	for i, text := range texts {
		if r := x.ranking(text); r != nil && r.total(document) > best {
			best, nearest = r.total(document), i
		}
	}
	return nearest
}

// mentioned returns the rarity of the rarest file that each document mentions.
func (x *Index) mentioned(paths []string) []float64 {
	all := make([]float64, len(x.documents))
	for _, p := range paths[:min(len(paths), maxMentioned)] {
		var having []int
		for i, d := range x.documents {
			if strings.Contains(d.text, path.Base(p)) {
				having = append(having, i)
			}
		}
		rarity := rarities([]int{len(having)}, len(x.documents))[0]
		for _, i := range having {
			all[i] = max(all[i], rarity)
		}
	}
	return all
}
