package eval_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/eval"
)

var record = flag.Bool("record", false, "write the figures to figures.tsv")

// TestEvaluations runs all evaluations, prints the table and fails where a figure fell.
func TestEvaluations(t *testing.T) {
	if testing.Short() {
		t.Skip("evaluations take a while")
	}
	src, err := os.ReadFile("figures.tsv")
	require.NoError(t, err)
	recorded, err := eval.Parse(src)
	require.NoError(t, err, "figures.tsv")
	var now []eval.Figure
	for _, evaluation := range []struct {
		name string
		run  func(*testing.T) []eval.Figure
	}{
		{"queries", evalQueries},
		{"pointers", evalPointers},
		{"actions", evalActions},
		{"long session", evalLongSession},
		{"triggers", evalTriggers},
		{"learnings", evalLearnings},
		{"sessions", evalSessions},
		{"turns", evalTurns},
	} {
		t.Run(evaluation.name, func(t *testing.T) { now = append(now, evaluation.run(t)...) })
	}
	if *record {
		require.NoError(t, os.WriteFile("figures.tsv", eval.Print(eval.Merge(now, recorded)), 0o644))
	}
	rows, gone := eval.Compare(now, recorded)
	fmt.Fprintf(t.Output(), "\n%s\n", eval.Table(rows))
	if *record {
		return
	}
	for _, r := range rows {
		if fell := r.Fell(); fell != "" {
			t.Errorf("%s: %s: %.3f is %s (recorded: %.3f)", r.Evaluation, r.Measure, r.Value, fell, r.Recorded)
		}
	}
	for _, f := range gone {
		t.Errorf("%s: %s is recorded, but no longer measured", f.Evaluation, f.Measure)
	}
}

// The file of recorded figures is formatted as it is written, so that only figures differ.
func TestFiguresAreAsPrinted(t *testing.T) {
	src, err := os.ReadFile("figures.tsv")
	require.NoError(t, err)
	all, err := eval.Parse(src)
	require.NoError(t, err)
	require.Equal(t, string(src), string(eval.Print(all)))
}
