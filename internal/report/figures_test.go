package report

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func at(date string) time.Time {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	return t
}

// The transcripts of a session and of its subagents are one session, which belongs to the time when it began.
func TestSessionsAndTheirTimes(t *testing.T) {
	scans := []Scan{
		{Session: "a", Begin: at("2026-01-11"), HasConversation: true},
		{Session: "b", Begin: at("2026-01-13"), HasConversation: true, Pointers: []Pointer{{}}},
		{Session: "b", Begin: at("2026-01-12"), HasConversation: true},
		{Session: "c", Begin: at("2026-01-28"), HasConversation: true},
		{Session: "d", Begin: at("2026-01-28")}, // only a summary
		{},
	}
	f := Compute(scans, time.Time{}, nil)
	require.Equal(t, 6, f.Transcripts)
	var weeks []string
	for _, w := range f.Weeks {
		weeks = append(weeks, fmt.Sprint(w.Monday, " ", w.Sessions, " ", w.Pointers))
	}
	require.Equal(t, []string{"2026-01-05 1 0", "2026-01-12 1 1", "2026-01-26 1 0"}, weeks)
	require.Equal(t, 2, Compute(scans, at("2026-01-12"), nil).Total.Sessions)
}

// Recall counts sessions in which a decision applied: those in which one was looked up.
func TestRecall(t *testing.T) {
	scans := []Scan{
		{Session: "a", HasConversation: true, Pointers: []Pointer{{}, {Read: true}, {Read: true}}},
		{Session: "b", HasConversation: true, Pointers: []Pointer{{}}},
		{Session: "c", HasConversation: true},
	}
	require.Contains(t, Text(Compute(scans, time.Time{}, nil)), "\nRecall: of 2 sessions in which a decision applied, one was looked up in 1 (50.0 %; goal: more than 10 %)\n")
	require.NotContains(t, Text(Compute(scans[2:], time.Time{}, nil)), "Recall")
}

func TestMemoryThatAgentsWereShown(t *testing.T) {
	scans := []Scan{{Session: "a", HasConversation: true, Pointers: []Pointer{{Trigger: "taking a payment"}}}}
	f := Compute(scans, time.Time{}, []Entry{{"/when Taking a payment", true}, {"/when card is declined", false}, {"/how naming a table", true}, {"/when idle", false}})
	require.Equal(t, &Memory{Entries: 4, Bare: []string{"/how naming a table"}, Never: []string{"/when card is declined", "/when idle"}}, f.Memory)
	require.Nil(t, Compute(scans, time.Time{}, nil).Memory)
}
