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
		{"the decision", "**Date:** 2026-01-02\n\nOffsets were slow.\n\n**Decision:** Read lists by cursor.", "Read lists by cursor"},
		{"a clause", "Cursors always name one row each, which offsets cannot do while clients insert rows.", "Cursors always name one row each"},
		{"no lead", "As follows:\n\n- Cursors name rows", "Cursors name rows Billing"},
		{"a second sentence", "Rows may move. Name each by cursor.", "Rows may move; Name each by cursor"},
		{"titles above", "```\ncode\n```\n", "Billing Export of invoices"},
	} {
		s := trigger.Section{Title: "Cursors", Text: test.text, Parents: []string{"Billing", ".Export of invoices"}}
		require.Equal(t, test.want, trigger.Describe(s, 4, 8), test.name)
	}
}

func TestSectionOf(t *testing.T) {
	f := decision.Parse("agents/decisions/billing.md", []byte("# Billing\n\n## .Export\n\n### Format\n\nText.\n"))
	require.Equal(t, trigger.Section{Title: "Format", Text: "\nText.\n", Parents: []string{".Export", "Billing"}}, trigger.SectionOf(f, 2))
}

func FuzzDescribe(f *testing.F) {
	f.Add("Cursors", "**Decision:** Read lists `by cursor`, not (ever) by offset.", 4, 8)
	f.Fuzz(func(t *testing.T, title, text string, least, most int) {
		require.LessOrEqual(t, len(strings.Fields(trigger.Describe(trigger.Section{Title: title, Text: text}, least, most))), max(most, 1))
	})
}
