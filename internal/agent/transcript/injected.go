package transcript

import (
	"strconv"
	"strings"

	"whence/internal/agent"
	"whence/internal/agent/usertext"
)

// interrupted is the text by which Claude Code records that the user has stopped it. Records of other
// agents have it too.
const interrupted = "[Request interrupted by user]"

// isInjected reports whether a text in the place of a hook's is one of ours.
func isInjected(text string) bool { return text != "" && usertext.Read(text) == usertext.Message{} }

// eventOf returns the event at which a text was injected, if the transcript does not name it.
func eventOf(text, otherwise string) string {
	for _, begin := range []string{usertext.Commands, usertext.ShellCommands, usertext.Learnings, usertext.Health, usertext.Settings} {
		if strings.HasPrefix(text, strings.TrimSuffix(begin, "\n")) {
			return agent.SessionStart
		}
	}
	return otherwise
}

// finished returns the result of a command with its exit status as Claude Code writes it.
func (b Block) finished(status, output string) Block {
	b.Text = clip(clean(strings.TrimSpace(output)))
	if status != "0" {
		b.Text, b.Error = strings.TrimSpace("Exit code "+status+"\n"+b.Text), true
	}
	return b
}

func itoa(n int) string { return strconv.Itoa(n) }
