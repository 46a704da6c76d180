package learning_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
)

func TestParseStaged(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	all := learning.ParseStaged("#CHANGE:fix-auth\r\nLearning|lock,auth|Token refresh must hold the lock | even while writing\r\n Decision | preference | User wants tabs\n" +
		"Decision|preference|no\nNONE\n\nno pipes here\nObservation|x|an unsupported type of line\nLearning|t\n" +
		"Convention|api|List endpoints return data and total\nCheatSheet|test|Run tests with PYTHONPATH=. pytest\nLearning|x|the key is " + secret + " as before\nLearning|x|" + secret + "\n")
	texts := map[string]learning.Learning{}
	for _, l := range all {
		require.Equal(t, []any{learning.Import, learning.Low}, []any{l.Source, l.Confidence}, l.Description)
		require.Contains(t, l.Reasoning, "fix-auth")
		texts[l.Description] = l
	}
	require.Len(t, texts, 5)
	for text, keyword := range map[string]string{
		"Token refresh must hold the lock | even while writing": "auth", "preference: User wants tabs": "preference", "List endpoints return data and total": "api",
		"Run tests with PYTHONPATH=. pytest": "pytest", "the key is [redacted: GitHub token] as before": "x",
	} {
		require.Contains(t, texts, text)
		require.Contains(t, texts[text].Keywords, keyword)
	}
}

// A secret among the tags is in no keyword, nor in the text that begins with the tags.
func TestSecretsInTagsOfStagedLines(t *testing.T) {
	all := learning.ParseStaged("Learning|style,PASSWORD=hunter2x|User wants tabs\nLearning|AKIAQ7Z2M4K8P1R5T9WX,deploy|The deployment waits for the harbour master\n")
	require.Len(t, all, 2)
	for _, l := range all {
		text := strings.ToLower(strings.Join(append(l.Keywords, l.Name, l.Description, l.Reasoning), " "))
		require.NotContains(t, text, "hunter2x")
		require.NotContains(t, text, "akiaq7")
	}
	require.Contains(t, all[0].Keywords, "style")
	require.Contains(t, all[1].Keywords, "deploy")
}
