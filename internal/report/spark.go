package report

import (
	"slices"
	"strings"
)

// bars are the bars of a sparkline, lowest first.
const bars = "▁▂▃▄▅▆▇█"

// maxSparkValues limits a sparkline to the last values.
const maxSparkValues = 26

// emptyBar is drawn for 0, so that it is not taken for a small value.
const emptyBar = '·'

// spark draws values, or returns "" if none is positive.
func spark(values []float64) string {
	values = values[max(0, len(values)-maxSparkValues):]
	heights := []rune(bars)
	if len(values) == 0 || slices.Max(values) == 0 {
		return ""
	}
	highest := slices.Max(values)
	var out strings.Builder
	for _, v := range values {
		if v <= 0 {
			out.WriteRune(emptyBar)
			continue
		}
		out.WriteRune(heights[min(int(v/highest*float64(len(heights))), len(heights)-1)])
	}
	return out.String()
}
