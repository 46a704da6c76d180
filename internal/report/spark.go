package report

import "strings"

// bars are the heights of a sparkline, the last for the most.
const bars = "▁▂▃▄▅▆▇█"

// maxSparkValues is how many values a sparkline has, the last ones.
const maxSparkValues = 26

// nothing is drawn for 0, so that it is not taken for little.
const nothing = '·'

// spark draws values, none below 0; nothing at all if there is none above.
func spark(values []float64) string {
	values = values[max(0, len(values)-maxSparkValues):]
	heights := []rune(bars)
	most := 0.0
	for _, v := range values {
		most = max(most, v)
	}
	if most == 0 {
		return ""
	}
	var out strings.Builder
	for _, v := range values {
		if v <= 0 {
			out.WriteRune(nothing)
			continue
		}
		out.WriteRune(heights[min(int(v/most*float64(len(heights))), len(heights)-1)])
	}
	return out.String()
}

// weekValues takes a number from each week.
func weekValues[W any](weeks []W, of func(W) float64) []float64 {
	values := make([]float64, len(weeks))
	for i, w := range weeks {
		values[i] = of(w)
	}
	return values
}
