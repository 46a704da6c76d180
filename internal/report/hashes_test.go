package report

import (
	"encoding/json"
	"testing"
	"testing/quick"

	"github.com/stretchr/testify/require"
)

func all(text string) (hashes []uint64) {
	runs(text, func(h uint64) { hashes = append(hashes, h) })
	return hashes
}

func TestRunsOfWords(t *testing.T) {
	require.Len(t, all("Clients send headers, and servers keep answers"), 3)
	require.Empty(t, all("Clients send a header"), "four words")
	require.Empty(t, all("it is as it is in it"), "few letters")
	require.Equal(t, all("a *retry* of the\nsame attempt reuses it")[0], all("Retry of the same attempt, reuses")[0], "whatever stands between the words")
	require.NotEqual(t, all("retries never reuse their connection keys")[0], all("retries never reuse the connection keys")[0])
}

func TestFilesInAText(t *testing.T) {
	require.Equal(t, []string{"agents/decisions/api.md", "README.md", `C:\x\b.md`[2:]}, files("see agents/decisions/api.md:3, „README.md“ and C:\\x\\b.md; .md is none"))
	require.Empty(t, files("no file"))
	require.True(t, isFile("/home/kim/ferry/agents/decisions/api.md", "agents/decisions/api.md"))
	require.True(t, isFile(`C:\ferry\agents\decisions\api.md`, "agents/decisions/api.md"))
	require.False(t, isFile("other-agents/decisions/api.md", "agents/decisions/api.md"))
	require.False(t, isFile("api.md", ""))
}

func TestHashesAreReadAsTheyAreWritten(t *testing.T) {
	require.NoError(t, quick.Check(func(h []uint64) bool {
		src, err := json.Marshal(hashes(h))
		var again hashes
		return err == nil && json.Unmarshal(src, &again) == nil && len(again) == len(h) && (len(h) == 0 || again[len(h)-1] == h[len(h)-1])
	}, nil))
	var h hashes
	require.Error(t, json.Unmarshal([]byte(`"AAAA"`), &h))
	require.Error(t, json.Unmarshal([]byte(`"?"`), &h))
}

func FuzzFiles(f *testing.F) {
	f.Add("ä.md é/b.md…")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range files(text) {
			require.Contains(t, text, name)
			require.True(t, len(name) > len(".md"))
		}
	})
}
