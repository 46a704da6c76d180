package capture_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/capture"
	"whence/internal/redact"
	"whence/internal/store"
	"whence/internal/test/repotest"
)

// clean is the caller's redaction of the texts of a record.
func clean(text string) string {
	text, _ = redact.Text(text)
	return text
}

// records returns the redacted records of a transcript.
func records(t testing.TB, src []byte) (all []transcript.Record) {
	t.Helper()
	_, _, err := transcript.Read(bytes.NewReader(src), int64(len(src)), transcript.Cursor{}, func(r transcript.Record) error {
		all = append(all, r.Map(clean))
		return nil
	})
	require.NoError(t, err)
	return all
}

// storedOf returns the turns of records as a store has them: the last of each UUID, in the
// order in which the first came.
func storedOf(f *capture.Filter, records []transcript.Record) []store.Turn {
	return storeMore(nil, f, records)
}

func storeMore(known []store.Turn, f *capture.Filter, records []transcript.Record) []store.Turn {
	at := map[string]int{}
	for i, t := range known {
		at[t.UUID] = i
	}
	for _, r := range records {
		for _, t := range f.Add(r) {
			i, ok := at[t.UUID]
			if !ok {
				i = len(known)
				at[t.UUID] = i
				known = append(known, t)
			}
			known[i] = t
		}
	}
	return known
}

// shared are the transcripts of the shared material.
func shared(t testing.TB) (names []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(repotest.Shared(t, "transcripts"), "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	return names
}

func source(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(name)
	require.NoError(t, err)
	if len(src) > 0 && src[len(src)-1] != '\n' {
		src = append(src, '\n') // as it will have when it goes on
	}
	return src
}

// maxStateBytes bounds the JSON of a state. It is far less unless each character takes six bytes.
const maxStateBytes = 400 << 10

// saved is a filter after its state has been saved and loaded.
func saved(t testing.TB, f *capture.Filter) *capture.Filter {
	t.Helper()
	src, err := json.Marshal(f)
	require.NoError(t, err)
	require.LessOrEqual(t, len(src), maxStateBytes)
	again := &capture.Filter{}
	require.NoError(t, json.Unmarshal(src, again))
	return again
}
