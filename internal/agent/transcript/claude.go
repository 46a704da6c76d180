package transcript

import (
	"strings"

	"whence/internal/agent"
)

// claudeLine is a line in a transcript of Claude Code.
type claudeLine struct {
	UUID       string  `json:"uuid"`
	Session    string  `json:"sessionId"`
	Type       string  `json:"type"`
	Version    string  `json:"version"` // of Claude Code
	Time       string  `json:"timestamp"`
	Cwd        string  `json:"cwd"`
	Meta       bool    `json:"isMeta"`
	Sidechain  bool    `json:"isSidechain"`
	Summary    bool    `json:"isCompactSummary"`
	OnlyShown  bool    `json:"isVisibleInTranscriptOnly"`
	APIError   bool    `json:"isApiErrorMessage"`
	Message    message `json:"message"`
	Content    answer  `json:"content"` // of a tool_result
	Tool       string  `json:"tool_use_id"`
	Error      bool    `json:"is_error"`
	Attachment struct {
		Type   string  `json:"type"`
		Mode   string  `json:"commandMode"`
		Meta   bool    `json:"isMeta"`
		Prompt content `json:"prompt"`
		Text   answer  `json:"content"` // from hooks
		Origin struct {
			Kind string `json:"kind"`
		} `json:"origin"`
	} `json:"attachment"`
}

// message is a message of Anthropic's API.
type message struct {
	ID      string  `json:"id"`
	Model   string  `json:"model"`
	Content content `json:"content"`
}

// content is a text, or a list of blocks.
type content []Block

// synthetic is the model of messages that the agent itself wrote.
const synthetic = "<synthetic>"

// block is a Block in the form in which agents write it.
type block struct {
	Type   string `json:"type"`
	Text   string `json:"text"`
	ID     string `json:"id"`
	Name   string `json:"name"`
	Input  input  `json:"input"`
	Tool   string `json:"tool_use_id"`
	Error  bool   `json:"is_error"`
	Result answer `json:"content"` // of a tool_result
}

// parseClaude reads a line in a transcript of Claude Code.
func parseClaude(src []byte, _ *carried) []Record {
	var in claudeLine
	if decode(src, &in) != nil || in.Type == "" {
		return nil
	}
	r := Record{
		UUID: in.UUID, Session: in.Session, Type: in.Type, Cwd: in.Cwd, Message: in.Message.ID,
		Meta: in.Meta, Sidechain: in.Sidechain, Summary: in.Summary || in.OnlyShown,
		Synthetic: in.APIError || in.Message.Model == synthetic,
	}
	r.At = parseTime(in.Time)
	if in.Version != "" {
		r.Writer = agent.Claude
	}
	switch a := in.Attachment; in.Type {
	case User, Assistant:
		r.Blocks = in.Message.Content
	case ToolResult:
		r.Blocks = []Block{{Kind: Result, Tool: in.Tool, Error: in.Error, Text: in.Content.text()}}
	case Attachment:
		if a.Type == "queued_command" && (a.Mode == "prompt" || a.Mode == "") && (a.Origin.Kind == "human" || a.Origin.Kind == "") && !a.Meta {
			r.Blocks = a.Prompt
		}
		if a.Type == "hook_additional_context" {
			r.Injected = strings.Join(a.Text, "\n")
		}
	}
	return []Record{r}
}

// UnmarshalJSON accepts any value. Values of unexpected types have no blocks.
func (c *content) UnmarshalJSON(src []byte) error {
	*c = nil
	if src[0] == '"' {
		var text string
		err := decode(src, &text)
		*c = content{{Kind: Text, Text: text}}
		return err
	}
	for i, element := range elementsOf(src) {
		var b block
		if err := decode(element, &b); err != nil {
			return err
		}
		switch b.Type {
		case "text":
			*c = append(*c, Block{Kind: Text, Index: i, Text: b.Text})
		case "tool_use":
			*c = append(*c, Block{Kind: Use, Index: i, Tool: b.ID, Name: b.Name, Input: b.Input.read()})
		case "tool_result":
			*c = append(*c, Block{Kind: Result, Index: i, Tool: b.Tool, Error: b.Error, Text: b.Result.text()})
		}
	}
	return nil
}
