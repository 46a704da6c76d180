package agent

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"whence/internal/lazyregexp"
)

// Event is an event of an agent. Fields that do not apply to it are empty.
type Event struct {
	Name      string // as in Claude Code, see Names
	Agent     Client
	Imported  bool // the agent runs a hook that is registered with another agent
	Session   string
	Subagent  string // agent_id; "": the main agent
	Cwd       string
	Source    string        // of SessionStart: startup, resume, clear, compact or fork
	Prompt    string        // of UserPromptSubmit
	Tool      string        // the name of the tool in Claude Code
	Call      string        // the id of the tool call
	Path      string        // the file that the tool read or wrote; of several, the first
	Edits     []Edit        // the changes that the tool made to files
	Command   string        // the command line that the tool ran
	Content   string        // of PostToolUse: the text of the file that the tool read, if the agent reports it
	Output    string        // of PostToolUse: the output of the command, if the agent reports it
	Error     string        // of PostToolUseFailure
	AsUse     bool          // of PostToolUseFailure: the agent reported it as a PostToolUse
	Interrupt bool          // the user stopped the tool
	Duration  time.Duration // of the tool call; 0: the agent does not report it
	StopAgain bool          // of Stop: a hook has already blocked a stop, or the agent stops whatever the reply

	Transcript    string // the file in which the agent records the session
	SubTranscript string // of SubagentStop: the transcript of the subagent
}

// The known events.
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

// Names lists the known events, in the order of a session.
var Names = []string{SessionStart, UserPromptSubmit, PostToolUse, PostToolUseFailure, Stop, SubagentStop, PreCompact, SessionEnd}

// maxEventBytes is the number of bytes that are kept of an event. The output of a tool may be longer, but comes after
// the fields that matter.
const maxEventBytes = 2 << 20

// maxCallMilliseconds is a day. Longer durations of tool calls are ignored as wrong.
const maxCallMilliseconds = 24 * 60 * 60 * 1000

// Read reads an event of an agent. It stops at the end of the JSON object, since some agents leave the stream open. It
// ignores fields that are unknown or have another type, and everything beyond maxEventBytes, which it still reads,
// since the agent is writing it. An event without a name gets the given name. The event may come from an agent other
// than client that runs hooks registered with client; e.Agent is the one that sent it.
func Read(r io.Reader, client Client, name string) (e Event, err error) {
	in, err := readFields(r)
	if err != nil {
		return e, fmt.Errorf("the event on standard input is no JSON object: %w", err)
	}
	if client == Claude && in.text("cursor_version") != "" {
		client = Cursor // it also runs hooks registered with Claude Code
	}
	if client == Cursor {
		in.fromCursor()
	}
	input := in.object("tool_input")
	e = Event{
		Name: client.Canonical(cmp.Or(in.text("hook_event_name"), name)), Agent: client,
		Session: in.text("session_id"), Subagent: in.text("agent_id"), Cwd: in.text("cwd"), Source: in.text("source"),
		Transcript: in.text("transcript_path"), SubTranscript: in.text("agent_transcript_path"),
		Prompt: in.text("prompt"), Tool: client.Tool(in.text("tool_name")), Call: in.text("tool_use_id"), Error: in.text("error"),
		Interrupt: in["is_interrupt"] == true, StopAgain: in["stop_hook_active"] == true,
		Path:    input.text("file_path", "filePath", "absolute_path", "notebook_path", "path"),
		Command: cmp.Or(input.text("command", "patchText", "input"), in.text("tool_input")), // in Copilot, tool_input may be a patch
	}
	if ms, _ := in["duration_ms"].(float64); ms > 0 && ms < maxCallMilliseconds {
		e.Duration = time.Duration(ms * float64(time.Millisecond))
	}
	if client == Copilot && e.Source == "new" || client == Cursor && e.Name == SessionStart {
		e.Source = "startup" // Cursor sends no event when a session is resumed
	}
	if e.Tool == "Edit" && e.Path == "" {
		e.Edits = PatchEdits(e.Command)
		for _, part := range input.objects("replacements") { // VS Code
			e.Edits = append(e.Edits, Edit{Path: part.text("filePath"), Old: part.text("oldString"), New: part.text("newString")})
		}
	}
	if len(e.Edits) > 0 {
		e.Path, e.Command = e.Edits[0].Path, ""
	} else if IsEdit(e.Tool) && e.Path != "" {
		e.Edits = []Edit{editOf(in, e)}
	}
	if e.Name != PostToolUse {
		return e, nil
	}
	output, failure := client.profile().output(in, e.Tool == "Bash")
	if failure != "" {
		e.Fail(failure)
		return e, nil
	}
	switch e.Tool {
	case "Read":
		e.Content = contentOf(in)
	case "Bash":
		e.Output = output
	}
	return e, nil
}

// Fail turns a PostToolUse into a PostToolUseFailure.
func (e *Event) Fail(failure string) {
	e.Name, e.Error, e.AsUse, e.Output = PostToolUseFailure, failure, true, ""
}

// fields holds the fields of a JSON object. Agents have different names for the same field.
type fields map[string]any

