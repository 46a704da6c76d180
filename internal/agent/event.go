package agent

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Event is what an agent tells a hook. Fields that an event does not have are empty.
type Event struct {
	Name      string // as Claude Code calls it, see Names
	Agent     Client
	Session   string
	Subagent  string // agent_id; "" is the main agent
	Cwd       string
	Source    string // of SessionStart: startup, resume, clear, compact or fork
	Prompt    string // of UserPromptSubmit
	Tool      string // name of the tool, as Claude Code calls it
	Path      string // that the tool has read or written
	Command   string // that the tool has run
	Error     string // of PostToolUseFailure
	Interrupt bool   // the user stopped the tool
	StopAgain bool   // of Stop: the agent goes on because a hook has stopped it from stopping
}

// The events that are known.
const (
	SessionStart       = "SessionStart"
	UserPromptSubmit   = "UserPromptSubmit"
	PostToolUse        = "PostToolUse"
	PostToolUseFailure = "PostToolUseFailure"
	Stop               = "Stop"
	SubagentStop       = "SubagentStop"
	SessionEnd         = "SessionEnd"
	PreCompact         = "PreCompact"
)

// Names are the events that are known, in the order of a session.
var Names = []string{SessionStart, UserPromptSubmit, PostToolUse, PostToolUseFailure, Stop, SubagentStop, PreCompact, SessionEnd}

// longestEvent is how many bytes of an event are read.
const longestEvent = 64 << 20

// record is an event as agents write it.
type record struct {
	Name      string          `json:"hook_event_name"`
	Session   string          `json:"session_id"`
	SessionID string          `json:"sessionId"`
	Subagent  string          `json:"agent_id"`
	Cwd       string          `json:"cwd"`
	Source    string          `json:"source"`
	Prompt    json.RawMessage `json:"prompt"`
	Tool      string          `json:"tool_name"`
	Input     json.RawMessage `json:"tool_input"`
	Error     string          `json:"error"`
	Interrupt bool            `json:"is_interrupt"`
	StopAgain bool            `json:"stop_hook_active"`
	Result    struct {
		Type string `json:"result_type"`
		Text string `json:"text_result_for_llm"`
	} `json:"tool_result"`
}

// toolInput is what the tools that matter are given.
type toolInput struct {
	FilePath     string `json:"file_path"`
	AbsolutePath string `json:"absolute_path"`
	Path         string `json:"path"`
	NotebookPath string `json:"notebook_path"`
	Command      string `json:"command"`
}

// Read reads an event of an agent. Fields that are not known, or not as expected, are
// passed over; name is used where the event does not tell its own.
func Read(r io.Reader, client Client, name string) (e Event, err error) {
	src, err := io.ReadAll(io.LimitReader(r, longestEvent))
	if err != nil {
		return e, err
	}
	var in record
	if err := json.Unmarshal(src, &in); err != nil && (in.Session == "" || !json.Valid(src)) {
		return e, fmt.Errorf("the event on standard input is no JSON object: %w", err)
	}
	if in.Name == "" {
		in.Name = name
	}
	if in.Session == "" {
		in.Session = in.SessionID
	}
	e = Event{
		Name: client.Canonical(in.Name), Agent: client, Session: in.Session, Subagent: in.Subagent, Cwd: in.Cwd, Source: in.Source,
		Prompt: text(in.Prompt), Tool: client.tool(in.Tool), Error: in.Error, Interrupt: in.Interrupt, StopAgain: in.StopAgain,
	}
	var input toolInput
	_ = json.Unmarshal(in.Input, &input) // another tool's input has other fields
	for _, path := range []string{input.FilePath, input.AbsolutePath, input.NotebookPath, input.Path} {
		if e.Path == "" {
			e.Path = path
		}
	}
	e.Command = input.Command
	if client == Copilot && e.Source == "new" {
		e.Source = "startup"
	}
	if e.Name == PostToolUse && in.Result.Type == "failure" {
		e.Name, e.Error = PostToolUseFailure, in.Result.Text
	}
	return e, nil
}

// text is a prompt: a string, or the texts of a list of blocks.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return ""
	}
	var parts []string
	for _, b := range blocks {
		if b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}
