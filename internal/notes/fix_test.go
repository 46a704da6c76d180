package notes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

// A command that fails and passes after changes is a finding: what failed, and what was done.
func TestFixes(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	s.fail("go test ./...", "Exit code 1\nqueue_test.go:7: undefined: Retry")
	s.run("git status")
	s.run("npm install retry")
	s.fail("go test ./...", "Exit code 1\nqueue_test.go:9: want 2, got 1")
	s.edit(agent.Edit{Path: "queue/queue.go", New: "x"})
	s.run("go test ./... | tail") // whose status is that of tail
	require.Equal(t, "# Findings\n", s.read(findingsMD))
	s.run("go test -count=1 ./...")
	s.run("go test ./...")
	const first = "# Findings\n\n- 2026-01-02 Fixed: `go test ./...` failed with: queue_test.go:9: want 2, got 1; then: `npm install retry`, changed queue/queue.go; passes as `go test -count=1 ./...`\n"
	require.Equal(t, first, s.read(findingsMD))
	s.fail("curl -f x.example", "Exit code 22\ncurl: (22) 503")
	s.run("ls")
	s.run("curl -f x.example")
	require.Equal(t, first, s.read(findingsMD), "nothing has fixed it")
	s.fail("make", "Exit code 2\nno rule")
	s.event(agent.Event{Name: agent.PostToolUse, Tool: "Bash", Command: "make", Session: "other"})
	require.Equal(t, first, s.read(findingsMD), "of another session")
}
