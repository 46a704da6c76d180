package notes_test

import (
	"fmt"
	"strings"
	"testing"

	"whence/internal/agent"
)

// What an event costs: where notes are off, at a tool call that means nothing, at a refresh
// of long files, at a failure with much output and a long log.
func BenchmarkEvent(b *testing.B) {
	long := "# Decisions\n" + strings.Repeat("- 2026-01-02 a line about something that was decided\n", 2000)
	for _, c := range []struct {
		name string
		run  func(*stage)
	}{
		{"off", func(s *stage) { s.config.Notes = false; s.use() }},
		{"count", func(s *stage) { s.use() }},
		{"refresh", func(s *stage) { s.config.NotesRefresh = 1; s.use() }},
		{"failure", func(s *stage) {
			s.event(agent.Event{Name: agent.PostToolUseFailure, Tool: "Bash", Command: "make", Error: strings.Repeat("some output\n", 800)})
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := newStage(b, map[string]string{decisionsMD: long, findingsMD: long})
			s.start("startup")
			for i := range 20 {
				s.event(agent.Event{Name: agent.PostToolUse, Tool: "Grep", Session: fmt.Sprint("o", i)})
			}
			for b.Loop() {
				c.run(s)
			}
		})
	}
}
