package rank

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// cell is a number other than zero in a row of a sparse matrix.
type cell struct {
	column int32
	value  float32
}

// stepsPerVector is the number of steps of Lanczos' method for each vector. With 3, the 64th of a memory
// of 374 sections is exact to ten digits; with 2, it is another one.
const stepsPerVector = 3

// minSquare is the square of the smallest singular value that counts. The rows have unit length, so
// each document adds 1 to the sum of all squares; below minSquare there is only what equal documents
// leave of rounding.
const minSquare = 1e-3

// minLength is the length below which a vector holds nothing except what rounding leaves.
const minLength = 1e-6

// scaledVectors returns up to n of the first left singular vectors of a matrix X, each multiplied by
// its singular value. They come from Lanczos' method for X·Xᵀ: a basis begins with any vector, and
// goes on with the product of X·Xᵀ and the last vector, made orthogonal to all before. For this
// basis, X·Xᵀ has three diagonals. The result is the same in each run.
func scaledVectors(rows [][]cell, columns, n int) [][]float64 {
	random := rand.New(rand.NewPCG(1, 2))
	basis := make([][]float64, min(stepsPerVector*n, len(rows)))
	diagonal, beside := make([]float64, len(basis)), make([]float64, len(basis))
	next, length := make([]float64, len(rows)), 0.0
	for i := range basis {
		if i > 0 && length >= minLength {
			beside[i-1] = length
		}
		for length < minLength { // at first, and where the product has nothing new
			for j := range next {
				next[j] = random.NormFloat64()
			}
			length = orthogonalize(next, basis[:i])
		}
		basis[i] = make([]float64, len(rows))
		add(basis[i], 1/length, next)
		next = square(rows, columns, basis[i])
		diagonal[i] = dot(next, basis[i])
		length = orthogonalize(next, basis[:i+1])
	}
	squares, vectors := eigen(diagonal, beside)
	var scaled [][]float64
	for i := 0; i < min(n, len(basis)) && squares[i] >= minSquare; i++ {
		v := make([]float64, len(rows))
		for j, b := range basis {
			add(v, math.Sqrt(squares[i])*vectors[i][j], b)
		}
		scaled = append(scaled, v)
	}
	return scaled
}

// orthogonalize makes a vector orthogonal to a basis, and returns its length. Twice is enough.
func orthogonalize(v []float64, basis [][]float64) float64 {
	for range 2 {
		for _, b := range basis {
			add(v, -dot(v, b), b)
		}
	}
	return math.Sqrt(dot(v, v))
}

// square returns X·Xᵀ·v.
func square(rows [][]cell, columns int, v []float64) []float64 {
	inner, image := make([]float64, columns), make([]float64, len(rows))
	for i, row := range rows {
		for _, c := range row {
			inner[c.column] += float64(c.value) * v[i]
		}
	}
	for i, row := range rows {
		for _, c := range row {
			image[i] += float64(c.value) * inner[c.column]
		}
	}
	return image
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// add adds a multiple of a vector to another one.
func add(to []float64, factor float64, v []float64) {
	for i := range to {
		to[i] += factor * v[i]
	}
}

// eigen returns the eigenvalues, largest first, and the eigenvectors of a symmetric matrix of three
// diagonals, by the QL method with implicit shifts. It overwrites d, the diagonal, and e, the numbers
// beside it, of which the last does not count.
func eigen(d, e []float64) (values []float64, vectors [][]float64) {
	unsorted := make([][]float64, len(d))
	for i := range unsorted {
		unsorted[i] = make([]float64, len(d))
		unsorted[i][i] = 1
	}
	for first := range d {
		for last := block(d, e, first); last > first; last = block(d, e, first) {
			sweep(d, e, first, last, unsorted)
		}
	}
	order := make([]int, len(d))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(d[j], d[i]) })
	for _, i := range order {
		values, vectors = append(values, d[i]), append(vectors, unsorted[i])
	}
	return values, vectors
}

// block returns the last row of the block of the matrix that begins at a row.
func block(d, e []float64, first int) int {
	last := first
	for last+1 < len(d) && math.Abs(e[last]) > 1e-16*(math.Abs(d[last])+math.Abs(d[last+1])) {
		last++
	}
	return last
}

// sweep makes what is beside the first number of a block smaller, by rotations from the last row up.
func sweep(d, e []float64, first, last int, vectors [][]float64) {
	half := (d[first+1] - d[first]) / (2 * e[first])
	g := d[last] - d[first] + e[first]/(half+math.Copysign(math.Hypot(half, 1), half))
	sin, cos, p := 1.0, 1.0, 0.0
	for i := last - 1; i >= first; i-- {
		f, b := sin*e[i], cos*e[i]
		r := math.Hypot(f, g)
		if e[i+1] = r; r == 0 { // the block splits
			d[i+1] -= p
			e[last] = 0
			return
		}
		sin, cos = f/r, g/r
		g = d[i+1] - p
		r = (d[i]-g)*sin + 2*cos*b
		p = sin * r
		d[i+1] = g + p
		g = cos*r - b
		for j, v := range vectors[i] {
			w := vectors[i+1][j]
			vectors[i][j], vectors[i+1][j] = cos*v-sin*w, sin*v+cos*w
		}
	}
	d[first] -= p
	e[first], e[last] = g, 0
}
