package decision_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
)

// The successor of a record may be superseded, too.
func TestSuccessorsAreFollowed(t *testing.T) {
	first := decision.ParseDocument("docs/adr/0001-a.md", []byte("# A\n\n## Status\n\nSuperseded by ADR-2\n"))
	second := decision.ParseDocument("docs/adr/0002-b.md", []byte("# B\n\n## Status\n\nSuperseded by [0003](0003-c.md)\n\nSupersedes ADR-0001\n"))
	third := decision.ParseDocument("docs/adr/0003-c.md", []byte("# C\n\n## Status\n\nAccepted\n"))
	succession := decision.Succession([]*decision.File{first, second, third})
	require.Same(t, third, succession[decision.Ref{File: first}].File)
	require.Same(t, third, succession[decision.Ref{File: second}].File)
}

// "Replaced by 2" is not "replaces 2", also where one word begins with the other.
func TestWhatIsReplacedDoesNotReplace(t *testing.T) {
	for _, status := range []string{"Reemplazada por 2", "Remplacée par 2", "Sustituida por [2](0002-b.md)", "Superseded by 0002", "Ersetzt durch ADR-0002", "Vervangen door 2"} {
		first := decision.ParseDocument("docs/adr/0001-a.md", []byte("# A\n\n## Status\n\n"+status+"\n"))
		second := decision.ParseDocument("docs/adr/0002-b.md", []byte("# B\n\n## Status\n\nAccepted\n"))
		succession := decision.Succession([]*decision.File{first, second})
		require.Same(t, second, succession[decision.Ref{File: first}].File, status)
		require.NotContains(t, succession, decision.Ref{File: second}, status)
	}
}

func TestDocumentWithoutATitle(t *testing.T) {
	for name, want := range map[string]string{"docs/0005-überblick.md": "Überblick", "docs/2024-01-02-use-a-queue.md": "Use a queue", "docs/7.md": "7"} {
		require.Equal(t, want, decision.ParseDocument(name, nil).Headings[0].Title, name)
	}
}
