package decision_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
)

func TestSharedNumbers(t *testing.T) {
	var documents []*decision.File
	for _, name := range []string{
		"docs/adr/0042-queues.md", "docs/adr/0042-rates.md", "docs/adr/42-a-third.md", // one pair is enough
		"docs/adr/0007-pages.md", "docs/adr/0007-pages.de.md", // a translation
		"lib/adr/0007-locks.md", "docs/adr/2024-01-02-x.md", "docs/adr/2024-01-02-y.md", "docs/adr/a.md", "docs/adr/b.md",
		"docs/adr/ADR-9.md", "docs/adr/0009-mail.md", "lib/adr/LADR-3.md", "lib/adr/ladr-0003-x.md",
	} {
		documents = append(documents, decision.ParseDocument(name, []byte("# "+name+"\n")))
	}
	require.Equal(t, [][2]string{
		{"docs/adr/0042-queues.md", "docs/adr/0042-rates.md"},
		{"docs/adr/ADR-9.md", "docs/adr/0009-mail.md"}, {"lib/adr/LADR-3.md", "lib/adr/ladr-0003-x.md"},
	}, decision.SharedNumbers(documents))
}
