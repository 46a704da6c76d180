package decision_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
)

// Wherever a record has its status, it can be superseded, and no line is lost but that status in front matter.
func TestARecordIsSuperseded(t *testing.T) {
	for src, want := range map[string]string{
		"---\nstatus: accepted\ndate: x\n---\n# A\n":                  "---\nstatus: superseded by [0009-new](0009-new.md)\ndate: x\n---\n# A\n",
		"---\nstatus: \"accepted\"\n---\n# A\n## Status\nAccepted\n":  "---\nstatus: superseded by [0009-new](0009-new.md)\n---\n# A\n## Status\nAccepted\n",
		"---\ntitre: A\nstatut : accepté\r\n---\n# A\n":               "---\ntitre: A\nstatut : superseded by [0009-new](0009-new.md)\r\n---\n# A\n",
		"---\nestado: aceptado\n---\n# A\n":                           "---\nestado: superseded by [0009-new](0009-new.md)\n---\n# A\n",
		"# A\n\n## Durum\n\nKabul edildi\n":                           "# A\n\n## Durum\n\nKabul edildi\n\nSuperseded by [0009-new](0009-new.md)\n\n",
		"# 4. A\n\n## Status\n\nAccepted\n\n## Context\nx\n":          "# 4. A\n\n## Status\n\nAccepted\n\nSuperseded by [0009-new](0009-new.md)\n\n## Context\nx\n",
		"# A\r\n\r\n## Status\r\n\r\nAccepted\r\n":                    "# A\r\n\r\n## Status\r\n\r\nAccepted\r\n\r\nSuperseded by [0009-new](0009-new.md)\r\n\r\n",
		"# A\n\n## Status\n\n## Context\nx\n":                         "# A\n\n## Status\n\nSuperseded by [0009-new](0009-new.md)\n\n## Context\nx\n",
		"# A\n\n* Status: accepted\n* Date: 2020-01-01\n\n## Context": "# A\n\n* Status: accepted, superseded by [0009-new](0009-new.md)\n* Date: 2020-01-01\n\n## Context",
		"# A\n\n**Status:** Accepted\n":                               "# A\n\n**Status:** Accepted, superseded by [0009-new](0009-new.md)\n",
		"# A\n\nText.\n":                                              "# A\n\nSuperseded by [0009-new](0009-new.md)\n\nText.\n",
		"# A\n<!-- situations:\nx\n-->\n\nText.\n":                    "# A\n<!-- situations:\nx\n-->\n\nSuperseded by [0009-new](0009-new.md)\n\nText.\n",
		"# A": "# A\n\nSuperseded by [0009-new](0009-new.md)\n",
		"# A\n\n## Status\n\nSuperseded by [5](0005-x.md)\n": "# A\n\n## Status\n\nSuperseded by [5](0005-x.md)\n\nSuperseded by [0009-new](0009-new.md)\n\n",
	} {
		f := decision.ParseDocument("docs/adr/0004-a.md", []byte(src))
		got := string(f.SupersededBy("docs/adr/0009-new.md"))
		require.Equal(t, want, got)
		if got != "" {
			require.Equal(t, f.Phrases(0), f.WithSource([]byte(got)).Phrases(0))
		}
	}
}

func FuzzSupersededBy(f *testing.F) {
	for _, src := range []string{"# A\n", "---\nstatus: x\n---\n", "## Status\n> a\n", "| Status | a |\n|---|---|\n", "Status:\n- a\n", "{\"status\": \"a\"}\n# B", "# A\n```\nStatus: a\n"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		file := decision.ParseDocument("docs/adr/0004-a.md", []byte(src))
		got := file.SupersededBy("docs/adr/0009-new.md")
		if got == nil {
			return
		}
		require.Equal(t, decision.Superseded, file.WithSource(got).Status().Kind)
		require.Contains(t, file.WithSource(got).Status().Successors, "0009-new.md")
		for line := range strings.Lines(src) {
			if line = strings.TrimSpace(line); !(decision.Heading{Title: line}).IsStatus() {
				require.Contains(t, string(got), strings.TrimRight(line, "| \t"))
			}
		}
	})
}