// readFields reads the fields of an object. If the object is longer than maxEventBytes, it returns those that are
// complete.
func readFields(r io.Reader) (fields, error) {
	src, err := readObject(r)
	if err != nil {
		return nil, err
	}
	in := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(src, byteOrderMark)))
	if begin, err := in.Token(); err != nil || begin != json.Delim('{') {
		return nil, cmp.Or(err, errors.New("it does not begin with {"))
	}
	all := fields{}
	for err == nil && in.More() {
		var name json.Token
		var value any
		if name, err = in.Token(); err == nil {
			err = in.Decode(&value)
		}
		if err == nil {
			all[fmt.Sprint(name)] = value
		}
	}
	if err == nil {
		_, err = in.Token() // the end of the object
	}
	if err != nil && len(src) < maxEventBytes {
		return nil, err
	}
	return all, nil
}

// readObject reads a JSON object until it is complete or the stream ends, and returns its first maxEventBytes.
func readObject(r io.Reader) (src []byte, err error) {
	chunk := make([]byte, 32<<10)
	var end objectEnd
	for complete := false; !complete && err == nil; {
		var n int
		n, err = r.Read(chunk)
		complete = end.passes(chunk[:n])
		src = append(src, chunk[:min(n, maxEventBytes-len(src))]...)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return src, err
}

// objectEnd finds the end of the JSON object that a stream begins with.
type objectEnd struct {
	depth             int // of brackets
	inString, escaped bool
}

// passes takes the next bytes of the stream. It reports whether the object ends in them, or the stream has no object.
func (o *objectEnd) passes(next []byte) bool {
	for _, b := range next {
		switch {
		case o.escaped:
			o.escaped = false
		case o.inString:
			o.escaped, o.inString = b == '\\', b != '"'
		case b == '{', b == '[':
			o.depth++
		case b == '}', b == ']':
			if o.depth--; o.depth <= 0 {
				return true
			}
		case o.depth == 0 && b > ' ' && b < utf8.RuneSelf: // not part of a byte-order mark
			return true
		case b == '"':
			o.inString = true
		}
	}
	return false
}

// text returns the first of some fields that is a string and not empty; "" if none is.
func (f fields) text(names ...string) string {
	for _, name := range names {
		if text, _ := f[name].(string); text != "" {
			return text
		}
	}
	return ""
}

// object returns the fields of the object in a field; none if the field holds anything else.
func (f fields) object(name string) fields {
	inner, _ := f[name].(map[string]any)
	return inner
}

// objects returns the objects in the list in a field.
func (f fields) objects(name string) (all []fields) {
	list, _ := f[name].([]any)
	for _, element := range list {
		if inner, isObject := element.(map[string]any); isObject {
			all = append(all, inner)
		}
	}
	return all
}

// contentOf returns the text of the file that a tool read, if the agent reports it.
func contentOf(in fields) string {
	response := in.object("tool_response")
	return cmp.Or(
		response.object("file").text("content"),
		response.object("metadata").object("display").text("text"), // OpenCode
		response.text("llmContent"),                                // Gemini CLI
		in.object("tool_result").text("text_result_for_llm"),       // Copilot CLI
	)
}

// Edit is a change that a tool made to one file, as far as the event reports it.
type Edit struct {
	Path     string
	Old, New string // the replaced text and the new one
	Created  bool   // the file is new
	Deleted  bool
}

// IsEdit reports whether a tool, named as in Claude Code, changes a file.
func IsEdit(tool string) bool {
	return tool == "Edit" || tool == "MultiEdit" || tool == "Write" || tool == "NotebookEdit"
}

// editOf returns the change that a tool made to the file of an event.
func editOf(in fields, e Event) Edit {
	input, response := in.object("tool_input"), in.object("tool_response")
	before := []string{"old_string", "old_str", "oldString"}
	after := []string{"new_string", "new_str", "newString"}
	edit := Edit{Path: e.Path, Old: input.text(before...), New: input.text(append(after, "content", "file_text", "code")...)}
	for _, part := range input.objects("edits") {
		edit.Old += part.text(before...) + "\n"
		edit.New += part.text(after...) + "\n"
	}
	isNew := e.Agent == Copilot || response.text("type") == "create" || strings.HasPrefix(response.text("llmContent"), "Successfully created") ||
		response.object("metadata")["exists"] == false
	edit.Created = e.Tool == "Write" && isNew // Copilot's tool refuses existing files
	return edit
}

// patchedFile matches the lines of a patch that name a file.
var patchedFile = lazyregexp.New(`^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$`)

// PatchEdits returns the changes in a patch in Codex's format, one for each file.
func PatchEdits(patch string) (all []Edit) {
	if !strings.Contains(patch, "*** ") {
		return nil
	}
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		if m := patchedFile().FindStringSubmatch(line); m != nil {
			all = append(all, Edit{
				Path: m[1], Created: strings.HasPrefix(line, "*** Add"), Deleted: strings.HasPrefix(line, "*** Delete"),
			})
			if strings.HasPrefix(line, "*** Move") && len(all) > 1 { // the file named before it is moved
				all[len(all)-1].Created, all[len(all)-2].Deleted = true, true
			}
			continue
		}
		if len(all) == 0 || line == "" {
			continue
		}
		switch last := &all[len(all)-1]; line[0] {
		case '-':
			last.Old += line[1:] + "\n"
		case '+':
			last.New += line[1:] + "\n"
		}
	}
	return all
}
