package remember

import (
	"context"
	"fmt"

	"whence/internal/agent/usertext"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/learning"
	"whence/internal/store"
)

// CaptureHint returns the lines that explain, when a session begins, how to remember. They name only
// what the session has.
func CaptureHint(p store.Policy, t dispatch.SessionTools) string {
	commands, remember := usertext.ShellCommands, "memory-remember '<learning>'"
	if t.Skills {
		commands, remember = usertext.Commands, "/remember <learning>"
	}
	text := commands + "Tip: Use `" + remember + "` to capture insights"
	if t.Server || t.Skills {
		text += ", or use the `store_memory` MCP tool directly"
	}
	text += ".\n"
	if t.Folder != "" && !t.Skills {
		text += "These programs are in " + t.Folder + ", which is not on the PATH.\n"
	}
	text += fmt.Sprintf("Memory capture mode: %s\n", p.Mode)
	switch p.Mode {
	case store.Silent:
		return text + fmt.Sprintf("Memory silent capture budget: %d\n", p.Budget)
	case store.Off:
		return text + "Store only what the user asks you to remember.\n"
	}
	return text + "Propose a learning in one line, and store it when the user agrees.\n"
}

// policyOf returns what the settings allow an agent to store without being asked.
func policyOf(c config.Config) store.Policy {
	return store.Policy{Mode: store.Mode(c.CaptureMode), Budget: c.CaptureBudget}
}

// SessionStartText returns the text to inject when a session begins, and the ids of the learnings
// in it: learnings for the topic, and how to remember more. It is empty if the settings disable it.
// After an error, the rest of the text is returned beside it.
func (svc *Service) SessionStartText(ctx context.Context, c config.Config, t dispatch.SessionTools, topic func() string) (text string, ids []string, err error) {
	if !c.Injection {
		return "", nil, nil
	}
	hint := CaptureHint(policyOf(c), t)
	text, ids, err = svc.Inject(ctx, topic, learning.Budget{Count: c.InjectionLimit, Bytes: c.InjectionBytes - len(hint)})
	if text != "" {
		text += "\n"
	}
	return text + hint, ids, err
}
