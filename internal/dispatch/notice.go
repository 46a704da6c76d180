package dispatch

import (
	"fmt"
	"strings"

	"whence/internal/agent"
	"whence/internal/cli"
)

// notice returns the line for the person about what a reply gives, the first time in a session that one gives anything;
// otherwise, or if the agent would not show the line, "".
func (r *Request) notice(s *Session) string {
	total := 0
	for _, n := range s.giving {
		total += n
	}
	if total == 0 || s.Noticed || !r.RecordsSession() || !r.Agent.ShowsNotices() {
		return ""
	}
	s.Noticed = true
	var parts []string
	for kind, name := range [...][2]string{Decision: {"decision", "decisions"}, PastSession: {"past session", "past sessions"}, PastCommit: {"commit", "commits"}, Learning: {"learning", "learnings"}} {
		if n := s.giving[kind]; n > 0 {
			parts = append(parts, cli.Count(n, name[0], name[1]))
		}
	}
	what := parts[0]
	if last := len(parts) - 1; last > 0 {
		what = strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
	were, them := "were", "them"
	if total == 1 {
		were, them = "was", "it"
	}
	return fmt.Sprintf("%s %s shown to the agent (%s shows %s)", what, were, cli.Command(r.Env, "memory-hooks last"), them)
}

// withNotice adds a line for the person to a reply.
func withNotice(reply agent.Reply, line string) agent.Reply {
	switch {
	case line == "":
	case reply.Notice == "":
		reply.Notice = "whence: " + line
	case strings.HasSuffix(reply.Notice, "."):
		reply.Notice += " " + line
	default:
		reply.Notice += "; " + line
	}
	return reply
}
