package transcript_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
)

func manyLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","sessionId":"s","message":{"role":"user","content":%q}}`+"\n", i, strings.Repeat("word ", 200))
	}
	return b.String()
}

// Wherever reading is stopped, it can be continued from the returned cursor.
func TestReadIsStopped(t *testing.T) {
	text := manyLines(3000)
	refused := errors.New("refused")
	for _, most := range []int{1, 63, 64, 65, 2000, 3000} {
		n := 0
		at, _, err := transcript.Read(strings.NewReader(text), int64(len(text)), transcript.Cursor{}, func(transcript.Record) error {
			if n == most {
				return refused
			}
			n++
			return nil
		})
		if most < 3000 {
			require.ErrorIs(t, err, refused)
		} else {
			require.NoError(t, err)
		}
		rest := 0
		_, anew, err := transcript.Read(strings.NewReader(text), int64(len(text)), at, func(transcript.Record) error { rest++; return nil })
		require.NoError(t, err)
		require.False(t, anew)
		require.Equal(t, 3000-most, rest)
	}
}
