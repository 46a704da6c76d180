package agent

import (
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"
)

// MaxContextChars is how many characters an agent takes of one reply; of a longer one it
// shows the beginning alone.
const MaxContextChars = 10000

// Reply is what an agent is told. The zero value tells nothing.
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

// Write writes a reply to an event, in the shape that its agent takes. What an event has
// no reply for is left out; no reply writes nothing. A text that is too long is cut at
// the end of a line.
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

// cut is the beginning of a text, whole lines if there are any.
func cut(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	text = string([]rune(text)[:most])
	if end := strings.LastIndexByte(text, '\n'); end > 0 {
		return text[:end+1]
	}
	return text
}
