package agent

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
)

// Event is an event of an agent. Fields that it does not have are empty.
type Event struct {
	Name      string // as Claude Code calls it, see Names
	Agent     Client
	Session   string
	Subagent  string // agent_id; "" is the main agent
	Cwd       string
	Source    string   // of SessionStart: startup, resume, clear, compact or fork
	Prompt    string   // of UserPromptSubmit
	Tool      string   // name of the tool, as Claude Code calls it
	Path      string   // that the tool has read or written
	MorePaths []string // further paths, of a patch
	Edits     []Edit   // what a tool has done to files
	Command   string   // that the tool has run
	Content   string   // of PostToolUse: what was in the file that the tool has read, as far as the agent says
	Error     string   // of PostToolUseFailure
	Interrupt bool     // the user stopped the tool
	StopAgain bool     // of Stop: the agent goes on because a hook has stopped it from stopping

	Transcript    string // where the agent writes what is said in the session
	SubTranscript string // of SubagentStop: the same of the subagent
	Answer        string // of Stop and SubagentStop: what the agent has said last
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

// maxEventBytes bounds what is read of an event. The output of a tool may be longer, but comes after
// the fields that matter.
const maxEventBytes = 2 << 20

// wireEvent is an event as agents write it.
type wireEvent struct {
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

	Transcript     string `json:"transcript_path"`
	TranscriptPath string `json:"transcriptPath"`
	SubTranscript  string `json:"agent_transcript_path"`
	AgentType      string `json:"agent_type"`
	Answer         string `json:"last_assistant_message"`
	PromptResponse string `json:"prompt_response"`
	Result         struct {
		Type string `json:"result_type"`
		Text string `json:"text_result_for_llm"`
	} `json:"tool_result"`
	Response json.RawMessage `json:"tool_response"`
}

// toolInput is the input of the tools that matter.
type toolInput struct {
	FilePath     string `json:"file_path"`
	AbsolutePath string `json:"absolute_path"`
	Path         string `json:"path"`
	NotebookPath string `json:"notebook_path"`
	Command      string `json:"command"`
}

// Read reads an event of an agent. Fields that are unknown or have another type are ignored, and so
// is everything beyond the first two megabytes. If the event does not have a name, it is name.
func Read(r io.Reader, client Client, name string) (e Event, err error) {
	src, err := io.ReadAll(io.LimitReader(r, maxEventBytes))
	if err != nil {
		return e, err
	}
	isCut := len(src) == maxEventBytes
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if isCut {
		src = completeFields(src)
	}
	var in wireEvent
	var field *json.UnmarshalTypeError
	if err := json.Unmarshal(src, &in); err != nil && (!errors.As(err, &field) || field.Field == "") {
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
		Transcript: cmp.Or(in.Transcript, in.TranscriptPath), SubTranscript: in.SubTranscript, Answer: cmp.Or(in.Answer, in.PromptResponse),
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
	if paths := patchedPaths(e.Command); e.Tool == "Edit" && e.Path == "" && len(paths) > 0 {
		e.Edits = patchEdits(e.Command)
		e.Path, e.MorePaths, e.Command = paths[0], paths[1:], ""
	} else {
		e.Edits = in.edits(e)
	}
	if e.Name == PostToolUse && e.Tool == "Read" {
		e.Content = in.content()
	}
	if e.Name == SubagentStop && in.AgentType == "" { // of a compaction: its summary
		e.Answer = ""
	}
	if client == Copilot && e.Source == "new" {
		e.Source = "startup"
	}
	if e.Name == PostToolUse {
		if failure := in.failure(e); failure != "" {
			e.Name, e.Error = PostToolUseFailure, failure
		}
	}
	return e, nil
}

// completeFields returns an object with the complete fields of one that was cut off.
func completeFields(src []byte) []byte {
	in := json.NewDecoder(bytes.NewReader(src))
	if begin, err := in.Token(); err != nil || begin != json.Delim('{') {
		return src
	}
	fields := map[string]json.RawMessage{}
	for in.More() {
		key, err := in.Token()
		name, isKey := key.(string)
		if err != nil || !isKey {
			break
		}
		var value json.RawMessage
		if in.Decode(&value) != nil {
			break
		}
		fields[name] = value
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return src
	}
	return out
}

// patchedFile matches the lines of a patch that name a file.
var patchedFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$`)
})

// patchedPaths returns the files of a patch in Codex's format.
func patchedPaths(patch string) (paths []string) {
	if !strings.Contains(patch, "*** ") {
		return nil
	}
	for _, m := range patchedFile().FindAllStringSubmatch(patch, -1) {
		paths = append(paths, m[1])
	}
	return paths
}

// The end of the output of failed commands, for agents that have no event for failures.
var (
	copilotExit = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\n?<[^<>\n]* completed with exit code -?[1-9]\d*>\s*\z`)
	})
	geminiExit = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^Exit Code: -?[1-9]\d*$`) })
)

// failure returns the output of a tool that has failed if the event does not say so; "" if the tool
// has succeeded, or it is not known.
func (in *wireEvent) failure(e Event) string {
	switch e.Agent {
	case Copilot:
		if in.Result.Type == "failure" || e.Tool == "Bash" && copilotExit().MatchString(in.Result.Text) {
			return in.Result.Text
		}
	case Gemini:
		var response struct {
			Text string `json:"llmContent"`
		}
		if e.Tool == "Bash" && json.Unmarshal(in.Response, &response) == nil && geminiExit().MatchString(response.Text) {
			return response.Text
		}
	}
	return ""
}

// content returns the text of a file that was read; "" for an image, or if it is not known.
func (in *wireEvent) content() string {
	var response struct {
		File struct {
			Content string `json:"content"`
		} `json:"file"`
		Text string `json:"llmContent"`
	}
	_ = json.Unmarshal(in.Response, &response) // of other agents it is a string
	return cmp.Or(response.File.Content, response.Text, in.Result.Text)
}

// text returns a prompt: a string, or the texts of a list of blocks.
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
