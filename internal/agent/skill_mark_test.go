package agent_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

// A skill that install has written is recognized, and so is a change of it.
func TestSkillMark(t *testing.T) {
	for _, text := range []string{"", "---\nname: x\n---\n\n# X\n", "no line end", string(agent.MarkSkill([]byte("twice\n")))} {
		marked := agent.MarkSkill([]byte(text))
		require.True(t, bytes.HasPrefix(marked, []byte(text)))
		for name, c := range map[string]struct {
			src               []byte
			marked, unchanged bool
		}{
			"as written":    {marked, true, true},
			"on Windows":    {bytes.ReplaceAll(marked, []byte("\n"), []byte("\r\n")), true, true},
			"changed":       {append([]byte("x"), marked...), true, false},
			"more below":    {append(bytes.Clone(marked), 'x'), true, false},
			"no mark":       {[]byte("# X\n"), false, false},
			"half the mark": {marked[:len(marked)-10], true, false},
		} {
			got, unchanged := agent.SkillMark(c.src)
			require.Equal(t, c.marked, got, name)
			require.Equal(t, c.unchanged, unchanged, name)
		}
	}
}
