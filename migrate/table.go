package migrate

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"whence/internal/index"
	"whence/internal/memory"
	"whence/validate"
)

// columns are the columns of the table. A row is found by its entry; why is only shown.
var columns = []string{"file", "header", "trigger", "description", "why", "entry"}

// Table returns the plan as tab-separated values with a header line, quoted where a cell holds a
// quote or a tab. A cell that a spreadsheet would take for a formula gets an apostrophe in front.
func (p Plan) Table() []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = '\t'
	_ = w.Write(columns) // a bytes.Buffer takes everything
	for _, r := range p.Rows {
		trigger := r.Trigger
		if trigger != "" {
			trigger = "/" + r.Operator + " " + trigger
		}
		cells := []string{r.File, r.Header, trigger, r.Description, r.Why, r.Source}
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

// parseTable parses a table from Table that was edited by hand or in a spreadsheet: rows and columns may
// be in another order; a byte-order mark, CRLF line ends and empty lines are ignored.
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
		if _, found := at[column]; !found && column != "why" {
			return Plan{}, fmt.Errorf("%s:1: no column %q: the columns are %s, separated by tabs", name, column, strings.Join(columns, ", "))
		}
	}
	var plan Plan
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return plan, nil
		}
		if err != nil {
			return Plan{}, fmt.Errorf("%s: %w", name, err)
		}
		if len(cells) > 1 || strings.TrimSpace(cells[0]) != "" {
			plan.Rows = append(plan.Rows, parseRow(cells, at))
		}
	}
}

func parseRow(cells []string, at map[string]int) Row {
	cell := func(column string) string {
		if i := at[column]; i < len(cells) {
			return unguard(cells[i])
		}
		return ""
	}
	trimmed := func(column string) string { return strings.Join(strings.Fields(cell(column)), " ") }
	operator, words := "when", trimmed("trigger")
	if query, isQuery := strings.CutPrefix(words, "/"); isQuery {
		operator, words, _ = strings.Cut(query, " ")
	}
	return Row{
		File: trimmed("file"), Header: trimmed("header"), Operator: operator, Trigger: index.NormalizeTrigger(words),
		Description: trimmed("description"), Source: cell("entry"),
	}
}

// forIndex returns the plan with its rows in the order of an index. Each entry of an old format must have
// a row, and each row an entry.
func (p Plan) forIndex(m *memory.Memory) (Plan, error) {
	rows := map[string][]Row{}
	for _, r := range p.Rows {
		rows[r.Source] = append(rows[r.Source], r)
	}
	var ordered Plan
	for _, e := range legacyEntries(m.Index) {
		line := m.Index.Lines[e.line]
		source := m.Index.Text(line)
		if len(rows[source]) == 0 {
			return Plan{}, fmt.Errorf("the plan has no row for line %d of %s (%s): add it, with an empty header to skip it, or make a new plan", line.Number, m.Layout.Index, source)
		}
		r := rows[source][0]
		r.Line, r.Why = line.Number, "the plan names no heading"
		rows[source] = rows[source][1:]
		ordered.Rows = append(ordered.Rows, r)
	}
	for source, left := range rows {
		if len(left) > 0 {
			return Plan{}, fmt.Errorf("the plan has more rows for the entry %q than %s has such lines: remove one, or make a new plan", source, m.Layout.Index)
		}
	}
	markLeaving(m.Index, ordered.Rows)
	return ordered, nil
}

// check verifies that the edited rows can become entries: each header is a semantic heading of its
// file, and no field is empty or malformed. The headers get the case of their headings.
func (p Plan) check(m *memory.Memory) error {
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Header == "" {
			continue
		}
		if err := r.resolve(m); err != nil {
			return fmt.Errorf("row for line %d of the index: %w", r.Line, err)
		}
		if r.Description == "" {
			return fmt.Errorf("row for line %d of the index: the description is empty: add the words that an agent would look for", r.Line)
		}
		if !index.IsOperator(r.Operator) || r.Trigger == "" || validate.StrangeRune(r.Trigger) != "" {
			return fmt.Errorf("row for line %d of the index: trigger %q: use /when or /how and lower-case words of letters, digits and - ' / . _ # +", r.Line, "/"+r.Operator+" "+r.Trigger)
		}
	}
	return nil
}

// resolve finds the heading of an edited row.
func (r *Row) resolve(m *memory.Memory) error {
	var paths []string
	for _, h := range m.Named(r.Header) {
		if r.File == "" || r.File == h.File.Path {
			r.File, r.Header = h.File.Path, h.Title
			return nil
		}
		if !slices.Contains(paths, h.File.Path) {
			paths = append(paths, h.File.Path)
		}
	}
	if len(paths) > 0 {
		return fmt.Errorf("no heading %q in %s: it is in %s", r.Header, r.File, strings.Join(paths, ", "))
	}
	return fmt.Errorf("no heading %q in the decision files: write the title of one, or leave header empty", r.Header)
}
