package validate

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/finding"
	"whence/internal/memory"
	"whence/internal/text"
)

// Hooks returns the answers of memory-validate to the events of an agent: findings when a
// session begins and after each change by the agent. Once a session, it blocks Stop if the
// memory has findings that this session brought in.
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

// notBlockedBefore reports whether a Stop does not follow one that was blocked.
func notBlockedBefore(e agent.Event) bool { return !e.StopAgain }

// loadedKey is the key of the memory among what handlers share.
type loadedKey struct{}

// LoadFor reads the memory of an event, once for all handlers.
func LoadFor(r *dispatch.Request) (*memory.Memory, error) {
	load := r.Shared(loadedKey{}, func() any {
		return sync.OnceValues(func() (*memory.Memory, error) { return Load(r.Memory(), r.Config) })
	})
	return load.(func() (*memory.Memory, error))()
}

// hookFindings returns the findings in the worktree.
func hookFindings(r *dispatch.Request) ([]finding.Finding, error) {
	loaded, err := LoadFor(r)
	if errors.Is(err, memory.ErrNoMemory) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return Check(loaded, r.Config, "not-memory"), nil // not for an agent to fix
}

// health counts the findings, and notes the state of a memory without any, by which written knows
// whether a command has changed it.
func health(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	print, err := memory.Fingerprint(r.Memory(), r.Config.Layout())
	if err != nil || print == "" {
		return nil, err
	}
	found, err := hookFindings(r)
	if err != nil {
		return nil, err
	}
	findings := len(found)
	return func(s *dispatch.Session) agent.Reply {
		line := ""
		if findings > 0 {
			line = text.HealthHead + cli.Count(findings, "finding", "findings") + text.HealthEnd + "\n"
		}
		if findings == 0 {
			s.CleanFingerprint = print
		} else if r.Begins() { // otherwise this session may have brought the findings in
			s.CleanFingerprint = ""
		}
		return agent.Reply{Context: line}
	}, nil
}

// written reports the findings after the agent has written a file of the memory, or has run a command that
// names it and the memory has changed, and notes for Stop whether there are any.
func written(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	layout := r.Config.Layout()
	if r.Tool == "Bash" {
		if !namesMemory(r.Command, layout) {
			return nil, nil
		}
		clean := r.ReadSession().CleanFingerprint
		if clean == "" {
			return nil, nil
		}
		if print, err := memory.Fingerprint(r.Memory(), layout); err != nil || print == clean {
			return nil, err
		}
	} else if !slices.ContainsFunc(r.Edits, func(edit agent.Edit) bool { return layout.Holds(r.FromRoot(edit.Path)) }) {
		return nil, nil
	}
	found, err := hookFindings(r)
	if err != nil {
		return nil, err
	}
	return func(s *dispatch.Session) agent.Reply {
		if s.Broken = len(found) > 0; !s.Broken {
			return agent.Reply{}
		}
		return agent.Reply{Context: findingsText(text.FindingsHead, found, maxFindingsChars)}
	}, nil
}

// namesMemory reports whether a command names the index, or a folder of decision files.
func namesMemory(command string, layout memory.Layout) bool {
	for _, name := range slices.Concat([]string{layout.Index}, layout.Decisions, layout.Documents) {
		if strings.Contains(path.Base(name), "*") {
			name = path.Dir(name)
		}
		if strings.Contains(command, path.Base(name)) {
			return true
		}
	}
	return false
}

// stopping blocks a Stop if this session has broken the memory. What the user, another session or a
// switch of branches has broken is not for this one to fix.
func stopping(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if before := r.ReadSession(); before.Blocked || !before.Broken {
		return nil, nil
	}
	found, err := hookFindings(r)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return func(s *dispatch.Session) agent.Reply {
		if s.Blocked { // another process was faster
			return agent.Reply{}
		}
		s.Blocked = true
		return agent.Reply{Block: findingsText(text.BrokenIndexHead, found, maxBlockChars)}
	}, nil
}

const (
	maxFindingsChars = 660  // that an agent is shown after a change
	maxBlockChars    = 2000 // at a stop, once a session
	maxPathChars     = 120
	maxMessageChars  = 180
)

// findingsText formats findings for an agent: as many as fit in maxChars, but the first in any case.
func findingsText(head string, found []finding.Finding, maxChars int) string {
	end := "They are for you to fix in these files; "
	if flags := FixFlags(found); flags != "" {
		end = fmt.Sprintf("`memory-validate %s` fixes what can be fixed, look at what it writes; ", flags)
	}
	end += text.FindingsEnd
	out := head + "\n" + text.FromFindings
	for n, f := range found {
		line := fmt.Sprintf("%s:%d: %s [%s]\n", text.ShownPath(dispatch.Clip(f.Path, maxPathChars)), f.Line, dispatch.Clip(f.Message, maxMessageChars), f.Rule)
		more := fmt.Sprintf("and %d more: `memory-validate` prints all\n", len(found)-n)
		if n > 0 && utf8.RuneCountInString(out+line+more+end) > maxChars {
			return out + more + end
		}
		out += line
	}
	return out + end
}
