package eval_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/eval"
)

var none = math.NaN()

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
