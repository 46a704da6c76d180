package eval_test

import (
	"flag"
	"fmt"
	"go/format"
	"hash/fnv"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/rank"
	"whence/internal/test/repotest"
	"whence/when"
)

var fit = flag.Bool("fit", false, "fit the gate of recall, and write its coefficients")

const (
	coefficientsFile = "../../rank/gate_coefficients.go"

	// unrelatedWeight is the weight of the commands and files of unrelated work: there are as many as
	// moments. With 0.3 as much is reached, and a third more is shown there.
	unrelatedWeight = 0.5

	// languageWeight is the weight of moments in other languages than English beside everyday prompts, to which
	// nothing applies: there are fewer.
	languageWeight = 2

	// ridge is the weight against large coefficients: from 1 to 10 what is reached is alike.
	ridge = 3

	// candidates is the number of documents among which the gate decides.
	candidates = 15
)

// TestFitGate writes the coefficients of the gate, fitted on both memories.
func TestFitGate(t *testing.T) {
	if !*fit {
		t.Skip("make eval-fit runs it")
	}
	unrelated := unrelatedActions(t)
	var src strings.Builder
	src.WriteString("package rank\n\n// Written by make eval-fit.\n")
	l := fitted(slices.Concat(judgedVariants(t, conventions, unrelated), judgedVariants(t, commands, unrelated), judgedLanguages(t)))
	src.WriteString("\nvar fitted = coefficients{\nperFeature: [featureCount]float64{\n")
	for i, name := range rank.FeatureNames() {
		fmt.Fprintf(&src, "%.3f, // %s\n", l.coefficients[i], name)
	}
	fmt.Fprintf(&src, "},\nconstant: %.3f,\n}\n", l.constant)
	formatted, err := format.Source([]byte(src.String()))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(coefficientsFile, formatted, 0o666))
}

// judged is a moment with what recall finds for it.
type judged struct {
	moment
	gold   int // decisions of the memory that apply
	found  []rank.Match
	right  []bool  // of found, those that apply
	weight float64 // in the fit
}

// variant is a memory with a number of situations per decision, in so many parts. Each is a memory of
// its own.
type variant struct{ situations, parts int }

// variants returns the memories that the gate is fitted on, small ones among them.
func (m memoryName) variants() []variant {
	all := []variant{{0, 1}, {2, 1}, {4, 1}, {8, 1}, {0, 5}, {8, 5}, {0, 25}, {8, 25}, {0, 100}, {8, 100}}
	if m == conventions {
		all = append(all, variant{16, 1})
	}
	return all
}

// judgedVariants recalls for the moments of all variants of a memory, and for unrelated texts.
func judgedVariants(t *testing.T, name memoryName, unrelated []action) (all []judged) {
	for _, v := range name.variants() {
		asked := openMemory(t, name, v.situations).moments
		if v.situations == 0 || v.situations >= 8 {
			asked = append(asked, unrelatedMoments(unrelated)...)
		}
		all = append(all, judge(t, name, v, asked)...)
	}
	return all
}

// Nothing applies to moments of these kinds: unrelated work, and everyday prompts.
const (
	unrelatedKind = "unrelated"
	everydayKind  = "everyday"
)

func unrelatedMoments(actions []action) (all []moment) {
	for _, a := range actions {
		all = append(all, moment{Kind: unrelatedKind, Text: a.text()})
	}
	return all
}

// judge recalls for moments in a variant of a memory: in each part that has a decision which applies,
// and in one part, whether it has one or not: to most of what is done, a small memory has nothing that applies.
func judge(t *testing.T, name memoryName, v variant, asked []moment) (all []judged) {
	l, err := when.Open(openMemory(t, name, v.situations).tree, config.Default())
	require.NoError(t, err)
	whole := l.Documents()
	for part := range v.parts {
		documents := slices.DeleteFunc(slices.Clone(whole), func(d rank.Document) bool { return partOf(d, v.parts) != part })
		x := rank.NewIndex(documents)
		for i, m := range asked {
			j := judged{moment: m}
			for _, d := range documents {
				j.gold += int(count(slices.Contains(m.Gold, strings.ToLower(d.Trigger))))
			}
			if j.gold > 0 || i%v.parts == part {
				all = append(all, j.recalled(x, documents, 1))
			}
		}
	}
	return all
}

// recalled adds what an index recalls.
func (j judged) recalled(x *rank.Index, documents []rank.Document, weight float64) judged {
	if j.weight = weight; j.Kind == unrelatedKind {
		j.weight *= unrelatedWeight
	}
	for _, match := range x.Recall(seenByHook(j.moment), candidates) {
		applies := slices.Contains(j.Gold, strings.ToLower(documents[match.Document].Trigger))
		j.found, j.right = append(j.found, match), append(j.right, applies)
	}
	return j
}

