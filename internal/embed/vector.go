package embed

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Encode is the form in which a vector is stored: four bytes for each dimension, the
// lowest first.
func Encode(vector []float32) []byte {
	blob := make([]byte, 0, 4*len(vector))
	for _, x := range vector {
		blob = binary.LittleEndian.AppendUint32(blob, math.Float32bits(x))
	}
	return blob
}

// Decode reads what Encode wrote.
func Decode(blob []byte) ([]float32, error) {
	if len(blob)%4 != 0 {
		return nil, fmt.Errorf("a vector of %d bytes, which is no multiple of 4: embed its text again", len(blob))
	}
	vector := make([]float32, len(blob)/4)
	for i := range vector {
		vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(blob[4*i:]))
	}
	return vector, nil
}

// Cosine is how alike the directions of two vectors are, from -1 to 1. Vectors of
// different dimensions, or without a direction, have nothing in common: 0.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot += x * y
		aa += x * x
		bb += y * y
	}
	if length := math.Sqrt(aa) * math.Sqrt(bb); length > 0 {
		return max(-1, min(1, dot/length))
	}
	return 0
}

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
