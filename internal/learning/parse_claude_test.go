package learning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
)

func TestParseClaudeIndex(t *testing.T) {
	notes := map[string]bool{"bus.md": true, "feedback_größe.md": true}
	type part struct{ name, description string }
	for name, c := range map[string]struct {
		index string
		want  []part
	}{
		"an index":                 {"# Memory Index\n\n- [Bus](bus.md) — when it is late\n- [Sizes](./feedback_größe.md) — x\n- see `bus.md`\n- [[bus]]\n", nil},
		"facts without a heading":  {"- The bus is late.\n- [Bus](bus.md) — x\n- Fares are free.", []part{{"", "- The bus is late.\n- Fares are free."}}},
		"sections":                 {"# Memory\n## Bus\n- late\n## Fares\n- free\n", []part{{"Memory: Bus", "- late"}, {"Memory: Fares", "- free"}}},
		"sections without a title": {"## Bus\n- late\n## Fares\n- [Bus](bus.md)\n", []part{{"Bus", "- late"}}},
		"notes that are elsewhere": {"- [Mini](minibus.md) — small\n- [[train]], [[bus", []part{{"", "- [Mini](minibus.md) — small\n- [[train]], [[bus"}}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []part
			for _, p := range learning.ParseClaudeIndex(c.index, notes) {
				got = append(got, part{p.Name, p.Description})
			}
			require.Equal(t, c.want, got)
		})
	}
}

func FuzzParseClaudeIndex(f *testing.F) {
	f.Add("# A\n- [b](c.md) d\n.md\n[[c]]\n## ..md")
	f.Fuzz(func(t *testing.T, index string) {
		for _, p := range learning.ParseClaudeIndex(index, map[string]bool{"c.md": true}) {
			require.NotContains(t, p.Description, "[b](c.md)")
		}
	})
}
