package knowledge

import (
	"context"
	"fmt"

	"whence/internal/config"
	"whence/internal/harness"
	"whence/internal/store"
)

// Hint are the lines that tell an agent, when a session begins, how to remember (AC-10).
func Hint(p store.Policy) string {
	return fmt.Sprintf(harness.Commands+
		"Tip: Use `/remember <learning>` to capture insights, or use the `store_memory` MCP tool directly.\n"+
		"Memory capture mode: %s\nMemory silent capture budget: %d\n", p.Mode, p.Budget)
}

// PolicyOf is what the settings allow an agent to store of its own accord.
func PolicyOf(c config.Config) store.Policy {
	return store.Policy{Mode: store.Mode(c.CaptureMode), Budget: c.CaptureBudget}
}

// Begin is what an agent is told when a session begins: learnings that may matter to the
// topic, how to remember more, and how much of that may be done unasked. The settings may
// switch it off: then it is "". Shown are the ids of the learnings. What is told stands
// beside an error that took some of it.
func (b *Base) Begin(ctx context.Context, c config.Config, topic func() string) (text string, shown []string, err error) {
	if !c.Injection {
		return "", nil, nil
	}
	hint := Hint(PolicyOf(c))
	text, shown, err = b.Inject(ctx, topic, Injection{Most: c.InjectionLimit, Bytes: c.InjectionBytes - len(hint)})
	if text != "" {
		text += "\n"
	}
	return text + hint, shown, err
}
