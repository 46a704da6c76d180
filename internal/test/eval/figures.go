package eval

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Figure is one thing that an evaluation has measured, a share from 0 to 1.
type Figure struct {
	Evaluation, Measure string
	Questions           int     // behind the share
	Value               float64 // NaN where there is none
	FullText            float64 // of the baseline; NaN where there is none
	Smaller             bool    // is better
	Aim                 float64 // 0: there is none
}

// header is the first line of figures.tsv. What is better and the aims are not recorded:
// they belong to the evaluation.
const header = "evaluation\tmeasure\tquestions\tfigure\tfull text"

// Parse reads recorded figures.
func Parse(src []byte) ([]Figure, error) {
	var all []Figure
	for n, line := range strings.Split(strings.TrimSuffix(string(src), "\n"), "\n") {
		if n == 0 {
			if line != header {
				return nil, fmt.Errorf("line 1: %q instead of the names of the columns, %q", line, header)
			}
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != strings.Count(header, "\t")+1 {
			return nil, fmt.Errorf("line %d: %d fields instead of %d", n+1, len(fields), strings.Count(header, "\t")+1)
		}
		f := Figure{Evaluation: fields[0], Measure: fields[1]}
		var err error
		if f.Questions, err = strconv.Atoi(fields[2]); err != nil {
			return nil, fmt.Errorf("line %d: the number of questions: %w", n+1, err)
		}
		for i, share := range []*float64{&f.Value, &f.FullText} {
			if *share, err = parseShare(fields[3+i]); err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
		}
		all = append(all, f)
	}
	return all, nil
}

// Print is the text of figures.tsv: sorted, a figure a line.
func Print(all []Figure) []byte {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Figure) int {
		return cmp.Or(cmp.Compare(a.Evaluation, b.Evaluation), cmp.Compare(a.Measure, b.Measure))
	})
	var out bytes.Buffer
	fmt.Fprintln(&out, header)
	for _, f := range all {
		fmt.Fprintf(&out, "%s\t%s\t%d\t%s\t%s\n", f.Evaluation, f.Measure, f.Questions, printShare(f.Value), printShare(f.FullText))
	}
	return out.Bytes()
}

func parseShare(text string) (float64, error) {
	if text == "-" {
		return math.NaN(), nil
	}
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || share < 0 || share > 1 || math.IsNaN(share) {
		return 0, fmt.Errorf("%q is no share from 0 to 1, nor -", text)
	}
	return share, nil
}

func printShare(share float64) string {
	if math.IsNaN(share) {
		return "-"
	}
	return strconv.FormatFloat(share, 'f', 3, 64)
}
