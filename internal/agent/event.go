package agent

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Event is what an agent tells a hook.
type Event struct {
	Name    string `json:"hook_event_name"`
	Session string `json:"session_id"`
	Cwd     string `json:"cwd"`
	Source  string `json:"source"` // of SessionStart: startup, resume, clear, compact or fork
}

// longestEvent is how many bytes of an event are read.
const longestEvent = 64 << 20

// Read reads an event. Fields that it does not know are passed over.
func Read(r io.Reader) (e Event, err error) {
	src, err := io.ReadAll(io.LimitReader(r, longestEvent))
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(src, &e); err != nil {
		return e, fmt.Errorf("the event on standard input is no JSON object: %w", err)
	}
	return e, nil
}

// LongestContext is how many characters an agent takes of one reply; of a longer one it
// shows the beginning alone.
const LongestContext = 10000

// WriteContext replies with a text for the agent. An empty text is no reply. A text that
// is too long is cut at the end of a line.
func WriteContext(w io.Writer, event, text string) error {
	if text == "" {
		return nil
	}
	var reply struct {
		Output struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	reply.Output.Event, reply.Output.Context = event, cut(text, LongestContext)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(reply)
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
