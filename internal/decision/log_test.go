package decision_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
)

// In a log, the first level with several headings is the level of its decisions. Headings below belong to them.
func TestLogs(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"chapters":              {"# Log\n\n## D1\n\n### Context\nx\n\n### Why\nx\n\n## D2\n\n### Context:\ny\n\n#### More\ny\n", []string{"D1", "D2"}},
		"below one H1":          {"# Log\n\n### D1\n\n#### Decision\nx\n\n### D2\n\n#### Decision\ny\n", []string{"D1", "D2"}},
		"in groups":             {"# Log\n\n## .2024\n\n### D1\n\n#### Status\nx\n\n## .2025\n\n### D2\n\n#### Status\ny\n", []string{"D1", "D2"}},
		"in another language":   {"# Log\n\n## D1\n\n### Kontext\nx\n\n## D2\n\n### Entscheidung\ny\n", []string{"D1", "D2"}},
		"one section with some": {"# Log\n\n## D1\n\n### Context\nx\n\n## D2\n\n### Retries\ny\n", []string{"D1", "Context", "D2", "Retries"}},
		"no chapters":           {"# API\n\n## Lists\n\n### Paging\nx\n\n## Calls\n\n### Retries\ny\n", []string{"Lists", "Paging", "Calls", "Retries"}},
		"by its name":           {"# Log\n\n## Contents\n\n- D1\n\n## D1\n\n### Why\nx\n\n## D2\n\n### Price\ny\n", []string{"D1", "D2"}},
		"in a folder of them":   {"# API\n\n## Lists\n\n### Paging\nx\n\n## Calls\n\n### Retries\ny\n", []string{"Lists", "Paging", "Calls", "Retries"}},
		"by its name, below H1": {"# Log\n\n### D1\n\nx\n\n### D2\n\ny\n", []string{"D1", "D2"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := "agents/decisions/api.md"
			if strings.HasPrefix(name, "by its name") {
				path = "docs/DECISIONS.md"
			}
			if strings.HasPrefix(name, "in a folder") {
				path = "agents/decisions/decisions.md"
			}
			f := decision.Parse(path, []byte(c.text))
			var got []string
			for i, h := range f.Headings {
				if h.Semantic() && !h.Intro {
					got = append(got, h.Title)
				}
				require.Less(t, h.Parent, i)
			}
			require.Equal(t, c.want, got)
			last := f.Headings[len(f.Headings)-1]
			require.Equal(t, len(c.text), last.End, "what is below belongs to it")
		})
	}
}
