package learning_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
)

func TestParseEngram(t *testing.T) {
	e, err := learning.ParseEngram([]byte(`{
		"version": "0.1.0", "exported_at": "2026-01-02 00:00:00",
		"sessions": [{"id": "s1", "project": "Ferry", "directory": "/x", "started_at": "2026-01-01 00:00:00"}],
		"observations": [
			{"id": 7, "sync_id": "obs-7", "session_id": "s1", "type": "bugfix", "title": "Pool leaked\nconnections", "content": "**What**: the pool is closed on exit\n**Why**: connections leaked\n**Where**: db.go",
			 "project": "ferry", "scope": "project", "topic_key": "db/connection-pool", "revision_count": 2, "duplicate_count": 3, "last_seen_at": null, "created_at": "2026-01-01 10:00:00", "updated_at": "2026-01-02T10:00:00Z", "deleted_at": null, "pinned": true},
			{"id": "8", "session_id": "s1", "type": "preference", "title": "Tabs", "content": "the token is <private>x", "scope": "personal"},
			{"id": 9, "type": "manual", "title": "gone", "content": "gone", "deleted_at": "2026-01-02 10:00:00"},
			{"id": 10, "type": "session_summary", "title": "a day", "content": "much"},
			{"id": 11, "title": ["no"]}, 12, null
		],
		"prompts": [{"id": 1}]}`))
	require.NoError(t, err)
	require.Equal(t, []int{3, 1, 1, 2}, []int{len(e.Observations), e.Deleted, e.Summaries, e.Unreadable})
	require.Equal(t, []string{"private text"}, e.Redacted)
	text := "**What**: the pool is closed on exit\n**Where**: db.go"
	require.Equal(t, learning.EngramObservation{
		Learning: learning.Learning{
			ID: learning.ID(text), Name: "Pool leaked connections", Description: text, Reasoning: "connections leaked", Confidence: learning.Medium, Source: learning.Import,
			Keywords: []string{"bugfix", "db", "connection-pool"}, Observations: 3,
			Created: time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC), Updated: time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC),
		},
		EngramProject: "ferry", Key: "obs-7", Source: "engram: observation 7 (db/connection-pool)",
	}, e.Observations[0])
	o := e.Observations[1]
	require.Equal(t, []any{"ferry", "engram 8", "engram: observation 8", true, "the token is [private]"}, []any{o.EngramProject, o.Key, o.Source, o.Personal, o.Description})
	require.Empty(t, e.Observations[2].Description, "null has none")

	for src, want := range map[string]string{
		"":                      "unexpected end of JSON input",
		`{"sessions": []}`:      "it has no observations",
		`{"observations": 3}`:   "cannot unmarshal number",
		`[{"observations": 3}]`: "cannot unmarshal array",
	} {
		_, err := learning.ParseEngram([]byte(src))
		require.ErrorContains(t, err, want, src)
	}
}

func FuzzParseEngram(f *testing.F) {
	f.Add([]byte(`{"sessions":[{"id":"a","project":"b"}],"observations":[{"id":1,"session_id":"a","type":"x y","title":"t","content":"**Why**: c","topic_key":"a/b"}]}`))
	f.Add([]byte(`{"observations":[{"id":{},"duplicate_count":-1,"created_at":"x"},null,[]]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		e, err := learning.ParseEngram(src)
		if err != nil {
			return
		}
		for _, o := range e.Observations {
			require.GreaterOrEqual(t, o.Observations, 1)
			require.NotContains(t, o.Name+o.Source, "\n")
			require.Equal(t, strings.TrimSpace(o.Description), o.Description)
		}
	})
}
