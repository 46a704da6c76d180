package learning_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"whence/internal/learning"
	"whence/internal/text"
)

func TestFolded(t *testing.T) {
	for _, same := range [][2]string{
		{"Always quote, in hooks.", "always  QUOTE in\nhooks"},
		{"“smart” quotes", `"smart" quotes`},
		{"use `git stash`!", "Use git stash"},
		{"**always** quote", "always quote"},
		{"Évite", "E\u0301VITE"},
	} {
		require.Equal(t, learning.Folded(same[0]), learning.Folded(same[1]), same)
	}
	for _, other := range [][2]string{
		{"go test ./...", "go test ./"}, {"x**2 + y**2", "x2 + y2"}, {"--force", "force"}, {"x != y", "x = y"}, {"1.5", "15"}, {"is it safe?", "is it safe"},
		{"call save! first", "call save first"}, {"c++", "c"}, {"**kwargs and **opts", "kwargs and opts"}, {"a-b", "a b"}, {"-1", "1"},
	} {
		require.NotEqual(t, learning.Folded(other[0]), learning.Folded(other[1]), other)
	}
}

func FuzzID(f *testing.F) {
	f.Add("\x1b\x1b[31m[31m\x9b \x1b]x\x1b\\")
	f.Add("ΑΣ'Σ İ \x1c\u0345Σ")
	f.Fuzz(func(t *testing.T, s string) {
		if !strings.ContainsFunc(s, func(r rune) bool {
			return unicode.IsControl(r) && !unicode.IsSpace(r) && (r < 0x1c || r > 0x1f) || r == '\ufeff'
		}) {
			require.Equal(t, learning.ID(s), learning.ID(text.Clean(s)))
		}
		require.Equal(t, learning.ID(s), learning.ID(" "+strings.ReplaceAll(s, " ", " \x1d\u3000")+"\n"))
		require.Equal(t, learning.Folded(norm.NFC.String(s)), learning.Folded(norm.NFD.String(s)))
		require.Len(t, learning.ID(s), 16)
	})
}

func TestValidate(t *testing.T) {
	good := learning.Learning{
		Name: "Quote variables", Description: "always quote shell variables in hooks", Reasoning: "word splitting",
		Category: learning.Patterns, Confidence: learning.Low, Source: learning.SessionCapture,
	}
	require.NoError(t, good.Validate())
	for want, breakIt := range map[string]func(*learning.Learning){
		"Error: name must be non-empty":                                                                            func(l *learning.Learning) { l.Name = " \x00" },
		"Error: description must be non-empty":                                                                     func(l *learning.Learning) { l.Description = "" },
		"Error: reasoning must be non-empty":                                                                       func(l *learning.Learning) { l.Reasoning = "\n" },
		"Error: invalid category 'tips'. Must be one of: anti-patterns, heuristics, patterns":                      func(l *learning.Learning) { l.Category = "tips" },
		"Error: invalid confidence 'LOW'. Must be one of: high, low, medium":                                       func(l *learning.Learning) { l.Confidence = "LOW" },
		"Error: invalid source 'chat'. Must be one of: import, manual, retro, session-capture":                     func(l *learning.Learning) { l.Source = "chat" },
		"Entry rejected: description too short (min 20 chars)":                                                     func(l *learning.Learning) { l.Description = " nineteen characters\t" },
		"Entry rejected: constitution entries are import-only (edit docs/knowledge-bank/constitution.md directly)": func(l *learning.Learning) { l.Category = "constitution" },
	} {
		l := good
		breakIt(&l)
		require.Equal(t, want, learning.Refusal(l.Validate()))
	}
	require.True(t, learning.LongEnough(" é234567890123456789\u00e9 "))
	require.False(t, learning.LongEnough("é23456789012345678\u00e9"))
}
