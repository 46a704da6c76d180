package agent

import (
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"
)

// MaxContextChars is the length up to which agents accept a reply; of a longer one they show only
// the beginning.
const MaxContextChars = 10000

// Reply is the reply to an event. The zero value is none.
type Reply struct {
	Context string // for the model
	Block   string // why the agent must not stop yet; of Stop alone
}

// output is a reply as agents read it.
type output struct {
	Decision string          `json:"decision,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Context  string          `json:"additionalContext,omitempty"`
	Specific *specificOutput `json:"hookSpecificOutput,omitempty"`
}

type specificOutput struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// Write writes a reply to an event in the format of its agent, if the event has replies. A text that
// is too long is cut at the end of a line.
func (r Reply) Write(w io.Writer, e Event) error {
	var out output
	switch e.Name {
	case SessionStart, UserPromptSubmit, PostToolUse, PostToolUseFailure:
		if r.Context == "" {
			return nil
		}
		text := cut(r.Context, MaxContextChars)
		out.Specific = &specificOutput{e.Agent.NativeEvent(e.Name), text}
		if e.Agent == Copilot {
			out.Context = text
		}
	case Stop:
		if r.Block == "" || e.StopAgain {
			return nil
		}
		out.Decision, out.Reason = "block", cut(r.Block, MaxContextChars)
	default:
		return nil
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}

// cut returns the beginning of a text, whole lines if there are any.
func cut(text string, maxChars int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if utf8.RuneCountInString(text) <= maxChars {
		return text
	}
	text = string([]rune(text)[:maxChars])
	if end := strings.LastIndexByte(text, '\n'); end > 0 {
		return text[:end+1]
	}
	return text
}
