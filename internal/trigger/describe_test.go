package trigger_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/trigger"
)

func TestDescribe(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a sentence", "Lists are read by `cursor`.", "Lists are read by cursor"},
		{"no metadata", "**Date:** 2026-01-02\n\n**Source:** a talk\n\nOffsets were slow.", "Offsets were slow; Export of invoices"},
		{"no longer than allowed", "Cursors always name one row each in the database while clients insert rows.", "Cursors always name one row"},
		{"no lead", "As follows:\n\n- Cursors name rows", "Cursors name rows; Export of invoices"},
		{"a second sentence", "Rows may move. Name each by cursor.", "Rows may move; Name each by cursor"},
		{"titles above", "```\ncode\n```\n", "Export of invoices; Billing"},
		{"no text", "<Button kind=\"x\" />", "Export of invoices; Billing"},
		{"nothing that is only begun", "We will, which nobody in the whole company had expected at all, sell. Cursors name rows.", "Cursors name rows; Export of invoices"}, // P8
		{"a short beginning", "We put each label into a queue table that the depot of the region fetches.", "We put each label into a queue table"},
		{"no code that is cut", "`SetVisible { it.isOn = true; it.isNew = false; it.refresh() }` is called in one of both places.", "Export of invoices; Billing"},
		{"no emphasis that is not closed", "**Keep `a` first** always.", "Keep a first always"},
		{"no second verb alone", "We create one disk for each worker and mount it at boot.", "We create one disk"},
		{"no quotation", "Sections name 'Consequences of the choice, good and bad' once each.", "Export of invoices; Billing"},
		{"no part of a pair", "Read by the importer are both string and array blocks.", "Read by the importer"},
		{"an abbreviation", "Set limits, e.g. *Four* rows.", "Set limits, e.g. Four rows"},
		{"the form of a record", "Chosen option: \"Write own tool\", because\n\n- it fits", "\"Write own tool\"; it fits"},
		{"an end without a clause", "Use one old lock, because two of them deadlock under load.", "Use one old lock"},
		{"script without spaces", "配達とルートの締め切り時刻は営業所ごとに持つ、計算の結果は再配達の前に消す。", "配達とルートの締め切り時刻は営業所ごとに持つ"},
	} {
		f := decision.Parse("b.md", []byte("# Billing\n\n## .Export of invoices\n\n### Cursors\n\n"+test.text+"\n"))
		require.Equal(t, test.want, trigger.Describe(f, 2, 4, 8), test.name)
	}
}

// However little a section says, and however little room is left, its description is not empty.
func TestDescribeIsNeverEmpty(t *testing.T) {
	f := decision.Parse("a.md", []byte("# A\n\n## Cursors [name](x.md) rows\n<Button />\n"))
	require.Equal(t, "A", trigger.Describe(f, 1, 8, 8))
	require.Equal(t, "A", trigger.Describe(f, 1, -3, -2))
}

func FuzzDescribe(f *testing.F) {
	f.Add("**Decision:** Read lists `by cursor`, not (ever) by offset.", 4, 8)
	f.Fuzz(func(t *testing.T, text string, minWords, maxWords int) {
		file := decision.Parse("a.md", []byte("# A\n\n## Cursors\n"+text))
		require.LessOrEqual(t, len(strings.Fields(trigger.Describe(file, 1, minWords, maxWords))), max(maxWords, 1))
	})
}

func TestClip(t *testing.T) {
	for text, want := range map[string]string{
		"one two three": "one two three",
		"by cursor as offsets skip rows while the client pages": "by cursor as offsets skip rows",
		"never for payments: each one, and the more":            "never for payments: each one",
		"types int|str|None or a list of them, mostly":          "types int|str|None or a list",
		"a|b|c|d|e|f|g|h": "a|b|c|d|e|f|g",
	} {
		got := trigger.Clip(strings.Fields(text), 1, 7)
		require.Equal(t, want, strings.Join(got, " "))
	}
	require.Equal(t, "call the client", strings.Join(trigger.Clip(strings.Fields("call the client with the rest"), 3, 5), " "))
}
