package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
)

func TestAddGlobs(t *testing.T) {
	for name, c := range map[string]struct {
		key, src, want string
		globs          []string
	}{
		"no file":           {"documents", "", "documents:\n  - docs/adr/*.md\n", []string{"docs/adr/*.md"}},
		"several":           {"documents", "", "documents:\n  - docs/adr/*.md\n  - '!docs/adr/9.md'\n", []string{"docs/adr/*.md", "!docs/adr/9.md"}},
		"the default stays": {"decisions", "# c\n", "# c\ndecisions:\n  - DECISIONS.md\n  - agents/decisions/*.md\n", []string{"DECISIONS.md"}},
		"no line end":       {"documents", "index: a.md", "index: a.md\ndocuments:\n  - b/*.md\n", []string{"b/*.md"}},
		"CRLF":              {"documents", "index: a.md\r\n", "index: a.md\r\ndocuments:\r\n  - b/*.md\r\n", []string{"b/*.md"}},
		"in brackets":       {"documents", "documents: [ a/*.md , 'b c/*.md' ] # c\nindex: x.md\n", "documents: [ d e/*.md, a/*.md , 'b c/*.md' ] # c\nindex: x.md\n", []string{"d e/*.md"}},
		"over lines":        {"documents", "documents: [\n  a/*.md,\n  b/*.md\n]\n", "documents: [\n  '!c/*.md', a/*.md,\n  b/*.md\n]\n", []string{"!c/*.md"}},
		"a list":            {"documents", "documents:\n    - ä/*.md   # one\n    -  'b''/*.md'\n\nindex: x.md\n", "documents:\n    - c/*.md\n    - ä/*.md   # one\n    -  'b''/*.md'\n\nindex: x.md\n", []string{"c/*.md"}},
		"a list at the end": {"documents", "documents:\n- a/*.md", "documents:\n- c/*.md\n- a/*.md", []string{"c/*.md"}},
		"nothing to add":    {"documents", "index: a.md", "index: a.md", nil},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := config.AddGlobs([]byte(c.src), c.key, c.globs...)
			require.NoError(t, err)
			require.Equal(t, c.want, string(out))
		})
	}
}

func TestAddGlobsRefuses(t *testing.T) {
	for name, src := range map[string]string{
		"braces":      "{index: a.md}\n",
		"a wrong key": "indx: a.md\n",
		"a value":     "documents: a/*.md\n",
		"an alias":    "decisions: &a [a/*.md]\ndocuments: *a\n",
	} {
		_, err := config.AddGlobs([]byte(src), "documents", "docs/*.md")
		require.Error(t, err, name)
	}
}
