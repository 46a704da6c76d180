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

// Event is an event of an agent. Fields that it does not have are empty.
type Event struct {
	Name      string // as Claude Code calls it, see Names
	Agent     Client
	Imported  bool // the agent runs what is registered with another one
	Session   string
	Subagent  string // agent_id; "" is the main agent
	Cwd       string
	Source    string        // of SessionStart: startup, resume, clear, compact or fork
	Prompt    string        // of UserPromptSubmit
	Tool      string        // name of the tool, as Claude Code calls it
	Call      string        // the id of the call of the tool
	Path      string        // the file that the tool has read or written; of several, the first
	Edits     []Edit        // changes that the tool has made to files
	Command   string        // the command line that the tool has run
	Content   string        // of PostToolUse: the text of the file that the tool has read, if the agent reports it
	Output    string        // of PostToolUse: what the command has printed, if the agent reports it
	Error     string        // of PostToolUseFailure
	AsUse     bool          // of PostToolUseFailure: the agent reports it as a PostToolUse
	Interrupt bool          // the user stopped the tool
	Duration  time.Duration // of the call of a tool; 0: the agent does not report it
	StopAgain bool          // of Stop: the agent goes on because a hook has blocked a stop, or stops in any case

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

// maxEventBytes bounds what is kept of an event. The output of a tool may be longer, but comes after
// the fields that matter.
const maxEventBytes = 2 << 20

// maxCallMilliseconds bounds the duration of a call that is believed: a day.
const maxCallMilliseconds = 24 * 60 * 60 * 1000

// Read reads an event of an agent, up to the end of its JSON object: some agents leave the stream open.
// Fields that are unknown or have another type are ignored, and so is everything beyond the first two
// megabytes, which is read all the same, since the agent is writing it. If the event does not have a
// name, it is name. It may be an event of another agent, which runs what is registered with client.
func Read(r io.Reader, client Client, name string) (e Event, err error) {
	in, err := readFields(r)
	if err != nil {
		return e, fmt.Errorf("the event on standard input is no JSON object: %w", err)
	}
	if client == Claude && in.text("cursor_version") != "" {
		client = Cursor // which also runs what is registered with Claude Code
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
		Command: cmp.Or(input.text("command", "patchText", "input"), in.text("tool_input")), // of Copilot: a patch alone
	}
	if ms, _ := in["duration_ms"].(float64); ms > 0 && ms < maxCallMilliseconds {
		e.Duration = time.Duration(ms * float64(time.Millisecond))
	}
	if client == Copilot && e.Source == "new" || client == Cursor && e.Name == SessionStart {
		e.Source = "startup" // Cursor has no event when a session is resumed
	}
	if e.Tool == "Edit" && e.Path == "" {
		e.Edits = PatchEdits(e.Command)
		for _, part := range input.objects("replacements") { // of VS Code
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

// Fail makes the event after a tool that of its failure.
func (e *Event) Fail(failure string) {
	e.Name, e.Error, e.AsUse, e.Output = PostToolUseFailure, failure, true, ""
}

// fields are those of a JSON object. Agents call the same field by different names.
type fields map[string]any

// readFields reads the fields of an object; of one that is too long, those that are complete.
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

// readObject returns the beginning of a JSON object, at most maxEventBytes, and reads until the object is complete
// or the stream ends.
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

// objectEnd finds the end of the JSON object with which a stream begins.
type objectEnd struct {
	depth             int // of brackets
	inString, escaped bool
}

// passes reads the next bytes of the stream, and reports whether the object ends there, or there is none.
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
		case o.depth == 0 && b > ' ' && b < utf8.RuneSelf: // not a mark of byte order
			return true
		case b == '"':
			o.inString = true
		}
	}
	return false
}

// text returns the first of some fields that is a text and not empty.
func (f fields) text(names ...string) string {
	for _, name := range names {
		if text, _ := f[name].(string); text != "" {
			return text
		}
	}
	return ""
}

// object returns the fields of an object in a field; none if it is anything else.
func (f fields) object(name string) fields {
	inner, _ := f[name].(map[string]any)
	return inner
}

// objects returns the objects of a list in a field.
func (f fields) objects(name string) (all []fields) {
	list, _ := f[name].([]any)
	for _, element := range list {
		if inner, isObject := element.(map[string]any); isObject {
			all = append(all, inner)
		}
	}
	return all
}

// contentOf returns the text of the file that a tool has read, if the agent reports it.
func contentOf(in fields) string {
	response := in.object("tool_response")
	return cmp.Or(
		response.object("file").text("content"),
		response.object("metadata").object("display").text("text"), // of OpenCode
		response.text("llmContent"),                                // of Gemini CLI
		in.object("tool_result").text("text_result_for_llm"),       // of Copilot CLI
	)
}

// Edit is a change that a tool has made to one file, as far as the event reports it.
type Edit struct {
	Path     string
	Old, New string // the text before and after
	Created  bool   // the file is new
	Deleted  bool
}

// IsEdit reports whether a tool, as Claude Code calls it, changes a file.
func IsEdit(tool string) bool {
	return tool == "Edit" || tool == "MultiEdit" || tool == "Write" || tool == "NotebookEdit"
}

// editOf returns the change that a tool has made to the file of an event.
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
	edit.Created = e.Tool == "Write" && isNew // Copilot's tool refuses a file that exists
	return edit
}

// patchedFile matches the lines of a patch that name a file.
var patchedFile = lazyregexp.New(`^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$`)

// PatchEdits returns the changes of a patch in Codex's format, one a file.
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
			if strings.HasPrefix(line, "*** Move") && len(all) > 1 { // from the file before it
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
