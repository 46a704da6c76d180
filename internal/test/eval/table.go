package eval

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Row is a figure beside the recorded one.
type Row struct {
	Figure
	Recorded float64 // NaN: it is new
}

// Compare puts figures beside those recorded of the same evaluations. gone are recorded
// figures of theirs that are no longer measured.
func Compare(now, recorded []Figure) (rows []Row, gone []Figure) {
	for _, f := range now {
		row := Row{f, math.NaN()}
		if i := slices.IndexFunc(recorded, f.sameAs); i >= 0 {
			row.Recorded = recorded[i].Value
		}
		rows = append(rows, row)
	}
	for _, f := range recorded {
		ran := slices.ContainsFunc(now, func(n Figure) bool { return n.Evaluation == f.Evaluation })
		if ran && !slices.ContainsFunc(now, f.sameAs) {
			gone = append(gone, f)
		}
	}
	return rows, gone
}

// Merge returns the figures to record: the new ones, and the recorded ones of evaluations
// that did not run.
func Merge(now, recorded []Figure) []Figure {
	all := slices.Clone(now)
	for _, f := range recorded {
		if !slices.ContainsFunc(now, func(n Figure) bool { return n.Evaluation == f.Evaluation }) {
			all = append(all, f)
		}
	}
	return all
}

func (f Figure) sameAs(other Figure) bool {
	return f.Evaluation == other.Evaluation && f.Measure == other.Measure
}

// minNoise is the noise of the largest sets, where one question is less.
const minNoise = 0.005

// Noise is how much a figure may be worse without meaning anything: one question.
func (f Figure) Noise() float64 {
	return max(minNoise, 1/float64(max(1, f.Questions)))
}

// better is how much better the figure is than another value of it.
func (f Figure) better(value float64) float64 {
	if f.Smaller {
		return value - f.Value
	}
	return f.Value - value
}

// Difference returns the change as printed, rounded to thousandths.
func (r Row) Difference() float64 {
	return (math.Round(r.Value*1000) - math.Round(r.Recorded*1000)) / 1000
}

// reaches reports whether a value of the figure would reach its aim.
func (f Figure) reaches(value float64) bool {
	f.Value = value
	return f.better(f.Aim) >= 0
}

// Fell tells why a figure is worse than the recorded one, or "".
func (r Row) Fell() string {
	const rounding = 0.0005
	switch {
	case math.IsNaN(r.Recorded):
		return ""
	case math.IsNaN(r.Value), -r.better(r.Recorded) > r.Noise()+rounding:
		return "worse"
	case r.Aim != 0 && r.reaches(r.Recorded) && !r.reaches(math.Round(r.Value*1000)/1000):
		return "below its aim"
	}
	return ""
}

// Table prints rows in the given order.
func Table(rows []Row) string {
	var out strings.Builder
	line := func(cells ...string) {
		text := fmt.Sprintf("%-42s %5s  %8s  %8s  %6s  %6s %-6s  %9s", cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7])
		out.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	line("evaluation: measure", "of", "this run", "recorded", "change", "aim", "", "full text")
	last := ""
	for _, r := range rows {
		if r.Evaluation != last {
			last = r.Evaluation
			out.WriteString(last + "\n")
		}
		change, aim, mark := "", "", ""
		switch {
		case math.IsNaN(r.Recorded):
			change = "new"
		case r.Difference() < 0 || r.Difference() > 0:
			change = fmt.Sprintf("%+.3f", r.Difference())
		}
		if r.Aim != 0 {
			sign := "≥"
			if r.Smaller {
				sign = "≤"
			}
			aim = fmt.Sprintf("%s %.2f", sign, r.Aim)
			if !r.reaches(r.Value) {
				mark = "missed"
			}
		}
		line("  "+r.Measure, strconv.Itoa(r.Questions), printShare(r.Value), printShare(r.Recorded), change, aim, mark, printShare(r.FullText))
	}
	return out.String()
}
