package migrate

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/validate"
)

// columns are the columns of the table. Those that users edit come first.
var columns = []string{"line", "file", "header", "trigger", "description", "why", "confidence", "operator", "source"}

// optional are the columns that a table may lack.
var optional = []string{"why", "confidence"}

// Table returns the plan as tab-separated values with a header line, quoted where a cell holds a
// quote or a tab. A cell that a spreadsheet would take for a formula gets an apostrophe in front.
func (p Plan) Table() []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = '\t'
	_ = w.Write(columns) // a bytes.Buffer takes everything
	for _, r := range p.Rows {
		cells := []string{
			strconv.Itoa(r.Line), r.File, r.Header, r.Trigger, r.Description, r.Why,
			strconv.FormatFloat(r.Confidence, 'f', 2, 64), r.Operator, r.Source,
		}
		for i := range cells {
			cells[i] = guard(cells[i])
		}
		_ = w.Write(cells)
	}
	w.Flush()
	return out.Bytes()
}

// formula holds the characters that begin a formula in a spreadsheet, and the apostrophe, so that
// a cell that begins with one is read back.
const formula = "=+-@'"

func guard(cell string) string {
	if cell != "" && strings.ContainsRune(formula, rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

func unguard(cell string) string {
	if len(cell) > 1 && cell[0] == '\'' && strings.ContainsRune(formula, rune(cell[1])) {
		return cell[1:]
	}
	return cell
}

// parseTable parses a table from Table that was edited by hand or in a spreadsheet: columns may be
// in another order; a byte-order mark, CRLF line ends and empty lines are ignored.
func parseTable(name string, src []byte) (Plan, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(src, []byte("\uFEFF"))))
	r.Comma = '\t'
	r.LazyQuotes = true
	r.FieldsPerRecord = -1
	head, err := r.Read()
	if errors.Is(err, io.EOF) {
		return Plan{}, fmt.Errorf("%s is empty: make a plan with \"memory-migrate plan\"", name)
	}
	at := map[string]int{}
	for i, column := range head {
		at[strings.ToLower(strings.TrimSpace(column))] = i
	}
	for _, column := range columns {
		if _, found := at[column]; !found && !slices.Contains(optional, column) {
			return Plan{}, fmt.Errorf("%s:1: no column %q: the columns are %s, separated by tabs", name, column, strings.Join(columns, ", "))
		}
	}
	var plan Plan
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return plan, nil
		}
		number, _ := r.FieldPos(0)
		if err != nil {
			return Plan{}, fmt.Errorf("%s: %w", name, err)
		}
		if len(cells) == 1 && strings.TrimSpace(cells[0]) == "" {
			continue
		}
		row, err := parseRow(cells, at)
		if err != nil {
			return Plan{}, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		plan.Rows = append(plan.Rows, row)
	}
}

func parseRow(cells []string, at map[string]int) (Row, error) {
	cell := func(column string) string {
		if i, found := at[column]; found && i < len(cells) {
			return unguard(cells[i])
		}
		return ""
	}
	trimmed := func(column string) string { return strings.Join(strings.Fields(cell(column)), " ") }
	line, err := strconv.Atoi(trimmed("line"))
	if err != nil || line < 1 {
		return Row{}, fmt.Errorf("line %q is not a line number", cell("line"))
	}
	confidence, _ := strconv.ParseFloat(trimmed("confidence"), 64) // shown only; what a spreadsheet makes of it does not matter
	return Row{
		Line: line, File: trimmed("file"), Header: trimmed("header"), Operator: strings.TrimPrefix(trimmed("operator"), "/"),
		Trigger: index.NormalizeTrigger(cell("trigger")), Description: trimmed("description"),
		Why: trimmed("why"), Confidence: confidence, Source: cell("source"),
	}, nil
}

// check verifies that the edited rows can become entries: each header is a semantic heading of its
// file, each trigger is well formed, and no two are the same. The headers get the case of their
// headings.
func (p Plan) check(name string, m *corpus.Corpus) error {
	triggers, headers, joined := map[index.Key]Row{}, map[string]Row{}, corpus.Join(m.Index, m.Decisions)
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Header == "" {
			continue
		}
		row := fmt.Sprintf("%s: row of line %d", name, r.Line)
		if err := r.resolve(m.Decisions, joined); err != nil {
			return fmt.Errorf("%s: %w", row, err)
		}
		if !index.IsOperator(r.Operator) {
			return fmt.Errorf("%s: operator %q: write when or how", row, r.Operator)
		}
		if r.Description == "" {
			return fmt.Errorf("%s: the description is empty: add the words that an agent would look for", row)
		}
		if r.Trigger == "" || validate.StrangeRunes(r.Trigger) != "" {
			return fmt.Errorf("%s: trigger %q: use lower-case words of letters, digits and - ' / . _ # +", row, r.Trigger)
		}
		key := index.Key{Operator: r.Operator, Trigger: r.Trigger}
		if other, taken := triggers[key]; taken {
			return fmt.Errorf("%s: trigger %q is also on line %d: give each its own situation", row, r.Trigger, other.Line)
		}
		triggers[key] = *r
		title := r.File + " " + decision.Key(r.Header)
		if other, taken := headers[title]; taken {
			return fmt.Errorf("%s: header %q is also on line %d: a heading has one entry", row, r.Header, other.Line)
		}
		headers[title] = *r
	}
	return nil
}

// resolve finds the heading of an edited row.
func (r *Row) resolve(decisions []*decision.File, joined *corpus.Joined) error {
	var paths []string
	for _, at := range joined.Named(r.Header) {
		file := decisions[at.File]
		if r.File == "" || r.File == file.Path {
			r.File, r.Header = file.Path, file.Headings[at.Heading].Title
			return nil
		}
		if !slices.Contains(paths, file.Path) {
			paths = append(paths, file.Path)
		}
	}
	if len(paths) > 0 {
		return fmt.Errorf("no heading %q in %s: it is in %s", r.Header, r.File, strings.Join(paths, ", "))
	}
	return fmt.Errorf("no heading %q in the decision files: write the title of one, or leave header empty", r.Header)
}
