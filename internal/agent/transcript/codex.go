package transcript

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/v1"

	"whence/internal/agent"
	"whence/internal/lazyregexp"
)

// codexLine is a line of a rollout, a transcript of Codex.
type codexLine struct {
	Type    string       `json:"type"`
	Time    string       `json:"timestamp"`
	Payload codexPayload `json:"payload"`
	Meta    struct {
		Compaction bool `json:"compaction_output"` // the line is a summary for a compaction
	} `json:"metadata"`
}

// codexPayload has the fields, of all kinds of lines, that are read.
type codexPayload struct {
	Type string `json:"type"`
	ID   string `json:"id"`

	// Of session_meta and turn_context.
	Session string          `json:"session_id"`
	Cwd     string          `json:"cwd"`
	Source  json.RawMessage `json:"source"` // an object for a subagent

	// Of messages, and of tool calls and their results.
	Role      string `json:"role"`
	Content   answer `json:"content"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	Call      string `json:"call_id"`
	Arguments string `json:"arguments"` // JSON
	Input     string `json:"input"`     // a patch
	Output    answer `json:"output"`

	// Of events.
	Message string `json:"message"`
	Reason  string `json:"reason"`
	Item    struct {
		Type    string `json:"type"`
		ID      string `json:"id"`
		Content answer `json:"content"`
		Exit    int    `json:"exit_code"`
		Printed string `json:"aggregated_output"`
	} `json:"item"`
}

// codexArguments holds the arguments of Codex's tools.
type codexArguments struct {
	Cmd     string `json:"cmd"`
	Command string `json:"command"`
	Path    string `json:"path"`
	Query   string `json:"query"`
}

// parseCodex reads a line of a rollout. It takes the user's words only from events, since messages in the user's name
// may be the agent's own.
func parseCodex(src []byte, c *carried) []Record {
	var in codexLine
	if decode(src, &in) != nil {
		return nil
	}
	p := &in.Payload
	r := Record{UUID: p.ID, At: parseTime(in.Time), Summary: in.Meta.Compaction}
	switch in.Type {
	case "session_meta":
		*c = carried{Session: cmp.Or(p.ID, p.Session), Cwd: p.Cwd}
		if len(p.Source) > 0 && p.Source[0] == '{' {
			c.Session, c.Sidechain = cmp.Or(p.Session, p.ID), true
		}
		return nil
	case "turn_context":
		c.Cwd = cmp.Or(p.Cwd, c.Cwd)
		return nil
	case "response_item":
		return p.item(r)
	case "event_msg":
		return p.event(r)
	}
	return nil
}

// item returns the record of a message, of a tool call or of its result.
func (p *codexPayload) item(r Record) []Record {
	switch p.Type {
	case "message":
		r.Type = Assistant
		switch p.Role {
		case "assistant":
			r.Blocks = texts(p.Content)
			if len(r.Blocks) > 0 && r.UUID != "" { // some servers reuse ids
				r.UUID += "-" + hashOf([]byte(r.Blocks[0].Text))
			}
		case "developer": // texts injected by hooks, and instructions
			text := strings.Join(p.Content, "\n")
			if !isInjected(text) {
				return nil
			}
			r.Type, r.Injected = Attachment, text
		default:
			return nil
		}
	case "function_call", "custom_tool_call":
		r.Type, r.Blocks = Assistant, []Block{p.use()}
	case "function_call_output", "custom_tool_call_output":
		r.Type, r.Blocks = User, []Block{p.result()}
	default:
		return nil
	}
	return []Record{r}
}

// event returns the record of a prompt or of an interrupt.
func (p *codexPayload) event(r Record) []Record {
	switch p.Type {
	case "user_message": // in old versions, which have no events for items
		r.Type, r.Blocks = User, []Block{{Kind: Text, Text: p.Message}}
	case "item_completed":
		if p.Item.Type != "UserMessage" {
			return nil
		}
		r.UUID, r.Type, r.Blocks = p.Item.ID, User, texts(p.Item.Content)
	case "turn_aborted":
		if p.Reason != "interrupted" {
			return nil
		}
		r.Type, r.Blocks = User, []Block{{Kind: Text, Text: agent.Interrupted}}
	default:
		return nil
	}
	return []Record{r}
}

// maxNewestBytes is the length of the end of a rollout in which the record of a call is looked for. Codex records at
// most 64 KiB of an output; in JSON, each byte may take six.
const maxNewestBytes = 512 << 10

// CodexFailure returns the exit status and the output of the failed command with a call id; "" if it has passed, or if
// the end of the rollout has no record of it. Codex gives neither to hooks, but writes the record before it runs them.
func CodexFailure(src io.ReaderAt, size int64, call string) string {
	newest := make([]byte, min(size, maxNewestBytes))
	n, _ := src.ReadAt(newest, size-int64(len(newest)))
	for line := range bytes.Lines(newest[:n]) {
		var in codexLine
		if !bytes.Contains(line, []byte(`"`+call+`"`)) || decode(line, &in) != nil || in.Payload.Type != "item_completed" {
			continue
		}
		if item := &in.Payload.Item; item.Type == "CommandExecution" && item.ID == call && item.Exit != 0 {
			return fmt.Sprintf("Exit code %d\n%s", item.Exit, item.Printed)
		}
	}
	return ""
}

// use returns the block of a tool call.
func (p *codexPayload) use() Block {
	b := Block{Kind: Use, Tool: p.Call, Name: agent.Codex.Tool(p.Name)}
	if p.Namespace != "" {
		b.Name = p.Namespace + "__" + p.Name
	}
	var in codexArguments
	_ = decode([]byte(p.Arguments), &in)
	b.Input = Input{Command: cmp.Or(in.Cmd, in.Command), Path: in.Path, Query: in.Query}
	if b.Name == "Edit" {
		b.Input = patchInput(cmp.Or(p.Input, b.Input.Command))
	}
	return b
}

// codexExit matches the lines up to the exit status that Codex writes before the output of a command or of a patch.
var codexExit = lazyregexp.New(`\A(?:.*\n){0,4}?(?:Process exited with code|Exit code:) (-?\d+)\n`)

// result returns the block of a tool's result.
func (p *codexPayload) result() Block {
	b := Block{Kind: Result, Tool: p.Call}
	output, status := strings.Join(p.Output, "\n"), "0"
	if m := codexExit().FindStringSubmatchIndex(output); m != nil {
		output, status = output[m[1]:], output[m[2]:m[3]]
	}
	if head, after, found := strings.Cut(output, "Output:\n"); found && strings.Count(head, "\n") < 4 {
		output = after
	}
	return b.finished(status, output)
}

// texts returns a block for each text that is not empty.
func texts(all []string) (blocks []Block) {
	for i, text := range all {
		if text != "" {
			blocks = append(blocks, Block{Kind: Text, Index: i, Text: text})
		}
	}
	return blocks
}
