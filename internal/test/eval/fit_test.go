package eval_test

import (
	"flag"
	"fmt"
	"go/format"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/index"
	"whence/internal/rank"
	"whence/internal/test/eval"
	"whence/when"
)

var fit = flag.Bool("fit", false, "fit the gate of recall, and write its coefficients")

const (
	coefficientsFile = "../../rank/gate_coefficients.go"

	// unrelatedWeight is the weight of the commands and files of unrelated work: there are as many as
	// moments. With 0.3 as much is reached, and a third more is shown there.
	unrelatedWeight = 0.5

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
	for _, of := range []struct {
		name   string
		latent bool
	}{{"withLatent", true}, {"withoutLatent", false}} {
		l := fitted(slices.Concat(judgedVariants(t, conventions, of.latent, unrelated), judgedVariants(t, commands, of.latent, unrelated)))
		fmt.Fprintf(&src, "\nvar %s = coefficients{\nof: Features{\n", of.name)
		for i, name := range rank.FeatureNames() {
			fmt.Fprintf(&src, "%.3f, // %s\n", l.Coefficients[i], name)
		}
		fmt.Fprintf(&src, "},\nconstant: %.3f,\n}\n", l.Constant)
	}
	formatted, err := format.Source([]byte(src.String()))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(coefficientsFile, formatted, 0o666))
}

// judged is a moment with what recall finds for it.
type judged struct {
	moment
	gold int // decisions of the memory that apply
	rows []eval.Sample
}

// variant is a memory with a number of situations per decision, and one of so many parts of it.
type variant struct {
	situations int
	parts      uint32
}

// variants are what the gate is fitted on: it has to be right in small memories, too.
func (m memoryName) variants() []variant {
	all := []variant{{0, 1}, {2, 1}, {4, 1}, {8, 1}, {0, 3}, {8, 3}, {0, 10}, {8, 10}}
	if m == conventions {
		all = append(all, variant{16, 1})
	}
	return all
}

// judgedVariants recalls for the moments of all variants of a memory, and for unrelated texts.
func judgedVariants(t *testing.T, name memoryName, latent bool, unrelated []action) (all []judged) {
	for _, v := range name.variants() {
		x, documents, moments := indexVariant(t, name, v, latent)
		all = append(all, judge(t, x, documents, moments)...)
		if v.situations == 0 || v.situations >= 8 {
			all = append(all, judge(t, x, documents, unrelatedMoments(unrelated))...)
		}
	}
	return all
}

// unrelatedKind is the kind of a moment of unrelated work, to which nothing applies.
const unrelatedKind = "unrelated"

func unrelatedMoments(actions []action) (all []moment) {
	for _, a := range actions {
		all = append(all, moment{Kind: unrelatedKind, Text: a.text()})
	}
	return all
}

// indexVariant returns the index of a variant of a memory.
func indexVariant(t *testing.T, name memoryName, v variant, latent bool) (*rank.Index, []rank.Document, []moment) {
	m := openMemory(t, name, v.situations)
	l, err := when.Open(part(m.tree, v.parts), config.Default())
	require.NoError(t, err)
	documents, err := l.Documents()
	require.NoError(t, err)
	x := rank.NewIndex(documents)
	if latent {
		x = x.WithLatent()
	}
	return x, documents, m.moments
}

// judge recalls for moments, without those to which only decisions apply that are in another part.
func judge(t *testing.T, x *rank.Index, documents []rank.Document, moments []moment) (all []judged) {
	for _, asked := range moments {
		j := judged{moment: asked}
		for _, d := range documents {
			j.gold += int(count(slices.Contains(asked.Gold, strings.ToLower(d.Trigger))))
		}
		if len(asked.Gold) > 0 && j.gold == 0 {
			continue
		}
		found, err := x.Recall(seenByHook(asked), candidates)
		require.NoError(t, err)
		for _, match := range found {
			applies := slices.Contains(asked.Gold, strings.ToLower(documents[match.Document].Trigger))
			weight := 1.0
			if asked.Kind == unrelatedKind {
				weight = unrelatedWeight
			}
			j.rows = append(j.rows, eval.Sample{Features: match.Features[:], Positive: applies, Weight: weight})
		}
		all = append(all, j)
	}
	return all
}

func fitted(all []judged) eval.Logistic {
	var samples []eval.Sample
	for _, j := range all {
		samples = append(samples, j.rows...)
	}
	return eval.FitLogistic(samples, ridge)
}

// part returns a memory with one of so many entries.
func part(tree fstest.MapFS, parts uint32) fstest.MapFS {
	var kept []byte
	f := index.Parse(tree[config.DefaultIndex].Data)
	for _, line := range f.Lines {
		if line.Kind == index.EntryLine {
			h := fnv.New32a()
			h.Write([]byte(line.Entry.Trigger.Text))
			if h.Sum32()>>8%parts != 0 {
				continue
			}
		}
		kept = append(kept, f.Source[line.Start:line.Next]...)
	}
	smaller := fstest.MapFS{}
	for name, file := range tree {
		smaller[name] = file
	}
	smaller[config.DefaultIndex] = &fstest.MapFile{Data: kept}
	return smaller
}
