package agent

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"whence/internal/text"
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
	Path      string   // the file that the tool has read or written
	MorePaths []string // further paths, of a patch
	Edits     []Edit   // changes that the tool has made to files
	Command   string   // the command line that the tool has run
	Content   string   // of PostToolUse: the text of the file that the tool has read, if the agent reports it
	Output    string   // of PostToolUse: what the command has printed, if the agent reports it
	Error     string   // of PostToolUseFailure
	Interrupt bool     // the user stopped the tool
	StopAgain bool     // of Stop: the agent goes on because a hook has blocked a stop

	Transcript    string // the file in which the agent records the session
	SubTranscript string // of SubagentStop: the same of the subagent
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
	Input     toolInput       `json:"tool_input"`
	Error     string          `json:"error"`
	Interrupt bool            `json:"is_interrupt"`
	StopAgain bool            `json:"stop_hook_active"`

	Transcript     string `json:"transcript_path"`
	TranscriptPath string `json:"transcriptPath"`
	SubTranscript  string `json:"agent_transcript_path"`
	Result         struct {
		Type string `json:"result_type"`
		Text string `json:"text_result_for_llm"`
	} `json:"tool_result"`
	Response struct {
		Output   string `json:"output"` // of OpenCode
		Metadata struct {
			Output  string `json:"output"`
			Exit    int    `json:"exit"`
			Exists  *bool  `json:"exists"` // the file that is written, before
			Display struct {
				Text string `json:"text"`
			} `json:"display"`
		} `json:"metadata"`
		Type   string `json:"type"`
		Text   string `json:"llmContent"` // of Gemini CLI
		Stdout string `json:"stdout"`
		Stderr string `json:"stderr"`
		File   struct {
			Content string `json:"content"`
		} `json:"file"`
	} `json:"tool_response"`
}

// toolInput is the input of the tools that matter.
type toolInput struct {
	FilePath     string `json:"file_path"`
	AbsolutePath string `json:"absolute_path"`
	Path         string `json:"path"`
	NotebookPath string `json:"notebook_path"`
	Command      string `json:"command"`
	FileName     string `json:"filePath"`  // of OpenCode
	Patch        string `json:"patchText"` // of OpenCode

	Old      string `json:"old_string"`
	New      string `json:"new_string"`
	OldStr   string `json:"old_str"`
	NewStr   string `json:"new_str"`
	OldText  string `json:"oldString"` // of OpenCode
	NewText  string `json:"newString"` // of OpenCode
	Content  string `json:"content"`
	FileText string `json:"file_text"`
	Edits    []struct {
		Old     string `json:"old_string"`
		New     string `json:"new_string"`
		OldText string `json:"oldString"`
		NewText string `json:"newString"`
	} `json:"edits"`
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
	in, err := decode(src, client)
	var field *json.UnmarshalTypeError
	if err != nil && (!errors.As(err, &field) || field.Field == "") {
		return e, fmt.Errorf("the event on standard input is no JSON object: %w", err)
	}
	e = Event{
		Name: client.Canonical(cmp.Or(in.Name, name)), Agent: client, Session: cmp.Or(in.Session, in.SessionID), Subagent: in.Subagent, Cwd: in.Cwd, Source: in.Source,
		Transcript: cmp.Or(in.Transcript, in.TranscriptPath), SubTranscript: in.SubTranscript,
		Prompt: promptText(in.Prompt), Tool: client.Tool(in.Tool), Error: in.Error, Interrupt: in.Interrupt, StopAgain: in.StopAgain,
		Path:    cmp.Or(in.Input.FilePath, in.Input.FileName, in.Input.AbsolutePath, in.Input.NotebookPath, in.Input.Path),
		Command: cmp.Or(in.Input.Command, in.Input.Patch),
	}
	if e.Tool == "Edit" && e.Path == "" {
		e.Edits = PatchEdits(e.Command)
	}
	if len(e.Edits) > 0 {
		for _, edit := range e.Edits[1:] {
			e.MorePaths = append(e.MorePaths, edit.Path)
		}
		e.Path, e.Command = e.Edits[0].Path, ""
	} else {
		e.Edits = in.edits(e)
	}
	if e.Name == PostToolUse && e.Tool == "Read" {
		e.Content = cmp.Or(in.Response.File.Content, in.Response.Metadata.Display.Text, in.Response.Text, in.Result.Text)
	}
	if client == Copilot && e.Source == "new" {
		e.Source = "startup"
	}
	if e.Name == PostToolUse {
		if failure := in.failure(e); failure != "" {
			e.Name, e.Error = PostToolUseFailure, failure
		} else if e.Tool == "Bash" {
			e.Output = in.output(client)
		}
	}
	return e, nil
}

// decode decodes an event. Codex's response of a tool is its output alone.
func decode(src []byte, client Client) (in wireEvent, err error) {
	if client != Codex {
		err = json.Unmarshal(src, &in)
		return in, err
	}
	var codex struct {
		wireEvent
		Output string `json:"tool_response"`
	}
	err = json.Unmarshal(src, &codex)
	in, in.Response.Stdout = codex.wireEvent, codex.Output
	return in, err
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

// The end of the output of failed commands, for agents that have no event for failures.
var (
	copilotExit = text.Lazy(`\n?<[^<>\n]* completed with exit code -?[1-9]\d*>\s*\z`)
	geminiExit  = text.Lazy(`(?m)^Exit Code: -?[1-9]\d*$`)
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
		if e.Tool == "Bash" && geminiExit().MatchString(in.Response.Text) {
			return in.Response.Text
		}
	case OpenCode:
		if status := in.Response.Metadata.Exit; e.Tool == "Bash" && status != 0 {
			return fmt.Sprintf("Exit code %d\n%s", status, in.Response.Metadata.Output)
		}
	}
	return ""
}

// promptText returns a prompt: a string, or the texts of a list of blocks.
func promptText(raw json.RawMessage) string {
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
	var texts []string
	for _, b := range blocks {
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}
