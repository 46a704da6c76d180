package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/usertext"
)

func TestTypedQueries(t *testing.T) {
	for text, want := range map[string][]string{
		"/when taking a payment":                  {"/when taking a payment"},
		"do it\n  /how write a backfill\n/when x": {"/how write a backfill", "/when x"},
		"say when it is done":                     nil,
		"/when":                                   nil,
		"/whenever you like":                      nil,
		"<command-name>/when</command-name>\n<command-args>taking a payment</command-args>":       {"/when taking a payment"},
		"<command-name>/whence:how</command-name>\n<command-args>write a backfill</command-args>": {"/how write a backfill"},
		"<command-name>/clear</command-name>\n<command-args></command-args>":                      nil,
	} {
		require.Equal(t, want, queriesIn(usertext.Read(text)), text)
	}
}

func TestRecallInACommand(t *testing.T) {
	for command, want := range map[string]string{
		"memory-when 'taking a payment'":                                                         "taking a payment",
		"memory-when taking a payment 2>/dev/null":                                               "taking a payment",
		"cd /w && /usr/local/bin/memory-when \"a | b\" | head -3":                                "a | b",
		"memory-when --format json --quiet 'x y'; echo done":                                     "x y",
		"memory-when - <<'END_OF_QUERIES'\n/how write a backfill\n/when x\nEND_OF_QUERIES\necho": "/how write a backfill /when x",
		"memory-remember search --limit 3 refund rounding":                                       "refund rounding",
		"(memory-when x)":                        "x)",
		"echo text | memory-when recall --max 2": "",
	} {
		query, is := recallIn(command)
		require.True(t, is, command)
		require.Equal(t, want, query, command)
	}
	for _, command := range []string{
		"", "ls", "which memory-when", "cat memory-when.md", "go test ./when/memory-when", "memory-when check README.md", "memory-when list", "memory-when --help",
		"memory-when hook Stop", "memory-remember list", "memory-remember 'search is slow'", "echo memory-when x", "grep -r memory-when .", "not-memory-when x",
	} {
		query, is := recallIn(command)
		require.False(t, is, command)
		require.Empty(t, query)
	}
}

func FuzzRecallIn(f *testing.F) {
	f.Add("memory-when 'x' <<E\nE")
	f.Add("memory-remember search \"")
	f.Fuzz(func(t *testing.T, command string) {
		query, is := recallIn(command)
		require.True(t, is || query == "")
	})
}
