package transcript

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/v1"

	"whence/internal/agent"
	"whence/internal/text"
)

// codexLine is a line of a rollout of Codex.
type codexLine struct {
	Type    string       `json:"type"`
	Time    string       `json:"timestamp"`
	Payload codexPayload `json:"payload"`
	Meta    struct {
		Compaction bool `json:"compaction_output"` // a summary for a compaction
	} `json:"metadata"`
}

// codexPayload has the fields of all kinds of lines that are read.
type codexPayload struct {
	Type string `json:"type"`
	ID   string `json:"id"`

	// Of session_meta and turn_context.
	Session string          `json:"session_id"`
	Cwd     string          `json:"cwd"`
	Source  json.RawMessage `json:"source"` // an object for a subagent

	// Of messages and of uses and results of tools.
	Role      string          `json:"role"`
	Content   []codexText     `json:"content"`
	Name      string          `json:"name"`
	Namespace string          `json:"namespace"`
	Call      string          `json:"call_id"`
	Arguments string          `json:"arguments"` // JSON
	Input     string          `json:"input"`     // of a patch
	Action    codexArguments  `json:"action"`    // of local_shell_call
	Output    json.RawMessage `json:"output"`

	// Of events.
	Message string `json:"message"`
	Reason  string `json:"reason"`
	Item    struct {
		Type    string      `json:"type"`
		ID      string      `json:"id"`
		Content []codexText `json:"content"`
	} `json:"item"`
}

type codexText struct{ Type, Text string }

// codexArguments are the arguments of its tools.
type codexArguments struct {
	Cmd     string          `json:"cmd"`
	Command json.RawMessage `json:"command"` // a text or a list
	Path    string          `json:"path"`
	Query   string          `json:"query"`
}

// parseCodex reads a line of a rollout. The user's words are in events alone: messages in the user's
// name are also the agent's own.
func parseCodex(src []byte, c *carried) []Record {
	var in codexLine
	if decode(src, &in) != nil {
		return nil
	}
	p := &in.Payload
	r := Record{UUID: clean(p.ID), At: parseTime(in.Time), Summary: in.Meta.Compaction}
	switch in.Type {
	case "session_meta":
		*c = carried{Session: cmp.Or(p.ID, p.Session), Cwd: p.Cwd, Event: agent.SessionStart}
		if len(p.Source) > 0 && p.Source[0] == '{' {
			c.Session, c.Sidechain = cmp.Or(p.Session, p.ID), true
		}
		return nil
	case "turn_context":
		c.Cwd = cmp.Or(p.Cwd, c.Cwd)
		return nil
	case "response_item":
		return p.item(r, c)
	case "event_msg":
		return p.event(r, c)
	}
	return nil
}

// item returns the record of a message, or of the use or result of a tool.
func (p *codexPayload) item(r Record, c *carried) []Record {
	switch p.Type {
	case "message":
		r.Type = Assistant
		switch p.Role {
		case "assistant":
			r.Blocks = texts(p.Content)
			if len(r.Blocks) > 0 && r.UUID != "" { // some servers reuse their ids
				r.UUID += "-" + hashOf([]byte(r.Blocks[0].Text))
			}
		case "developer": // what hooks inject, and instructions
			var all []string
			for _, t := range p.Content {
				all = append(all, t.Text)
			}
			text := clean(strings.Join(all, "\n"))
			if !isInjected(text) {
				return nil
			}
			r.Type, r.Hook = Attachment, Hook{Event: eventOf(text, c.Event), Text: text}
		default:
			return nil
		}
	case "function_call", "custom_tool_call", "local_shell_call":
		r.Type, r.Blocks = Assistant, []Block{p.use()}
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		c.Event = agent.PostToolUse
		r.Type, r.Blocks = User, []Block{p.result()}
	default:
		return nil
	}
	return []Record{r}
}

