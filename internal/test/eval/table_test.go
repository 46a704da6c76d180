package eval_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/eval"
)

var none = math.NaN()

func TestFiguresAreReadAsPrinted(t *testing.T) {
	text := `evaluation	measure	questions	figure	full text	letters
recall	first	64	0.609	0.604	0.000
recall	wrong	24	0.042	1.000	-
turns	first	786	1.000	-	-
`
	all, err := eval.Parse([]byte(text))
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Equal(t, eval.Figure{Evaluation: "recall", Measure: "first", Questions: 64, Value: 0.609, FullText: 0.604}, all[0])
	require.True(t, math.IsNaN(all[1].Letters))
	all[0], all[2] = all[2], all[0]
	require.Equal(t, text, string(eval.Print(all)), "sorted")
}

func TestBrokenFigures(t *testing.T) {
	head := "evaluation\tmeasure\tquestions\tfigure\tfull text\tletters\n"
	for text, want := range map[string]string{
		"":                              "line 1",
		"a\tb\t1\t0.5\t-\t-\n":          "line 1",
		head + "a\tb\t1\t0.5\t-\n":      "line 2: 5 fields instead of 6",
		head + "a\tb\tx\t0.5\t-\t-\n":   "line 2: the number of questions",
		head + "a\tb\t1\t1.5\t-\t-\n":   "line 2: \"1.5\" is no share",
		head + "a\tb\t1\t-0.5\t-\t-\n":  "line 2: \"-0.5\" is no share",
		head + "a\tb\t1\tNaN\t-\t-\n":   "line 2: \"NaN\" is no share",
		head + "a\tb\t1\t0.5\t-\t-\n\n": "line 3",
	} {
		_, err := eval.Parse([]byte(text))
		require.ErrorContains(t, err, want, "%q", text)
	}
}

func TestFell(t *testing.T) {
	for _, test := range []struct {
		name       string
		figure     eval.Figure
		recorded   float64
		fell       string
		difference float64
	}{
		{"the same", eval.Figure{Questions: 50, Value: 0.5}, 0.5, "", 0},
		{"more", eval.Figure{Questions: 50, Value: 0.9}, 0.5, "", 0.4},
		{"one question less is noise", eval.Figure{Questions: 50, Value: 0.48}, 0.5, "", -0.02},
		{"two are not", eval.Figure{Questions: 50, Value: 0.46}, 0.5, "worse", -0.04},
		{"many questions have little noise", eval.Figure{Questions: 1000, Value: 0.494}, 0.5, "worse", -0.006},
		{"but some", eval.Figure{Questions: 1000, Value: 0.495}, 0.5, "", -0.005},
		{"where less is better, more is worse", eval.Figure{Questions: 50, Value: 0.54, Smaller: true}, 0.5, "worse", 0.04},
		{"and less is not", eval.Figure{Questions: 50, Value: 0.3, Smaller: true}, 0.5, "", -0.2},
		{"noise that costs the aim", eval.Figure{Questions: 50, Value: 0.59, Aim: 0.6}, 0.6, "below its aim", -0.01},
		{"and where less is better", eval.Figure{Questions: 20, Value: 0.06, Aim: 0.05, Smaller: true}, 0.04, "below its aim", 0.02},
		{"an aim that was missed before", eval.Figure{Questions: 50, Value: 0.57, Aim: 0.6}, 0.58, "", -0.01},
		{"nothing to measure any more", eval.Figure{Questions: 50, Value: none}, 0.5, "worse", none},
		{"new", eval.Figure{Questions: 50, Value: 0, Aim: 0.5}, none, "", none},
	} {
		row := eval.Row{Figure: test.figure, Recorded: test.recorded}
		require.Equal(t, test.fell, row.Fell(), test.name)
		if math.IsNaN(test.difference) {
			require.True(t, math.IsNaN(row.Difference()), test.name)
		} else {
			require.InDelta(t, test.difference, row.Difference(), 1e-9, test.name)
		}
	}
}

func TestCompareAndMerge(t *testing.T) {
	figure := func(evaluation, measure string, value float64) eval.Figure {
		return eval.Figure{Evaluation: evaluation, Measure: measure, Value: value}
	}
	recorded := []eval.Figure{figure("recall", "first", 0.5), figure("recall", "old", 0.4), figure("turns", "first", 0.3)}
	local := figure("commits", "first", 0.9)
	local.Local = true
	now := []eval.Figure{figure("recall", "first", 0.6), figure("recall", "new", 0.7), local}

	rows, gone := eval.Compare(now, recorded)
	require.Equal(t, recorded[1:2], gone, "what did not run is not gone")
	require.Len(t, rows, 3)
	require.Equal(t, 0.5, rows[0].Recorded)
	require.True(t, math.IsNaN(rows[1].Recorded))
	require.True(t, math.IsNaN(rows[2].Recorded))

	require.Equal(t, []eval.Figure{now[0], now[1], recorded[2]}, eval.Merge(now, recorded))
}

func TestTable(t *testing.T) {
	got := eval.Table([]eval.Row{
		{Figure: eval.Figure{Evaluation: "recall", Measure: "first", Questions: 64, Value: 0.6254, FullText: 0.6, Letters: none, Aim: 0.8}, Recorded: 0.609},
		{Figure: eval.Figure{Evaluation: "recall", Measure: "wrong", Questions: 24, Value: 0.042, FullText: 1, Smaller: true, Aim: 0.05}, Recorded: 0.042},
		{Figure: eval.Figure{Evaluation: "turns", Measure: "first", Questions: 786, Value: 0.675, FullText: 0.489}, Recorded: none},
	})
	require.Equal(t, strings.TrimPrefix(`
evaluation: measure                           of  this run  recorded  change     aim         full text  letters
recall
  first                                       64     0.625     0.609  +0.016  ≥ 0.80 missed      0.600        -
  wrong                                       24     0.042     0.042          ≤ 0.05             1.000    0.000
turns
  first                                      786     0.675         -     new                     0.489    0.000
`, "\n"), got)
}
