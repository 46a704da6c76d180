package notes_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Fields of others in session.json are kept, however long they are.
func TestALongBookIsKept(t *testing.T) {
	other, err := json.Marshal(map[string]any{"toolCallCount": 7, "other": strings.Repeat("x", 40_000)})
	require.NoError(t, err)
	s := newStage(t, map[string]string{".memory/session.json": string(other)})
	s.fail("go test ./...", "a test failed")
	var book struct {
		ToolCallCount int
		Other         string
	}
	require.NoError(t, json.Unmarshal([]byte(s.read(sessionJSON)), &book))
	require.Equal(t, 8, book.ToolCallCount)
	require.Len(t, book.Other, 40_000)
}

// A session.json that is far too long is renamed, and a new one is begun.
func TestABookThatIsTooLong(t *testing.T) {
	long := `{"toolCallCount":7,"other":"` + strings.Repeat("x", 2<<20) + `"}`
	s := newStage(t, map[string]string{".memory/session.json": long})
	s.fail("go test ./...", "a test failed")
	require.Equal(t, long, s.read(".memory/session.json.bad"))
	require.Equal(t, 1, sessionFields(s).ToolCallCount)
}