// judgedLanguages recalls for the moments of small memories in other languages than English, and for
// the moments of the others: nothing applies to those.
func judgedLanguages(t *testing.T) (all []judged) {
	everyday := repotest.JSONLines[struct {
		Language string
		moment
	}](t, "testdata/everyday-prompts.jsonl")
	asked := map[string][]moment{}
	for _, language := range otherLanguages {
		asked[language] = repotest.JSONLines[moment](t, repotest.Shared(t, "eval/languages/moments-"+language+".jsonl"))
	}
	for _, language := range otherLanguages {
		tree := repotest.MarkdownTree(t, repotest.Shared(t, "corpora/languages/"+language))
		l, err := when.Open(tree, config.Default())
		require.NoError(t, err)
		documents := l.Documents()
		x := rank.NewIndex(documents)
		triggers := map[string]string{} // by title
		for _, d := range documents {
			triggers[d.Title] = strings.ToLower(d.Trigger)
		}
		for _, m := range asked[language] {
			for i, title := range m.Gold {
				require.NotEmpty(t, triggers[title], title)
				m.Gold[i] = triggers[title]
			}
			all = append(all, judged{moment: m, gold: len(m.Gold)}.recalled(x, documents, languageWeight))
		}
		for _, m := range everyday {
			if m.Language == language {
				all = append(all, judged{moment: m.moment}.recalled(x, documents, 1))
			}
		}
	}
	return all
}

var otherLanguages = []string{"de", "es", "fr", "ja", "ko", "ru", "zh"}

// partOf returns the part that a document belongs to.
func partOf(d rank.Document, parts int) int {
	h := fnv.New32a()
	h.Write([]byte(d.Trigger))
	return int(h.Sum32()>>8) % parts
}

// fitted fits the gate. Everyday prompts in other languages decide about the feature for these alone: it is
// such that as many decisions are expected to apply as do.
func fitted(all []judged) logistic {
	names := rank.FeatureNames()
	notEnglish := slices.Index(names[:], "not English")
	var samples, others []sample
	applying := 0.0 // in other languages
	for _, j := range all {
		for i, m := range j.found {
			s := sample{m.Features[:], j.right[i], j.weight}
			if j.Kind != everydayKind {
				samples = append(samples, s)
			}
			if m.Features[notEnglish] > 0 {
				others = append(others, s)
				applying += s.weight * count(s.positive)
			}
		}
	}
	fit := fitLogistic(samples, ridge)
	low, high := -10.0, 10.0
	for high-low > 1e-6 {
		fit.coefficients[notEnglish] = (low + high) / 2
		expected := 0.0
		for _, s := range others {
			expected += s.weight * fit.probability(s.features)
		}
		if expected < applying {
			low = fit.coefficients[notEnglish]
		} else {
			high = fit.coefficients[notEnglish]
		}
	}
	return fit
}

// sample is a case with known features, and whether it is positive. Its weight is 1 as a rule.
type sample struct {
	features []float64
	positive bool
	weight   float64
}

// logistic is a logistic regression.
type logistic struct {
	coefficients []float64
	constant     float64
}

// probability returns the probability that a sample with these features is positive.
func (l logistic) probability(features []float64) float64 {
	sum := l.constant
	for i, f := range features {
		sum += l.coefficients[i] * f
	}
	return 1 / (1 + math.Exp(-sum))
}

// newtonSteps are enough: each doubles the number of right digits.
const newtonSteps = 15

// fitLogistic fits a logistic regression by Newton's method. The ridge draws the coefficients to zero,
// measured in standard deviations of their features.
func fitLogistic(samples []sample, ridge float64) logistic {
	size := len(samples[0].features)
	means, deviations := standard(samples)
	fit := logistic{make([]float64, size), 0} // of scaled features
	for range newtonSteps {
		system := make([][]float64, size+1) // of linear equations, with the right side as the last column
		for i := range system {
			system[i] = make([]float64, size+2)
		}
		x := make([]float64, size+1)
		x[size] = 1 // for the constant
		for _, s := range samples {
			for i, f := range s.features {
				x[i] = (f - means[i]) / deviations[i]
			}
			p := fit.probability(x[:size])
			for i := range x {
				system[i][size+1] += s.weight * (count(s.positive) - p) * x[i]
				for j := range x {
					system[i][j] += s.weight * p * (1 - p) * x[i] * x[j]
				}
			}
		}
		for i := range size {
			system[i][i] += ridge
			system[i][size+1] -= ridge * fit.coefficients[i]
		}
		steps := solve(system)
		for i := range size {
			fit.coefficients[i] += steps[i]
		}
		fit.constant += steps[size]
	}
	for i := range size {
		fit.coefficients[i] /= deviations[i]
		fit.constant -= fit.coefficients[i] * means[i]
	}
	return fit
}

// standard returns the mean of each feature and its standard deviation, 1 for a constant feature.
func standard(samples []sample) (means, deviations []float64) {
	n := float64(len(samples))
	for i := range samples[0].features {
		mean, variance := 0.0, 0.0
		for _, s := range samples {
			mean += s.features[i] / n
		}
		for _, s := range samples {
			variance += (s.features[i] - mean) * (s.features[i] - mean) / n
		}
		means = append(means, mean)
		if variance < 1e-12 {
			variance = 1
		}
		deviations = append(deviations, math.Sqrt(variance))
	}
	return means, deviations
}

// solve solves linear equations by Gauss-Jordan elimination. Those of a fit need no pivots: their matrix is
// positive definite.
func solve(system [][]float64) (solution []float64) {
	size := len(system)
	for i := range system {
		for j := range system {
			factor := system[j][i] / system[i][i]
			for column := i; column <= size && j != i; column++ {
				system[j][column] -= factor * system[i][column]
			}
		}
	}
	for i := range system {
		solution = append(solution, system[i][size]/system[i][i])
	}
	return solution
}
