package capture_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/capture"
	"whence/internal/repotest"
)

// oneCase is a shared case of what of a transcript is captured.
type oneCase struct {
	ID, Group  string
	Transcript []json.RawMessage
	Steps      []json.RawMessage
	Expect     struct {
		Saved *[]struct {
			Content  string
			Starts   string   `json:"content_starts"`
			Ends     string   `json:"content_ends"`
			Contains []string `json:"content_contains"`
			Excludes []string `json:"content_excludes"`
			Type     string
		}
		Count    *int           `json:"saved_count"`
		Total    *int           `json:"captured_total"`
		Kinds    map[string]int `json:"captured_kinds"`
		Contains []string       `json:"captured_contains"`
		Excludes []string       `json:"captured_excludes"`
	}
}

// unrunCases are the cases that are not run here, with the reason.
var unrunCases = map[string]string{
	"raw-017":  "a command is captured when it has had output (seed D2); this one has no result",
	"raw-018":  "as raw-017; that a command is cut is tested in TestCommandsAreCut",
	"raw-025":  "tags belong to the store",
	"raw-042":  "locks belong to who stores",
	"real-025": "a forked session: TestAForkedSession",
	"real-027": "a transcript that was written anew: internal/transcript",
	"real-029": "two processes at once belong to the store",
}

// kindNames are the kinds as the cases call them.
var kindNames = map[string]capture.Kind{"assistant": capture.Answer}

func TestSharedCases(t *testing.T) {
	src, err := os.ReadFile(repotest.Shared(t, "cases/hooks.jsonl"))
	require.NoError(t, err)
	ran, unrun := 0, 0
	for line := range strings.Lines(string(src)) {
		var c oneCase
		var kind struct{ ID, Group string }
		require.NoError(t, json.Unmarshal([]byte(line), &kind))
		if kind.Group != "raw-filter" && kind.Group != "transcript-real" {
			continue
		}
		if unrunCases[kind.ID] != "" {
			unrun++
			continue
		}
		require.NoError(t, json.Unmarshal([]byte(line), &c), kind.ID)
		ran++
		t.Run(c.ID, func(t *testing.T) { runCase(t, c) })
	}
	require.Equal(t, len(unrunCases), unrun, "a case is listed that there is not")
	require.GreaterOrEqual(t, ran, 30)
	t.Logf("%d cases were run, %d are listed", ran, unrun)
}

func runCase(t *testing.T, c oneCase) {
	var src strings.Builder
	for _, raw := range c.Transcript {
		var line string
		if raw[0] != '"' || json.Unmarshal(raw, &line) != nil {
			line = string(raw)
		}
		src.WriteString(line + "\n")
	}
	f := &capture.Filter{}
	turns := stored(f, records(t, []byte(src.String())))
	want := c.Expect
	for _, n := range []*int{want.Count, want.Total} {
		if n != nil {
			require.Len(t, turns, *n)
		}
	}
	kinds := map[capture.Kind]int{}
	all := ""
	for _, turn := range turns {
		kinds[turn.Kind]++
		all += turn.Text + "\n"
	}
	for name, n := range want.Kinds {
		kind, other := kindNames[name]
		if !other {
			kind = capture.Kind(name)
		}
		require.Equal(t, n, kinds[kind], name)
	}
	for _, part := range want.Contains {
		require.Contains(t, all, part)
	}
	for _, part := range want.Excludes {
		require.NotContains(t, all, part)
	}
	if want.Saved == nil {
		return
	}
	for i, s := range *want.Saved {
		text := turns[i].Text
		// the beginning of a stored text is the store's, made of the name of the change
		if begin, rest, ok := strings.Cut(s.Content+s.Starts, "] "); ok {
			change, _, _ := strings.Cut(strings.TrimPrefix(begin, "[session:"), ",")
			require.Equal(t, strings.Replace(change, "unknown", "", 1), f.Change())
			require.Contains(t, text, rest)
		}
		require.True(t, strings.HasSuffix(text, s.Ends), text)
		for _, part := range s.Contains {
			require.Contains(t, text, part)
		}
		for _, part := range s.Excludes {
			require.NotContains(t, text, part)
		}
		if s.Type != "" {
			require.Equal(t, s.Type == "Context", turns[i].Role == capture.User)
		}
	}
}

func TestCommandsAreCut(t *testing.T) {
	turns := new(talk).runs(strings.Repeat("c", 300)).gets("done", false).turns(t)
	require.Equal(t, "[Bash] "+strings.Repeat("c", 200), turns[0].Text)
}
