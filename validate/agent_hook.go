package validate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/finding"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/words"
)

// Hooks returns the handlers of memory-validate. They report findings when a session begins and after each change. Once
// a session, they block Stop if the memory has findings that this session brought in.
func Hooks() dispatch.Handlers {
	return dispatch.Handlers{
		agent.SessionStart: {{Run: health}},
		agent.PostToolUse:  {{Wants: mayWrite, Run: written}},
		agent.Stop:         {{Wants: notBlockedBefore, Run: stopping}},
	}
}

// mayWrite reports whether a tool has written a file, or has run a command that may have.
func mayWrite(e agent.Event) bool {
	return e.Tool == "Bash" || e.Path != "" && slices.Contains([]string{"Edit", "Write", "MultiEdit", "NotebookEdit"}, e.Tool)
}

// notBlockedBefore reports whether a Stop does not follow a blocked one.
func notBlockedBefore(e agent.Event) bool { return !e.StopAgain }

// hookFindings returns the findings in the worktree and its memory. Both are nil if there is no memory.
func hookFindings(r *dispatch.Request) (found []finding.Finding, m *memory.Memory, err error) {
	m, err = load(r.Decisions, r.Config)
	if errors.Is(err, memory.ErrNoMemory) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return Check(m, r.Config, "not-memory"), m, nil // not for an agent to fix
}

// health reports the number of findings, and records the memory so that later events can see what has changed.
func health(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	source, isMemory := r.Memory().(*memory.Source)
	if !isMemory || len(source.Files()) == 0 {
		return nil, nil
	}
	found, m, err := hookFindings(r)
	if err != nil {
		return nil, err
	}
	now, _ := filesSince(r, nil, m)
	return func(s *dispatch.Session) agent.Reply {
		if s.Files == nil || r.Source != "compact" { // after a compaction, a call may still be running
			record(s, now, found, func(finding.Finding) bool { return false })
		}
		if len(found) == 0 {
			return agent.Reply{}
		}
		return agent.Reply{Context: agent.HealthHead + cli.Count(len(found), "finding", "findings") + agent.HealthEnd + "\n"}
	}, nil
}

// written reports the new findings if the memory has changed since the last event, and records which of them this
// session has brought in.
func written(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	named := namedFiles(r)
	if r.Tool != "Bash" && len(named) == 0 {
		return nil, nil
	}
	before := r.ReadSession().Files
	now, changed := filesSince(r, before, nil)
	if before == nil { // nothing to compare with
		changed = named
	}
	if len(changed) == 0 && (len(now) == 0 || maps.Equal(now, before)) {
		return nil, nil
	}
	found, _, err := hookFindings(r)
	if err != nil {
		return nil, err
	}
	ours := slices.DeleteFunc(slices.Clone(changed), func(name string) bool { return !slices.Contains(named, name) && !changedWithin(r, name) })
	onlyOurs := before != nil && len(ours) > 0 && len(ours) == len(changed)
	return func(s *dispatch.Session) agent.Reply {
		fresh := record(s, now, found, func(f finding.Finding) bool { return onlyOurs || slices.Contains(ours, f.Path) })
		if len(fresh) == 0 || len(changed) == 0 {
			return agent.Reply{}
		}
		return agent.Reply{Context: findingsText(agent.FindingsHead, fresh, maxFindingsChars)}
	}, nil
}

// stopping blocks a Stop if findings are left that this session has brought in. Findings that come from the user,
// another session or a switch of branches are not for this one to fix.
func stopping(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	before := r.ReadSession()
	isOurs := func(f finding.Finding) bool { return before.Findings[findingMark(f)] }
	if before.Blocked || !slices.Contains(slices.Collect(maps.Values(before.Findings)), true) {
		return nil, nil
	}
	found, _, err := hookFindings(r)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return !isOurs(f) })
	if len(found) == 0 {
		return nil, nil
	}
	return func(s *dispatch.Session) agent.Reply {
		if s.Blocked { // another process was faster
			return agent.Reply{}
		}
		s.Blocked = true
		return agent.Reply{Block: findingsText(agent.BrokenIndexHead, found, maxBlockChars)}
	}, nil
}

const (
	maxFindingsChars = 660  // shown after a change
	maxBlockChars    = 2000 // shown at a Stop, once a session
	maxPathChars     = 120
	maxMessageChars  = 180
)

// findingsText formats findings for an agent: as many as fit in maxChars, but always the first.
func findingsText(head string, found []finding.Finding, maxChars int) string {
	end := "They are for you to fix in these files; "
	if flags := FixFlags(found); flags != "" {
		end = fmt.Sprintf("`memory-validate %s` fixes what can be fixed, look at what it writes; ", flags)
	}
	end += agent.FindingsEnd
	out := head + "\n" + inert.FromFindings
	for n, f := range found {
		line := fmt.Sprintf("%s:%d: %s [%s]\n", inert.Path(words.Clip(f.Path, maxPathChars)), f.Line, words.Clip(f.Message, maxMessageChars), f.Rule)
		more := fmt.Sprintf("and %d more: `memory-validate` prints all\n", len(found)-n)
		if n > 0 && utf8.RuneCountInString(out+line+more+end) > maxChars {
			return out + more + end
		}
		out += line
	}
	return out + end
}
