package learning_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/inert"
	"whence/internal/learning"
)

// A name is the beginning of the text.
func TestInferName(t *testing.T) {
	for text, want := range map[string]string{
		"never use --force-push on main":                                         "never use --force-push on main",
		" # Agents\n\nKeep handlers thin. ":                                      "# Agents Keep handlers thin",
		"always suppress stderr in hook subprocesses to prevent JSON corruption": "always suppress stderr in hook subprocesses to prevent...",
		"always suppress stderr in hook subprocesses, and to prevent, if":        "always suppress stderr in hook subprocesses, and to...",
		strings.Repeat("a", 61):                                                  strings.Repeat("a", 57) + "...",
		strings.Repeat("网", 61):                                                  strings.Repeat("网", 57) + "...",
		strings.Repeat("a", 60):                                                  strings.Repeat("a", 60),
	} {
		require.Equal(t, want, learning.InferName(text), text)
	}
	require.Empty(t, learning.InferName(" \n"))
}

func TestKeywords(t *testing.T) {
	require.Equal(t, []string{"suppress", "stderr", "hook", "subprocesses", "prevent", "json", "corruption", "print"},
		learning.Keywords("Suppress stderr", "always suppress stderr in hook subprocesses to prevent JSON corruption", "hooks print JSON"))
	require.Equal(t, []string{"evite", "acces", "concurrents"}, learning.Keywords("", "Évite the accès concurrents", ""), "accents")
	require.Equal(t, []string{"call", "v1-apikey"}, learning.Keywords("[secret]", "call api.org/v1?apikey=[redacted: API key]", ""), "no mark of a secret")
	require.Empty(t, learning.Keywords("", "it is what it is", "because"))
	require.Equal(t, []string{"content-hash", "memory-db"}, learning.Keywords("", "content_hash in ~/x/memory.db 日本", ""))
}

func FuzzInfer(f *testing.F) {
	for _, s := range hard {
		f.Add(s)
	}
	f.Add("When a, b because c to prevent d; e — f. G")
	f.Fuzz(func(t *testing.T, s string) {
		name := learning.InferName(s)
		require.LessOrEqual(t, utf8.RuneCountInString(name), learning.MaxNameChars)
		require.Equal(t, inert.Clean(s) == "", name == "", "%q", name)
		require.NotContains(t, name, "\n")
		require.True(t, utf8.ValidString(name))
		category := learning.InferCategory(s)
		_, err := learning.ParseCategory(string(category))
		require.NoError(t, err)
		words := learning.Keywords(name, s, "")
		require.LessOrEqual(t, len(words), 10)
		for _, word := range words {
			require.True(t, learning.ValidKeyword(word), word)
		}
	})
}
