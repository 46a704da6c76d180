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
	{File: "agents/decisions/a.md", Header: "Paging", Operator: "when", Trigger: "listing odd rows", Description: "cursor, page size", Source: "Paging — cursor, page size"},
	{Operator: "how", Trigger: "seed", Source: "\ttabs\tand \"quotes\" \t\" — \"\"  "},
	{File: "a b.md", Header: `"All" in quotes`, Operator: "when", Trigger: "don't", Description: `a "b" \"c\`, Source: `""`},
	{Header: "=1+1", Operator: "when", Trigger: "+x", Description: "-5, @home", Source: "=cmd()"},
	{Header: "'=1", Operator: "when", Trigger: "'til", Description: "'", Source: "''"},
	{Header: "Größe → 日本語 é", Operator: "when", Description: "\U0001F600 ｆｕｌｌ", Source: "\uFEFFGröße → 日本語 — é\u00a0\u2028x"},
	{Operator: "when", Source: "bare\rreturns\r"},
	{Operator: "when", Source: `\.`},
	{Operator: "when", Source: "#  — \x01\x7f"},
	{Operator: "when", Source: "tab before\t@sign"},
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
		"a column more":           strings.Replace(strings.Replace(table, "file\t", "file\tremark\t", 1), "\nagents/decisions/a.md\t", "\nagents/decisions/a.md\tx\t", 1),
		"no operator":             strings.Replace(table, "\t/when listing", "\tlisting", 1),
		"why is only shown":       strings.Replace(table, "\tcursor, page size\t\t", "\tcursor, page size\tremoved: by me\t", 1),
	} {
		if name == "a column more" { // of the first row only
			changed, _, _ = strings.Cut(changed, "\n\t")
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
		f.Add(r.Header, r.Trigger, r.Description, r.Source, Plan{oddRows}.Table())
	}
	f.Add("", "", "", "", []byte("\uFEFF\"file\"\theader\ttrigger\tdescription\tentry\r\n\t\"\n\"\t\"\"\"\r\n"))
	f.Add("", "", "", "", []byte(""))
	f.Fuzz(func(t *testing.T, header, trigger, description, source string, table []byte) {
		fold := func(text string) string { return strings.Join(strings.Fields(text), " ") }
		requireReadBack(t, Row{
			Header: fold(header), Operator: "when", Trigger: index.NormalizeTrigger(trigger),
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
			require.Equal(t, read.Rows[i].Header, r.Header)
			require.Equal(t, read.Rows[i].Trigger, r.Trigger)
			require.Equal(t, read.Rows[i].Description, r.Description)
		}
	})
}
