package words

// OneTypo reports whether two words differ by one typing error: a missing, extra or wrong letter, or two
// neighbouring letters swapped. It returns false for Hangul, Han and other scripts that are not alphabets.
func OneTypo(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if a == "" || b == "" || x[0] != y[0] && x[len(x)-1] != y[len(y)-1] || !isAlphabetic(a) || !isAlphabetic(b) {
		return false // one error leaves the first or the last letter unchanged
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < minTypoLetters || len(y) <= minTypoLetters || len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	j := 0 // equal letters at the end
	for j < len(x)-i && x[len(x)-1-j] == y[len(y)-1-j] {
		j++
	}
	restX, restY := x[i:len(x)-j], y[i:len(y)-j]
	switch {
	case len(restY) <= 1:
		return len(restX)+len(restY) > 0
	case len(restX) == 2 && len(restY) == 2:
		return restX[0] == restY[1] && restX[1] == restY[0]
	}
	return false
}

// minTypoLetters is the minimum length of the shorter word; the longer one must have more letters. Below that, a
// difference makes another word.
const minTypoLetters = 2
