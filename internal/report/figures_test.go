package report

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/dispatch"
)

func at(date string) time.Time {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	return t
}

// What a fork has copied counts once; that the fork has it too is seen in its share.
func TestAForkIsCountedOnce(t *testing.T) {
	old := Scan{Session: "a", Begin: at("2026-01-05"), HasConversation: true, Prompts: []Prompt{{ID: 1, Typed: true, Tokens: 1000}}, Recalls: []Recall{
		{ID: 7, Way: Injected, Event: "UserPromptSubmit", Items: []Item{{Kind: Decision, File: "f"}, {Kind: Turn, Use: Cited}}},
		{ID: 8, Way: ByPrompt, Query: "/when x", Missed: true},
	}}
	fork := Scan{Session: "b", Begin: at("2026-01-05"), HasConversation: true, Prompts: []Prompt{{ID: 1, Typed: true, Tokens: 1500}, {ID: 2, Typed: true, Tokens: 500}}, Recalls: []Recall{
		{ID: 7, Way: Injected, Event: "UserPromptSubmit", Items: []Item{{Kind: Decision, File: "f", Use: Opened}, {Kind: Turn}}},
		{ID: 8, Way: ByPrompt, Query: "/when x", Missed: true},
	}}
	want := Tally{Sessions: 2, Recalled: 2, Prompted: 2, Injected: 2, Prompts: 2, Tokens: 2000, Asked: 1, Missed: 1, Texts: 1, Items: 2, Used: 2, Opened: 1, Cited: 1}
	for _, scans := range [][]Scan{{old, fork}, {fork, old}} {
		f := Compute(scans, nil, Options{})
		require.Equal(t, want, f.Transcripts.Total)
		require.Equal(t, []Miss{{"/when x", FromPrompt, 1}}, f.Misses)
	}
	require.Zero(t, old.Recalls[0].Items[0].Use, "what was scanned is as it was")
}

// The transcripts of a session and of its subagents are one session, which belongs to the
// time in which it began.
func TestSessionsAndTheirTimes(t *testing.T) {
	scans := []Scan{
		{Session: "a", Begin: at("2026-01-11"), HasConversation: true},
		{Session: "b", Begin: at("2026-01-13"), HasConversation: true, Recalls: []Recall{{ID: 1, Way: Injected}}},
		{Session: "b", Begin: at("2026-01-12"), HasConversation: true},
		{Session: "c", Begin: at("2026-01-28"), HasConversation: true},
		{Session: "d", Begin: at("2026-01-28")}, // only a summary
		{},
	}
	f := Compute(scans, nil, Options{Split: at("2026-01-12")})
	require.Equal(t, 3, f.Transcripts.Total.Sessions)
	require.Equal(t, 6, f.Transcripts.Files)
	var weeks []string
	for _, w := range f.Transcripts.Weeks {
		weeks = append(weeks, w.Monday+" "+whole(w.Sessions))
	}
	require.Equal(t, []string{"2026-01-05 1", "2026-01-12 1", "2026-01-19 0", "2026-01-26 1"}, weeks)
	require.Equal(t, 1, f.Transcripts.Split.Before.Sessions)
	require.Equal(t, 2, f.Transcripts.Split.After.Sessions)
	require.Equal(t, 1, f.Transcripts.Split.After.Recalled)
	require.Equal(t, 2, Compute(scans, nil, Options{Since: at("2026-01-12")}).Transcripts.Total.Sessions)
}

func TestWeeksOfAWrongClockAreBounded(t *testing.T) {
	f := Compute([]Scan{{Session: "a", Begin: at("1970-01-01"), HasConversation: true}, {Session: "b", Begin: at("2026-01-01"), HasConversation: true}, {Session: "c", Begin: time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC), HasConversation: true}}, nil, Options{})
	require.LessOrEqual(t, len(f.Transcripts.Weeks), maxWeeks)
	require.NotEmpty(t, HTML(f))
}

func TestQuantiles(t *testing.T) {
	var hundred []int64
	for i := range 100 {
		hundred = append(hundred, int64(i+1)*1000)
	}
	for share, want := range map[float64]float64{0.5: 50, 0.95: 95, 0.99: 99, 1: 100, 0: 1} {
		require.Equal(t, want, quantile(hundred, share), share)
	}
	require.Equal(t, 7.0, quantile([]int64{7000}, 0.99))
	require.Zero(t, quantile(nil, 0.5))
}

// An entry is recalled by an injection, by a query that had an answer, or by the log; by
// that of another project it is not.
func TestEntriesThatAreNeverRecalled(t *testing.T) {
	entries := []Entry{{"a.md", "/when one", "One"}, {"a.md", "/when two", "Two"}, {"a.md", "/when three", "Three"}, {"a.md", "/how four", "Four"}, {"a.md", "/when five", "Five"}}
	scans := []Scan{{Session: "s", HasConversation: true, Recalls: []Recall{
		{ID: 1, Way: Injected, Items: []Item{{Kind: Decision, File: "a.md", Query: "/when one"}, {Kind: Decision, File: "b.md", Query: "/when five"}}},
		{ID: 2, Way: ByTool, Query: "Two"}, {ID: 3, Way: ByTool, Query: "four", Missed: true},
	}}}
	log := []dispatch.EventRecord{{Project: "p", Items: []string{"decision a.md Three", "learning x"}}, {Project: "q", Items: []string{"decision a.md Five"}}}
	f := Compute(scans, log, Options{Memory: true, Project: "p", Entries: entries})
	require.Equal(t, []string{"/how four  # a.md", "/when five  # a.md"}, f.Memory.Never)
	require.Nil(t, Compute(scans, log, Options{}).Memory)
}

func TestMissesOfTheLog(t *testing.T) {
	f := Compute(nil, []dispatch.EventRecord{
		{At: at("2026-01-05"), Event: "UserPromptSubmit", Query: "why"}, {At: at("2026-01-05"), Event: "UserPromptSubmit", Query: "why"},
		{Event: "UserPromptSubmit", Query: "known", Items: []string{"learning x"}},
		{Event: "PostToolUse", Query: "a/b.go"}, {Event: "UserPromptSubmit", Query: "broken", Fault: true}, {Event: "UserPromptSubmit"},
	}, Options{})
	require.Equal(t, []Miss{{"why", FromLog, 2}}, f.Misses)
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567"} {
		require.Equal(t, want, whole(n))
	}
	require.Equal(t, "–", percent(0, 0))
	require.Equal(t, "33.3 %", percent(1, 3))
	require.Equal(t, "▁·█▅", spark([]float64{0.01, 0, 8, 4}))
	require.Empty(t, spark([]float64{0, 0}))
	require.Empty(t, spark(nil))
}
