package learning_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"whence/internal/learning"
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

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"  a\r\nb\rc\vd\x1ce  ":                                "a\nb\nc\nd e",
		"\x1b[31;1mred\x1b[0m text\x00":                        "red text",
		"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \x1b]0;t\a!": "link !",
		"\x1b[31\nx":                 "[31\nx",
		"\ufeffa\xffb\u0085c\u2028d": "a\ufffdb\nc\nd",
		"tab\tkept \u200d":           "tab\tkept \u200d",
		"\x1b":                       "",
	} {
		require.Equal(t, want, learning.Clean(text), "%q", text)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b\x1b[31m[31m\x9b \x1b]x\x1b\\")
	f.Add("ΑΣ'Σ İ \x1c\u0345Σ")
	f.Fuzz(func(t *testing.T, text string) {
		clean := learning.Clean(text)
		require.Equal(t, clean, learning.Clean(clean), "cleaning twice")
		require.True(t, utf8.ValidString(clean))
		for _, r := range clean {
			require.False(t, unicode.IsControl(r) && r != '\n' && r != '\t', "%U", r)
		}
		if !strings.Contains(text, "\x1b") {
			require.Equal(t, visibleOf(text), visibleOf(clean))
			if !strings.ContainsFunc(text, func(r rune) bool {
				return unicode.IsControl(r) && !unicode.IsSpace(r) && (r < 0x1c || r > 0x1f) || r == '\ufeff'
			}) {
				require.Equal(t, learning.ID(text), learning.ID(clean))
			}
		}
		require.Equal(t, learning.ID(text), learning.ID(" "+strings.ReplaceAll(text, " ", " \x1d\u3000")+"\n"))
		require.Equal(t, learning.Folded(norm.NFC.String(text)), learning.Folded(norm.NFD.String(text)))
		require.Len(t, learning.ID(text), 16)
	})
}

// visibleOf returns the visible characters of a text.
func visibleOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff' {
			return -1
		}
		return r
	}, string([]rune(text)))
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
