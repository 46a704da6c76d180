package transcript_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
)

// rewritten is a transcript that is another one from the second read on.
type rewritten struct{ before, after []byte }

func (r *rewritten) ReadAt(p []byte, at int64) (int, error) {
	src := r.before
	r.before = r.after
	return bytes.NewReader(src).ReadAt(p, at)
}

// A transcript that gets a line at its front while it is read gives a record that has a part of its
// text twice.
func TestWatched(t *testing.T) {
	var lines strings.Builder
	for lines.Len() < 600<<10 {
		lines.WriteString(user("a", strings.Repeat("some words ", 5000)))
	}
	before := []byte(lines.String())
	for _, test := range []struct {
		name      string
		after     []byte
		unchanged bool
	}{
		{"as it was", before, true},
		{"longer", append(bytes.Clone(before), user("b", "more")...), true},
		{"with a new first line", append([]byte(`{"type":"summary"}`+"\n"), before...), false},
		{"shorter", before[:1000], false},
	} {
		src := transcript.Watch(&rewritten{before, test.after})
		_, _, err := transcript.Read(src, int64(len(before)), transcript.Cursor{}, func(transcript.Record) error { return nil })
		require.NoError(t, err)
		require.Equal(t, test.unchanged, src.Unchanged(), test.name)
	}
}
