package report

import (
	"fmt"
	"strconv"
	"strings"
)

// whole formats a number with commas.
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

// percent formats a share; "–" if the whole is 0.
func percent(part, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", share(part, of))
}

// millis formats a time in milliseconds.
func millis(ms float64) string {
	if ms >= 100 {
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f ms", ms)
}

// ratio formats a quotient; "–" if the divisor is 0.
func ratio(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", float64(n)/float64(of))
}

// perThousand formats the number of items per 1,000 tokens.
func (t Tally) perThousand() string {
	if t.Tokens == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", 10*share(t.Items, t.Tokens))
}
