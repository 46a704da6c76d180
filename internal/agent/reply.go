package agent

import (
	"encoding/json"
	"io"
	"strings"

	"whence/internal/inert"
	"whence/internal/words"
)

// maxContextChars is the maximum length of a text that agents show in full. Of a longer one they show only the
// beginning.
const maxContextChars = 10_000

// Reply is the reply to an event. The zero value means no reply.
type Reply struct {
	Context string // for the model
	Notice  string // for the user, on one line
	Block   string // why the agent must not stop yet; only for Stop
}

// output is a reply in the form that agents read.
type output struct {
	Decision string          `json:"decision,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Context  string          `json:"additionalContext,omitempty"`
	Specific *specificOutput `json:"hookSpecificOutput,omitempty"`
	Notice   string          `json:"systemMessage,omitempty"`

	// Only in Cursor.
	Continue bool   `json:"continue,omitempty"`
	Added    string `json:"additional_context,omitempty"`
	Followup string `json:"followup_message,omitempty"`
}

type specificOutput struct {
	Event    string `json:"hookEventName"`
	Context  string `json:"additionalContext,omitempty"`
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// Write writes a reply to an event in the format of its agent. It writes nothing if the event has no replies, or the
// reply is empty. Every text passes through shown.
func (r Reply) Write(w io.Writer, e Event) error {
	var out output
	if !e.Agent.ShowsNotices() {
		r.Notice = ""
	}
	switch e.Name {
	case SessionStart, UserPromptSubmit, PostToolUse, PostToolUseFailure:
		context := shown(r.Context)
		if context == "" && r.Notice == "" {
			return nil
		}
		name := e.Name
		if e.AsUse {
			name = PostToolUse
		}
		if e.Agent == Cursor {
			out.Added, out.Continue = context, e.Name == UserPromptSubmit
		} else if context != "" {
			out.Specific = &specificOutput{Event: e.Agent.NativeEvent(name), Context: context}
		}
		if e.Agent == Copilot {
			out.Context = context
		}
		out.Notice = shown(r.Notice)
	case Stop:
		if r.Block == "" || e.StopAgain {
			return nil
		}
		out.Decision, out.Reason = "block", shown(r.Block)
		if e.Agent == Copilot && !e.Imported { // VS Code reads this; it makes Claude Code 2.0.76 refuse the whole reply
			out.Specific = &specificOutput{Event: Stop, Decision: out.Decision, Reason: out.Reason}
		} else if e.Agent == Cursor {
			out = output{Followup: out.Reason}
		}
	default:
		return nil
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}

// shown returns a text in the form in which an agent gets it: inert, whatever a handler has put into it. Of a text
// that is too long it returns the beginning, in whole lines if possible.
func shown(reply string) string {
	reply = inert.Text(reply, Markup...)
	first := words.FirstChars(reply, maxContextChars)
	if end := strings.LastIndexByte(first, '\n'); end > 0 && first != reply {
		return first[:end+1]
	}
	return first
}
