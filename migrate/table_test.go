package migrate

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/index"
)

// oddRows are such as a plan holds, with everything in their cells that could be lost.
var oddRows = []Row{
	{Line: 1, File: "agents/decisions/a.md", Header: "Paging", Operator: "when", Trigger: "listing odd rows", Description: "cursor, page size", Why: "heading by its title", Confidence: 1, Source: "Paging — cursor, page size"},
	{Line: 99999, Operator: "how", Why: `unmatched: no heading "a\tb"`, Source: "\ttabs\tand \"quotes\" \t\" — \"\"  "},
	{Line: 3, File: "a b.md", Header: `"All" in quotes`, Operator: "when", Trigger: "don't", Description: `a "b" \"c\`, Confidence: 0.67, Source: `""`},
	{Line: 4, Header: "=1+1", Trigger: "+x", Description: "-5, @home", Source: "=cmd()"},
	{Line: 5, Header: "'=1", Trigger: "'til", Description: "'", Source: "''"},
	{Line: 6, Header: "Größe → 日本語 é", Description: "\U0001F600 ｆｕｌｌ", Source: "\uFEFFGröße → 日本語 — é\u00a0\u2028x"},
	{Line: 7, Source: "bare\rreturns\r"},
	{Line: 8, Source: `\.`},
	{Line: 9, Source: "#  — \x01\x7f"},
	{Line: 10, Source: "tab before\t@sign"},
}

func TestTableIsReadBack(t *testing.T) {
	requireReadBack(t, oddRows...)
	requireReadBack(t)
	for _, r := range oddRows {
		requireReadBack(t, r)
	}
}

func requireReadBack(t testing.TB, want ...Row) {
	t.Helper()
	table := Plan{want}.Table()
	got, err := parseTable("plan.tsv", table)
	require.NoError(t, err)
	require.Equal(t, want, got.Rows, "%s", table)
	require.Equal(t, string(table), string(got.Table()))
	r := csv.NewReader(bytes.NewReader(table))
	r.Comma = '\t'
	lines, err := r.ReadAll() // strict, unlike parseTable
	require.NoError(t, err)
	for _, cells := range lines {
		for _, cell := range cells {
			require.False(t, cell != "" && strings.ContainsRune("=+-@", rune(cell[0])), "a spreadsheet would take it for a formula: %q", cell)
		}
	}
}

// What Excel, LibreOffice and editors make of a table reads the same.
func TestTableOfASpreadsheet(t *testing.T) {
	want, err := parseTable("plan.tsv", Plan{oddRows[:6]}.Table())
	require.NoError(t, err)
	table := string(Plan{oddRows[:6]}.Table())
	for name, changed := range map[string]string{
		"byte-order mark":         "\uFEFF" + table,
		"CRLF":                    strings.ReplaceAll(table, "\n", "\r\n"),
		"empty lines":             "\n" + strings.ReplaceAll(table, "\n", "\n\n"),
		"lines of blanks":         strings.ReplaceAll(table, "\n", "\n  \n"),
		"no final newline":        strings.TrimSuffix(table, "\n"),
		"blanks around the names": strings.Replace(table, "\theader\t", "\t Header \t", 1),
		"blanks around the line":  strings.Replace(table, "\n1\t", "\n 1 \t", 1),
		"a column more":           strings.Replace(strings.Replace(table, "line\t", "line\tremark\t", 1), "\n1\t", "\n1\tx\t", 1),
		"operator with its slash": strings.Replace(table, "\twhen\t", "\t/when\t", 1),
	} {
		if name == "a column more" { // of the first row only
			changed, _, _ = strings.Cut(changed, "\n99999\t")
			changed += "\n"
		}
		got, err := parseTable("plan.tsv", []byte(changed))
		require.NoError(t, err, name)
		require.Equal(t, want.Rows[:len(got.Rows)], got.Rows, name)
		require.NotEmpty(t, got.Rows, name)
	}
}

// FuzzTable has two halves: what a plan can hold is read back, and any file at all is
// read or refused, and what is read is read back.
func FuzzTable(f *testing.F) {
	for _, r := range oddRows {
		f.Add(r.Line, r.Header, r.Trigger, r.Description, r.Source, Plan{oddRows}.Table())
	}
	f.Add(1, "", "", "", "", []byte("\uFEFF\"line\"\tfile\theader\ttrigger\tdescription\toperator\tsource\r\n1\t\"\n\"\t\"\"\"\r\n"))
	f.Add(1, "", "", "", "", []byte(""))
	f.Fuzz(func(t *testing.T, line int, header, trigger, description, source string, table []byte) {
		fold := func(text string) string { return strings.Join(strings.Fields(text), " ") }
		requireReadBack(t, Row{
			Line: max(line, 1), Header: fold(header), Operator: "when", Trigger: index.NormalizeTrigger(trigger),
			Description: fold(description), Source: strings.ReplaceAll(source, "\n", " "),
		})
		read, err := parseTable("x", table)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		again, err := parseTable("x", read.Table())
		require.NoError(t, err)
		for i, r := range again.Rows {
			require.Equal(t, read.Rows[i].Line, r.Line)
			require.Equal(t, read.Rows[i].Header, r.Header)
			require.Equal(t, read.Rows[i].Trigger, r.Trigger)
			require.Equal(t, read.Rows[i].Description, r.Description)
		}
	})
}
