package eval_test

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/stretchr/testify/require"
)

var record = flag.Bool("record", false, "write the figures to figures.tsv")

// figure is one thing that an evaluation has measured, a share from 0 to 1.
type figure struct {
	Evaluation, Measure string
	Questions           int     // behind the share
	Value               float64 // NaN where there is none
	FullText            float64 // of the baseline; NaN where there is none
	Smaller             bool    // is better
	Aim                 float64 // 0: there is none
}

// TestEvaluations runs all evaluations, prints the table and fails where a figure fell.
func TestEvaluations(t *testing.T) {
	if testing.Short() {
		t.Skip("evaluations take a while")
	}
	recorded := readFigures(t)
	var now []figure
	for _, evaluation := range []struct {
		name string
		run  func(*testing.T) []figure
	}{
		{"pointers", evalPointers},
		{"actions", evalActions},
		{"learnings", evalLearnings},
		{"sessions", evalSessions},
		{"past sessions", evalPastSessions},
		{"chats", evalChats},
		{"changes", evalChanges},
	} {
		t.Run(evaluation.name, func(t *testing.T) { now = append(now, evaluation.run(t)...) })
	}
	printTable(t, now, recorded)
	if *record {
		writeFigures(t, now, recorded)
		return
	}
	for _, f := range now {
		before := f.in(recorded)
		if fell := f.fell(before); fell != "" {
			t.Errorf("%s: %s: %.3f is %s (recorded: %.3f)", f.Evaluation, f.Measure, f.Value, fell, before)
		}
	}
	for _, f := range recorded {
		if f.ran(now) && math.IsNaN(f.in(now)) {
			t.Errorf("%s: %s is recorded, but no longer measured", f.Evaluation, f.Measure)
		}
	}
}

// header is the first line of figures.tsv. What is better and the aims are not recorded: they belong to the
// evaluation.
const header = "evaluation\tmeasure\tquestions\tfigure\tfull text"

func readFigures(t *testing.T) (all []figure) {
	src, err := os.ReadFile("figures.tsv")
	require.NoError(t, err)
	for _, line := range strings.Split(strings.TrimSpace(string(src)), "\n")[1:] {
		fields := strings.Split(line, "\t")
		require.Len(t, fields, 5, line)
		value, err := strconv.ParseFloat(fields[3], 64)
		require.NoError(t, err, line)
		all = append(all, figure{Evaluation: fields[0], Measure: fields[1], Value: value})
	}
	return all
}

// writeFigures replaces the recorded figures of the evaluations that ran.
func writeFigures(t *testing.T, now, recorded []figure) {
	src, err := os.ReadFile("figures.tsv")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(src)), "\n")[1:]
	for i := len(recorded) - 1; i >= 0; i-- {
		if recorded[i].ran(now) {
			lines = slices.Delete(lines, i, i+1)
		}
	}
	for _, f := range now {
		lines = append(lines, fmt.Sprintf("%s\t%s\t%d\t%s\t%s", f.Evaluation, f.Measure, f.Questions, share(f.Value), share(f.FullText)))
	}
	slices.Sort(lines)
	require.NoError(t, os.WriteFile("figures.tsv", []byte(header+"\n"+strings.Join(lines, "\n")+"\n"), 0o644))
}

func share(value float64) string {
	if math.IsNaN(value) {
		return "-"
	}
	return strconv.FormatFloat(value, 'f', 3, 64)
}

// in returns the value that a list has of the figure, NaN if it has none.
func (f figure) in(all []figure) float64 {
	for _, other := range all {
		if f.Evaluation == other.Evaluation && f.Measure == other.Measure {
			return other.Value
		}
	}
	return math.NaN()
}

// ran reports whether a list has figures of the same evaluation.
func (f figure) ran(now []figure) bool {
	return slices.ContainsFunc(now, func(other figure) bool { return other.Evaluation == f.Evaluation })
}

// better is how much better one value of the figure is than another.
func (f figure) better(value, than float64) float64 {
	if f.Smaller {
		return than - value
	}
	return value - than
}

// fell says why the figure is worse than it was before, or "". One question less means nothing.
func (f figure) fell(before float64) string {
	const minNoise, rounding = 0.005, 0.0005
	noise := max(minNoise, 1/float64(max(1, f.Questions))) + rounding
	switch {
	case math.IsNaN(before):
		return ""
	case math.IsNaN(f.Value), f.better(before, f.Value) > noise:
		return "worse"
	case f.Aim != 0 && f.better(before, f.Aim) >= 0 && f.better(f.Value, f.Aim) < -rounding:
		return "below its aim"
	}
	return ""
}

// printTable prints figures beside the recorded ones.
func printTable(t *testing.T, now, recorded []figure) {
	out := tabwriter.NewWriter(t.Output(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "evaluation\tmeasure\tof\tthis run\trecorded\taim\tfull text")
	for _, f := range now {
		aim := cmp.Or(f.Aim, math.NaN())
		missed := ""
		if f.better(f.Value, aim) < 0 {
			missed = " missed"
		}
		fmt.Fprintf(out, "%s\t%s\t%d\t%s\t%s\t%s%s\t%s\n",
			f.Evaluation, f.Measure, f.Questions, share(f.Value), share(f.in(recorded)), share(aim), missed, share(f.FullText))
	}
	require.NoError(t, out.Flush())
}
