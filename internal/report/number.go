package report

import (
	"fmt"
	"strconv"
	"strings"
)

// whole writes a number with commas.
func whole(n int) string {
	digits := strconv.Itoa(n)
	var out strings.Builder
	for i, d := range digits {
		if left := len(digits) - i; i > 0 && left%3 == 0 && digits[i-1] != '-' {
			out.WriteByte(',')
		}
		out.WriteRune(d)
	}
	return out.String()
}

// percent writes a share; of nothing there is none.
func percent(part, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", Share(part, of))
}

// millis writes a time.
func millis(ms float64) string {
	if ms >= 100 {
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f ms", ms)
}

// ratio writes one number as many times another.
func ratio(items, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", float64(items)/float64(of))
}

// perThousand writes how many items come on 1,000 tokens.
func (t Tally) perThousand() string {
	if t.Tokens == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", t.PerThousand())
}
