package trigger_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/trigger"
)

// Triggers and descriptions of records speak of the decision, not of the record.
func TestDraftsOfDocuments(t *testing.T) {
	for _, c := range []struct{ name, src, trigger, description string }{
		{"0007-use-redis-for-queues.md", `# 7. Use Redis for queues

Date: 2021-03-04

## Status

Accepted

## Context

Workers lose their jobs when the host restarts.

## Decision

Each queue is a stream that survives a restart.

## Consequences

We have to run one more service.
`, "using redis for queues", "Each queue is a stream that survives a restart"},
		{"0008-retries.md", `# ADR-0008: Retries of failed jobs

* Status: accepted
* Deciders: Ada, Grace
* Date: 2021-03-04

## Context and Problem Statement

Should a failed job run again?

## Decision Outcome

Chosen option: "three times", because the fourth never helped.
`, "retries of failed jobs", `"three times"`},
		{"0004-factors.md", "# 12 Factor Rails apps\n\nConfiguration comes from the environment.\n", "12 factor rails apps", "Configuration comes from the environment"}, // P8
		{"0012-factors.md", "# 12 Factor Rails apps\n\nConfiguration comes from the environment.\n", "factor rails apps", "Configuration comes from the environment"},
		{"0003-two-phases.md", "# 2-phase commit\n\nBoth or none of the stores commit.\n", "2-phase commit", "Both or none of the stores commit"},
		{"0003-clock.md", "# 3 - Clock skew\n\nA minute is allowed to clocks.\n", "clock skew", "A minute is allowed to clocks"},
		{"0007-use-redis.md", "# 0007-use-redis\n\nEach queue is a stream.\n", "using redis", "Each queue is a stream"},
		{"api-versions.md", "# API-Versions\n\nStatus: accepted\n\nOld versions answer for a year after the next one.\n", "api versions", "Old versions answer for a year after the next one"},
	} {
		f := decision.ParseDocument("docs/adr/"+c.name, []byte(c.src))
		_, words := trigger.Derive(trigger.Title(f, 0), "", 20)
		require.Equal(t, c.trigger, strings.Join(words, " "), c.name)
		require.Contains(t, trigger.Describe(f, 0, 3, 14), c.description, c.name)
	}
}
