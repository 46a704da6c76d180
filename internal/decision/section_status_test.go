package decision_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
)

// Each section of a log has its own status.
func TestStatusesOfSections(t *testing.T) {
	log := decision.Parse("docs/decisions.md", []byte(`# Decisions

Status: deprecated

## D1: Poll
Status: superseded by D2

## D-002 — Queue
- Date: 2020-01-01
- Status: Superseded by [Streams](#d3-use-streams)

## D3: Use *streams*

Streams it is.

### Status

Accepted

### Context

Status: rejected

## D4: Cron
**Status**: Rejected

## D5: Files
Superseded by D9

## D6: Twice
Status: superseded by [records](adr/0001-a.md)
## D7
Status: superseded by D8
## D8: a
## D8: b
## D10: Tests that say "Status: rejected" are slow
`))
	record := decision.ParseDocument("docs/adr/0001-a.md", []byte("# A\n"))
	got := map[string]string{}
	for from, to := range decision.Succession([]*decision.File{log, record}) {
		got[from.File.Headings[from.Heading].Title] = ""
		if to.File != nil {
			got[from.File.Headings[from.Heading].Title] = to.File.Headings[to.Heading].Title
		}
	}
	require.Equal(t, map[string]string{
		"D1: Poll": "D3: Use *streams*", "D-002 — Queue": "D3: Use *streams*", "D4: Cron": "", "D5: Files": "", "D6: Twice": "A", "D7": "",
	}, got)
	require.Equal(t, "Superseded by Streams", log.Statuses[2].Text)
	require.Equal(t, decision.NoStatus, log.Statuses[0].Kind)
}

// The chapters of a log are text of its decisions, and say their status.
func TestStatusesInChaptersOfALog(t *testing.T) {
	log := decision.Parse("d.md", []byte("# Log\n\n## D1\n\n### Context\n\nOld ones are deprecated.\n\n### Status\n\nSuperseded by [D2](#d2)\n\n## D2\n\n### Status\n\nAccepted\n\n### Decision\n\nStatus: rejected\n"))
	require.Len(t, log.Headings, 3)
	require.Equal(t, map[decision.Ref]decision.Ref{{File: log, Heading: 1}: {File: log, Heading: 2}}, decision.Succession([]*decision.File{log}))
	require.Equal(t, decision.Accepted, log.Statuses[2].Kind)
}

// The statuses of a file with many headings take time in proportion to it.
func TestStatusesOfManySectionsAreLinear(t *testing.T) {
	duration := func(n int) time.Duration {
		var src strings.Builder
		for i := range n {
			fmt.Fprintf(&src, "## D%d: a\n\nStatus: superseded by D%d\n\nText of it.\n\n### Context\n\n", i, i+1)
		}
		file := decision.Parse("d.md", []byte(src.String()))
		best := time.Hour
		for range 3 {
			start := time.Now()
			file.ReadStatuses(nil)
			decision.Succession([]*decision.File{file})
			best = min(best, time.Since(start))
		}
		return best
	}
	require.Less(t, duration(4000), 20*duration(500))
}
