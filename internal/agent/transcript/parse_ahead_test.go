package transcript_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
)

// closable is a source that is closed at some time, or panics from an offset on.
type closable struct {
	io.ReaderAt
	closed  atomic.Bool
	usedNow atomic.Bool
	panicAt int64
}

func (c *closable) ReadAt(p []byte, at int64) (int, error) {
	if c.closed.Load() {
		c.usedNow.Store(true)
	}
	if c.panicAt > 0 && at >= c.panicAt {
		panic("torn off")
	}
	return c.ReaderAt.ReadAt(p, at)
}

func manyLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","sessionId":"s","message":{"role":"user","content":%q}}`+"\n", i, strings.Repeat("word ", 200))
	}
	return b.String()
}

func TestReadUsesTheSourceNoLonger(t *testing.T) {
	text := manyLines(3000)
	refused := errors.New("refused")
	for _, most := range []int{1, 63, 64, 65, 2000, 3000} {
		src := &closable{ReaderAt: strings.NewReader(text)}
		n := 0
		at, _, err := transcript.Read(src, int64(len(text)), transcript.Cursor{}, func(transcript.Record) error {
			if n == most {
				return refused
			}
			n++
			return nil
		})
		src.closed.Store(true)
		if most < 3000 {
			require.ErrorIs(t, err, refused)
		} else {
			require.NoError(t, err)
		}
		require.Equal(t, fmt.Sprint("u", most-1), at.UUID)
		rest := 0
		_, start, err := transcript.Read(strings.NewReader(text), int64(len(text)), at, func(transcript.Record) error { rest++; return nil })
		require.NoError(t, err)
		require.Equal(t, transcript.Onwards, start)
		require.Equal(t, 3000-most, rest)
		require.False(t, src.usedNow.Load(), most)
	}
}

func TestReadPanicsInItsCaller(t *testing.T) {
	text := manyLines(3000)
	src := &closable{ReaderAt: strings.NewReader(text), panicAt: 1 << 20}
	defer func() {
		require.Equal(t, "torn off", recover())
	}()
	_, _, _ = transcript.Read(src, int64(len(text)), transcript.Cursor{}, func(transcript.Record) error { return nil })
	t.Error("no panic")
}
