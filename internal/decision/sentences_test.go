package decision_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
)

func TestSentences(t *testing.T) {
	for markdown, want := range map[string][]decision.Sentence{
		"One line\nand its *end*. **Two** more!":                                   {{"", "One line and its end."}, {"", "Two more!"}},
		"**Decision:** Retry twice. Then stop.":                                    {{"Decision", "Retry twice."}, {"", "Then stop."}},
		"**Date**: today\n**Rule:** One a file.":                                   {{"Date", "today"}, {"Rule", "One a file."}},
		"**Why**\n\nIt is slow.":                                                   {{"", "It is slow."}},
		"- a [link](https://x.org/a.b), `a.b`.\n- see <https://x.org> ![i](x.png)": {{"", "a link, `a.b`."}, {"", "see i"}},
		"Use v1.2, i.e. the new one (it is fast!). \"No.\" So":                     {{"", "Use v1.2, i.e. the new one (it is fast!)."}, {"", "\"No.\""}, {"", "So"}},
		"Use one (e.g. Redis). See vs. Kafka.":                                     {{"", "Use one (e.g. Redis)."}, {"", "See vs. Kafka."}},
		"snake_case_name and __init__.py and 2*3*4 stay":                           {{"", "snake_case_name and __init__.py and 2*3*4 stay"}},
		"| a | table |\n|---|---|\n\n```\ncode.\n```\n<!-- no -->\n\nText[^1].":    {{"", "Text."}},
		"": nil,
	} {
		require.Equal(t, want, decision.Sentences(markdown), markdown)
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("**A:** b *c* `d. E` (f. G). H!\n- i [j](k)\n")
	f.Fuzz(func(t *testing.T, markdown string) {
		for _, s := range decision.Sentences(markdown) {
			require.NotEmpty(t, s.Text)
			require.Equal(t, strings.Join(strings.Fields(s.Text), " "), s.Text)
		}
	})
}
