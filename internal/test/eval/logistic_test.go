package eval_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/eval"
)

// A regression that has produced samples is found again.
func TestFitLogistic(t *testing.T) {
	truth := eval.Logistic{Coefficients: []float64{2, -0.5, 0}, Constant: -1}
	random := rand.New(rand.NewPCG(1, 2))
	var samples []eval.Sample
	for range 20_000 {
		f := []float64{random.NormFloat64(), 10 * random.Float64(), 3}
		samples = append(samples, eval.Sample{Features: f, Positive: random.Float64() < truth.Probability(f), Weight: 1})
	}
	found := eval.FitLogistic(samples, 0.01)
	require.InDeltaSlice(t, truth.Coefficients, found.Coefficients, 0.1)
	require.InDelta(t, truth.Constant, found.Constant, 0.1)

	for name, positive := range map[string]bool{"all": true, "none": false} {
		t.Run(name, func(t *testing.T) {
			alike := []eval.Sample{{Features: []float64{1}, Positive: positive, Weight: 1}, {Features: []float64{2}, Positive: positive, Weight: 1}}
			p := eval.FitLogistic(alike, 1).Probability([]float64{1})
			require.True(t, p >= 0 && p <= 1 && p > 0.5 == positive, p)
		})
	}
}
