package remember

import "math"

// normalise makes a vector one of length 1, if it has a direction.
func normalise(vector []float32) bool {
	var sum float64
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return false
	}
	for i, x := range vector {
		vector[i] = float32(float64(x) / length)
	}
	return true
}
