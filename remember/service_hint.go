package remember

import (
	"context"
	"fmt"

	"whence/internal/agent/usertext"
	"whence/internal/config"
	"whence/internal/store"
)

// Tools are what an agent has in a session to remember with, beside the programs themselves.
type Tools struct {
	Skills bool   // the plugin, which brings /remember, /when and the server
	Server bool   // the MCP server
	Folder string // of the programs, if they are not on the PATH
}

// Hint returns the lines that say, when a session begins, how to remember (AC-10). They name
// only what the session has.
func Hint(p store.Policy, t Tools) string {
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
	return text + fmt.Sprintf("Memory capture mode: %s\n", p.Mode) + modeText(p) + "\n"
}

// modeText says what an agent does in a capture mode.
func modeText(p store.Policy) string {
	switch p.Mode {
	case store.Silent:
		return fmt.Sprintf("Memory silent capture budget: %d", p.Budget)
	case store.Off:
		return "Store only what the user asks you to remember."
	}
	return "Propose a learning in one line, and store it when the user agrees."
}

// PolicyOf is what the settings allow an agent to store of its own accord.
func PolicyOf(c config.Config) store.Policy {
	return store.Policy{Mode: store.Mode(c.CaptureMode), Budget: c.CaptureBudget}
}

// Begin returns what an agent is shown when a session begins: learnings that may matter to the
// topic, and how to remember more with the tools it has. It is empty if the settings switch it
// off. Shown are the ids of the learnings. If an error took some of the text, the rest is
// returned beside it.
func (b *Service) Begin(ctx context.Context, c config.Config, t Tools, topic func() string) (text string, shown []string, err error) {
	if !c.Injection {
		return "", nil, nil
	}
	hint := Hint(PolicyOf(c), t)
	text, shown, err = b.Inject(ctx, topic, Injection{Most: c.InjectionLimit, Bytes: c.InjectionBytes - len(hint)})
	if text != "" {
		text += "\n"
	}
	return text + hint, shown, err
}
