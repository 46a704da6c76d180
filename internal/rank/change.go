package rank

import (
	"math"
	"path"
	"strings"
)

// Change is a change of a project: its message, the paths of its files, and its new lines.
type Change struct {
	Message string
	Paths   []string
	Lines   string
}

// ChangeFeatures are the features of a decision and a change:
//
//	recall     log-odds that the decision applies, as if the change were a prompt
//	phrase     share of the decision's best phrase that the change has, 0 to 1
//	mentioned  rarity of the rarest file name of the change that the decision mentions, 0 to 1
type ChangeFeatures [3]float64

// changeGate is a logistic regression of the ChangeFeatures, in their order. It is fitted on 240 commits of two public
// repositories without situations; half of the commits name the records that they follow. These figures (make eval),
// one for each repository, are for a gate fitted on the other one, at the threshold that shows half a line, on average,
// at commits that name no record. They use only the subject of each message:
//
//	                        first      among 3    shown
//	as if it were a prompt  .25  .37   .40  .45   .18  .30
//	as a change             .23  .38   .40  .53   .28  .33
//
// With whole messages, whose length alone would distinguish the two kinds of commits, the rows are .32 .42, .42 .55,
// .20 .33 and .28 .37, .47 .55, .35 .35. It does not help to add as features what a record shares with the message, the
// lines or the paths alone. The constant is chosen so that p ≥ .2 shows half a line.
var changeGate = struct {
	perFeature ChangeFeatures
	constant   float64
}{ChangeFeatures{0.346, 2.781, 1.377}, -3.05}

// maxMentioned is the maximum number of files that are looked for in all documents.
const maxMentioned = 100

// RecallChange returns at most maxMatches documents that may apply to a change, the best first. They are the candidates
// of Recall, with probabilities by changeGate.
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

// NearestText returns the index of the text that has most in common with a document; 0 if none has anything.
func (x *Index) NearestText(document int, texts []string) (nearest int) {
	best := 0.0
	for i, text := range texts {
		if r := x.ranking(text); r != nil && r.total(document) > best {
			best, nearest = r.total(document), i
		}
	}
	return nearest
}

// mentioned returns, for each document, the rarity of the rarest file name that it mentions; 0 if it mentions none.
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
