package validate

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/agent/usertext"
	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/dispatch"
	"whence/internal/finding"
)

// Hooks are what memory-validate does at the events of an agent: it says what is wrong
// with the memory when a session begins, and after each change that the agent has made to
// it; and it keeps the agent from stopping, once a session, while the memory has findings
// that came in this session.
func Hooks() dispatch.Answers {
	return dispatch.Answers{
		agent.SessionStart: {{Run: health}},
		agent.PostToolUse:  {{Wants: wroteAFile, Run: written}},
		agent.Stop:         {{Wants: mayBeStopped, Run: stopping}},
	}
}

// wroteAFile tells whether a tool is one that writes files.
func wroteAFile(e agent.Event) bool {
	return e.Path != "" && slices.Contains([]string{"Edit", "Write", "MultiEdit", "NotebookEdit"}, e.Tool)
}

// mayBeStopped tells whether an agent has not been kept from stopping just before.
func mayBeStopped(e agent.Event) bool { return !e.StopAgain }

// hookFindings are the findings in the worktree; none where there is no memory.
func hookFindings(m *dispatch.Moment) ([]finding.Finding, error) {
	loaded, err := Load(m.Tree.FS(), m.Config)
	if errors.Is(err, ErrNoMemory) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return CheckFixes(loaded, m.Config)
}

// health tells how many findings there are, and remembers a memory without any: what
// becomes of that is this session's doing.
func health(_ context.Context, m *dispatch.Moment) (dispatch.Say, error) {
	print, err := fingerprint(m)
	if err != nil || print == "" {
		return nil, err
	}
	found, err := hookFindings(m)
	if err != nil {
		return nil, err
	}
	return func(s *dispatch.State) agent.Reply {
		if len(found) == 0 {
			s.Memory = print
			return agent.Reply{}
		}
		if m.Begins() { // else what is wrong may have come in this session
			s.Memory = ""
		}
		return agent.Reply{Context: usertext.Health + cli.Count(len(found), "finding", "findings") + usertext.HealthEnd + "\n"}
	}, nil
}

// written tells what is wrong with the memory after the agent has written to a file of it,
// and remembers it for when it stops.
func written(_ context.Context, m *dispatch.Moment) (dispatch.Say, error) {
	layout := corpus.Layout{Index: m.Config.Index, Decisions: m.Config.Decisions}
	if !slices.ContainsFunc(append([]string{m.Path}, m.More...), func(path string) bool { return layout.Holds(m.FromRoot(path)) }) {
		return nil, nil
	}
	found, err := hookFindings(m)
	if err != nil {
		return nil, err
	}
	return func(s *dispatch.State) agent.Reply {
		if s.Broken = len(found) > 0; !s.Broken {
			return agent.Reply{}
		}
		return agent.Reply{Context: findingsText(usertext.Findings, found)}
	}, nil
}

// stopping gives the reason why an agent must not stop yet.
func stopping(_ context.Context, m *dispatch.Moment) (dispatch.Say, error) {
	before := m.State()
	if before.Blocked || !before.Broken && before.Memory == "" {
		return nil, nil
	}
	if !before.Broken { // nobody has told of a change: a command may have made one
		if print, err := fingerprint(m); err != nil || print == before.Memory {
			return nil, err
		}
	}
	found, err := hookFindings(m)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return func(s *dispatch.State) agent.Reply {
		if s.Blocked { // another process was faster
			return agent.Reply{}
		}
		s.Blocked = true
		return agent.Reply{Block: findingsText(usertext.BrokenIndex, found)}
	}, nil
}

// fingerprint tells one state of the files of the memory from another; "" is no memory.
func fingerprint(m *dispatch.Moment) (string, error) {
	print, err := corpus.TakeFingerprint(m.Tree.FS(), corpus.Layout{Index: m.Config.Index, Decisions: m.Config.Decisions})
	if err != nil || print.Files == 0 {
		return "", err
	}
	return hex.EncodeToString(print.Sum[:12]), nil
}

// shownFindings is how many findings an agent is told.
const shownFindings = 10

// findingsText prints findings for an agent.
func findingsText(head string, found []finding.Finding) string {
	var out strings.Builder
	out.WriteString(head + "\n")
	for _, f := range found[:min(len(found), shownFindings)] {
		fmt.Fprintf(&out, "%s:%d: %s [%s]\n", finding.Printable(f.Path), f.Line, finding.Printable(f.Message), f.Rule)
	}
	if more := len(found) - shownFindings; more > 0 {
		fmt.Fprintf(&out, "and %d more\n", more)
	}
	if flags := FixFlags(found); flags != "" {
		fmt.Fprintf(&out, "`memory-validate %s` fixes what can be fixed, look at what it writes; ", flags)
	} else {
		out.WriteString("They are for you to fix in these files; ")
	}
	out.WriteString(usertext.FindingsEnd)
	return out.String()
}
