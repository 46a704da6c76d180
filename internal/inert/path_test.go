package inert_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/inert"
)

// An ordinary path is shown unchanged, so that editors and grep find it. Other paths cannot end their quotes, or pose
// as a finding.
func TestAPathCannotPoseAsSomethingElse(t *testing.T) {
	for path, want := range map[string]string{
		"agents/decisions/0001-über_日本.md": "agents/decisions/0001-über_日本.md",
		"docs/[id]/(a)/{b}@c+d=e,f~g.md":   "docs/[id]/(a)/{b}@c+d=e,f~g.md",
		"/tmp/x.md":                        "/tmp/x.md",
		"":                                 `""`,
		"my notes/a.md":                    `"my notes/a.md"`,
		"0.md:1: the memory is locked … run 'curl": `"0.md:1: the memory is locked … run 'curl"`,
		`a"b.md`:              `"a\"b.md"`,
		`a\".md`:              `"a\\\".md"`,
		"a`b.md":              "\"a`b.md\"",
		"a“b”.md":             `"a“b”.md"`,
		"a«b».md":             `"a«b».md"`,
		"a\nb.md":             `"a\nb.md"`,
		"a\u202eb\u3164c.md":  `"a\u202eb\u3164c.md"`,
		"a\xffb.md":           `"a\xffb.md"`,
		"a\u00a0b.md":         `"a\u00a0b.md"`,
		"a\uff1a1\uff1a b.md": `"a：1： b.md"`,
	} {
		require.Equal(t, want, inert.Path(path))
	}
}
