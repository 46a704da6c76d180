package eval

import "math"

// Sample is a case with known features, and whether it is positive.
type Sample struct {
	Features []float64
	Positive bool
	Weight   float64 // 1 is usual
}

// Logistic is a logistic regression: the probability of a sample is
// 1 / (1 + exp(-(Constant + Σ Coefficients · Features))).
type Logistic struct {
	Coefficients []float64
	Constant     float64
}

// Probability returns the probability that a sample with these features is positive.
func (l Logistic) Probability(features []float64) float64 {
	sum := l.Constant
	for i, f := range features {
		sum += l.Coefficients[i] * f
	}
	return 1 / (1 + math.Exp(-sum))
}

const (
	newtonSteps = 25
	minStep     = 1e-7
)

// FitLogistic fits a logistic regression to samples by Newton's method. The ridge draws the
// coefficients to zero, measured in standard deviations of their features. All samples have the same
// number of features, and there is at least one.
func FitLogistic(samples []Sample, ridge float64) Logistic {
	means, deviations := standard(samples)
	size := len(means)
	weights := make([]float64, size+1) // the last is the constant
	for range newtonSteps {
		system := make([][]float64, size+1) // of linear equations, with the right side as the last column
		for i := range system {
			system[i] = make([]float64, size+2)
		}
		for _, s := range samples {
			x := append(scaled(s.Features, means, deviations), 1)
			p := 1 / (1 + math.Exp(-product(weights, x)))
			rest := -p
			if s.Positive {
				rest++
			}
			for i := range x {
				system[i][size+1] += s.Weight * rest * x[i]
				for j := range x {
					system[i][j] += s.Weight * p * (1 - p) * x[i] * x[j]
				}
			}
		}
		for i := range size {
			system[i][i] += ridge
			system[i][size+1] -= ridge * weights[i]
		}
		system[size][size] += minStep // all samples alike have no constant
		largest := 0.0
		for i, step := range solve(system) {
			weights[i] += step
			largest = max(largest, math.Abs(step))
		}
		if largest < minStep {
			break
		}
	}
	l := Logistic{make([]float64, size), weights[size]}
	for i := range size {
		l.Coefficients[i] = weights[i] / deviations[i]
		l.Constant -= l.Coefficients[i] * means[i]
	}
	return l
}

// standard returns the mean of each feature and its standard deviation, 1 for a constant feature.
func standard(samples []Sample) (means, deviations []float64) {
	size, n := len(samples[0].Features), float64(len(samples))
	means, deviations = make([]float64, size), make([]float64, size)
	for i := range size {
		for _, s := range samples {
			means[i] += s.Features[i] / n
		}
		for _, s := range samples {
			deviations[i] += (s.Features[i] - means[i]) * (s.Features[i] - means[i]) / n
		}
		if deviations[i] = math.Sqrt(deviations[i]); deviations[i] < minStep {
			deviations[i] = 1
		}
	}
	return means, deviations
}

func scaled(features, means, deviations []float64) []float64 {
	x := make([]float64, len(features), len(features)+1)
	for i, f := range features {
		x[i] = (f - means[i]) / deviations[i]
	}
	return x
}

func product(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// solve solves linear equations by Gauss-Jordan elimination with pivots.
func solve(system [][]float64) []float64 {
	size := len(system)
	for i := range system {
		pivot := i
		for j := i; j < size; j++ {
			if math.Abs(system[j][i]) > math.Abs(system[pivot][i]) {
				pivot = j
			}
		}
		system[i], system[pivot] = system[pivot], system[i]
		for j := range system {
			if j == i {
				continue
			}
			factor := system[j][i] / system[i][i]
			for column := i; column <= size; column++ {
				system[j][column] -= factor * system[i][column]
			}
		}
	}
	solution := make([]float64, size)
	for i := range solution {
		solution[i] = system[i][size] / system[i][i]
	}
	return solution
}
