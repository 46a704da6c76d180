package migrate

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"whence/internal/cli"
	"whence/internal/text"
)

// How files are used, in the order of the plan.
const (
	asDocuments = "documents" // each file is a decision
	asDecisions = "decisions" // each section is a decision
	asTheyAre   = "leave"
)

var uses = []string{asDocuments, asDecisions, asTheyAre}

// adoptRow says how files are used.
type adoptRow struct {
	use   string
	path  string // a glob
	files int    // that it matches, except those in rows of their own
	why   string
}

type adoptPlan []adoptRow

func (p adoptPlan) sort() {
	slices.SortStableFunc(p, func(a, b adoptRow) int {
		return cmp.Or(cmp.Compare(slices.Index(uses, a.use), slices.Index(uses, b.use)), cmp.Compare(a.path, b.path))
	})
}

// with returns the plan with more rows, in place of those with the same path.
func (p adoptPlan) with(rows adoptPlan) adoptPlan {
	replaced := map[string]bool{}
	for _, r := range rows {
		replaced[r.path] = true
	}
	p = slices.Concat(slices.DeleteFunc(slices.Clone(p), func(r adoptRow) bool { return replaced[r.path] }), rows)
	p.sort()
	return p
}

// globs returns the globs with a use.
func (p adoptPlan) globs(use string) (globs []string) {
	for _, r := range p {
		if r.use == use {
			globs = append(globs, r.path)
		}
	}
	return globs
}

// adoptColumns are the columns of the table. Those after the second are for the reader.
var adoptColumns = []string{"use", "path", "files", "why"}

// table returns the plan as tab-separated values with a header line, as [Plan.Table] does.
func (p adoptPlan) table() string {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = '\t'
	_ = w.Write(adoptColumns) // a bytes.Buffer takes everything
	for _, r := range p {
		cells := []string{r.use, r.path, strconv.Itoa(r.files), r.why}
		for i := range cells {
			cells[i] = guard(cells[i])
		}
		_ = w.Write(cells)
	}
	w.Flush()
	return out.String()
}

// parseAdoptTable parses a table that was edited by hand or in a spreadsheet.
func parseAdoptTable(name string, src []byte) (adoptPlan, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(src, []byte("\uFEFF"))))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	var plan adoptPlan
	seen := map[string]bool{}
	for number := 0; ; number++ {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return plan, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := r.FieldPos(0)
		for i := range cells {
			cells[i] = strings.TrimSpace(unguard(cells[i]))
		}
		switch {
		case number == 0 && (len(cells) < 2 || cells[0] != adoptColumns[0] || cells[1] != adoptColumns[1]):
			return nil, fmt.Errorf("%s:1: the columns are %s, separated by tabs", name, strings.Join(adoptColumns, ", "))
		case number == 0, len(cells) == 1 && cells[0] == "":
			continue
		case len(cells) < 2 || cells[1] == "":
			return nil, fmt.Errorf("%s:%d: there is no path", name, line)
		case !slices.Contains(uses, cells[0]):
			return nil, fmt.Errorf("%s:%d: use %q: write %s", name, line, cells[0], strings.Join(uses, ", "))
		case seen[cells[1]]:
			return nil, fmt.Errorf("%s:%d: %s has two rows: keep one", name, line, cells[1])
		}
		seen[cells[1]] = true
		row := adoptRow{use: cells[0], path: cells[1]}
		if len(cells) >= len(adoptColumns) {
			row.files, _ = strconv.Atoi(cells[2]) // shown only
			row.why = cells[3]
		}
		plan = append(plan, row)
	}
}

// text returns the plan for a reader.
func (p adoptPlan) text() string {
	width := 0
	for _, r := range p {
		width = max(width, len([]rune(text.Printable(r.path))))
	}
	width = min(width, maxPathColumn)
	var out strings.Builder
	for _, use := range uses {
		first := true
		for _, r := range p {
			if r.use != use {
				continue
			}
			if first {
				fmt.Fprintln(&out, headlines[use])
				first = false
			}
			count := ""
			if use != asTheyAre || strings.Contains(r.path, "*") {
				count = cli.Count(r.files, "file", "files") + ": "
			}
			fmt.Fprintf(&out, "  %-*s  %s%s\n", width, text.Printable(r.path), count, text.Printable(r.why))
		}
	}
	return out.String()
}

// maxPathColumn is the width in characters to which paths are padded: a line of a terminal has 80 or
// more.
const maxPathColumn = 40

var headlines = map[string]string{
	asDocuments: "documents (each file is a decision)",
	asDecisions: "decisions (each section is a decision)",
	asTheyAre:   "left as they are",
}
