package config_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
)

func TestSwitchNotes(t *testing.T) {
	for _, c := range []struct{ before, after string }{
		{"", "memory_notes_enabled: true\n"},
		{"index: a.md", "index: a.md\nmemory_notes_enabled: true\n"},
		{"index: a.md\r\n", "index: a.md\r\nmemory_notes_enabled: true\r\n"},
		{"memory_notes_enabled: false   # quiet\r\nindex: a.md\r\n", "memory_notes_enabled: true   # quiet\r\nindex: a.md\r\n"},
		{"memory_notes_enabled:\nindex: a.md", "memory_notes_enabled: true\nindex: a.md"},
		{"# memory_notes_enabled: false\n", "# memory_notes_enabled: false\nmemory_notes_enabled: true\n"},
		{"memory_notes_enabled: true\n", "memory_notes_enabled: true\n"},
	} {
		got, err := config.SetNotes([]byte(c.before), true)
		require.NoError(t, err, c.before)
		require.Equal(t, c.after, string(got))
	}
	for _, src := range []string{"{index: a.md}\n", "- a\n", "indexx: a\n", "memory_notes_enabled: false\nmemory_notes_enabled: false\n"} {
		_, err := config.SetNotes([]byte(src), true)
		require.Error(t, err, src)
	}
	_, err := config.SetNotes([]byte("{index: a.md}\n"), true)
	require.EqualError(t, err, ".whence.yaml has a shape that is not edited here: write memory_notes_enabled: true into it")
}

// Whatever stands in the file, one line at most is another one.
func FuzzSwitchNotes(f *testing.F) {
	f.Add("index: a.md\n")
	f.Add("memory_notes_enabled: false # x\n")
	f.Fuzz(func(t *testing.T, src string) {
		on, err := config.SetNotes([]byte(src), true)
		if err != nil {
			return
		}
		again, err := config.SetNotes(on, true)
		require.NoError(t, err)
		require.Equal(t, string(on), string(again))
		off, err := config.SetNotes(on, false)
		require.NoError(t, err)
		require.Equal(t, strings.Count(string(on), "\n"), strings.Count(string(off), "\n"))
	})
}

func TestNotesSettings(t *testing.T) {
	require.False(t, config.Default().Notes)
	require.Equal(t, 10, config.Default().NotesRefresh)
	c := config.Default()
	require.NoError(t, c.Set("x", "memory_notes_enabled", []string{"true"}))
	require.NoError(t, c.Set("x", "memory_notes_refresh", []string{"0"}))
	require.True(t, c.Notes)
	require.Zero(t, c.NotesRefresh)
	require.Error(t, c.Set("x", "memory_notes_refresh", []string{"often"}))
}