// event returns the record of a prompt or of an interrupt.
func (p *codexPayload) event(r Record, c *carried) []Record {
	switch p.Type {
	case "user_message": // before items had events
		r.Type, r.Blocks = User, []Block{{Kind: Text, Text: clean(p.Message)}}
	case "item_completed":
		if p.Item.Type != "UserMessage" {
			return nil
		}
		r.UUID, r.Type, r.Blocks = clean(p.Item.ID), User, texts(p.Item.Content)
	case "turn_aborted":
		if p.Reason != "interrupted" {
			return nil
		}
		r.Type, r.Blocks = User, []Block{{Kind: Text, Text: interrupted}}
	default:
		return nil
	}
	c.Event = agent.UserPromptSubmit
	return []Record{r}
}

// use returns the use of a tool.
func (p *codexPayload) use() Block {
	b := Block{Kind: Use, Tool: clean(cmp.Or(p.Call, p.ID)), Name: agent.Codex.Tool(clean(p.Name))}
	if p.Namespace != "" {
		b.Name = clean(p.Namespace + "__" + p.Name)
	}
	in := p.Action
	_ = decode([]byte(p.Arguments), &in)
	b.Input = Input{Command: clean(cmp.Or(in.Cmd, commandOf(in.Command))), Path: clean(in.Path), Query: clean(in.Query)}
	if p.Type == "local_shell_call" {
		b.Name = "Bash"
	}
	if b.Name == "Edit" {
		patch := cmp.Or(p.Input, b.Input.Command)
		b.Input.Command = ""
		for _, edit := range agent.PatchEdits(clean(patch)) {
			b.Input.Path = cmp.Or(b.Input.Path, edit.Path)
			b.Input.Written += edit.New
		}
	}
	return b
}

// commandOf returns a command line, which may be a list of words that runs a shell.
func commandOf(src json.RawMessage) string {
	var line string
	if json.Unmarshal(src, &line) == nil {
		return line
	}
	var words []string
	_ = json.Unmarshal(src, &words)
	if len(words) == 3 && (words[1] == "-lc" || words[1] == "-c") {
		return words[2]
	}
	return strings.Join(words, " ")
}

// codexExit matches the exit status in what Codex writes before the output of a command, in this
// version and in older ones.
var codexExit = text.Lazy(`\A(?:.*\n){0,4}?(?:Process exited with code|Exit code:) (-?\d+)\n`)

// result returns the result of a tool: a text, a list of texts, or either in an object.
func (p *codexPayload) result() Block {
	var output answer
	var in struct {
		Content  answer `json:"content"`
		Output   answer `json:"output"`
		Metadata struct {
			Exit int `json:"exit_code"`
		} `json:"metadata"`
		Success *bool `json:"success"`
	}
	_ = decode(p.Output, &output)
	src := []byte(p.Output)
	if len(output) == 1 && strings.HasPrefix(output[0], `{"output":`) { // JSON in a text, in old versions
		src = []byte(output[0])
	}
	if len(src) > 0 && src[0] == '{' && decode(src, &in) == nil {
		output = append(in.Content, in.Output...)
	}
	text := strings.Join(output, "\n")
	b := Block{Kind: Result, Tool: clean(p.Call), Text: text, Error: in.Success != nil && !*in.Success}
	status := strconv.Itoa(in.Metadata.Exit)
	if m := codexExit().FindStringSubmatchIndex(text); m != nil {
		status = text[m[2]:m[3]]
		text = text[m[1]:]
	}
	if head, after, found := strings.Cut(text, "Output:\n"); found && strings.Count(head, "\n") < 4 {
		text = after
	}
	return b.finished(status, text)
}

// texts returns a block for each text.
func texts(all []codexText) (blocks []Block) {
	for i, t := range all {
		if t.Text != "" {
			blocks = append(blocks, Block{Kind: Text, Index: i, Text: clean(t.Text)})
		}
	}
	return blocks
}
