package transcript

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// claudeLine is a line of Claude Code.
type claudeLine struct {
	UUID       string  `json:"uuid"`
	Session    string  `json:"sessionId"`
	Type       string  `json:"type"`
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
		Hook   string  `json:"hookEvent"`
		Text   answer  `json:"content"` // of hooks
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

// block is a Block as agents write it.
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

// parseClaude reads a line of Claude Code.
func parseClaude(src []byte, _ *carried) []Record {
	var in claudeLine
	if decode(src, &in) != nil || in.Type == "" {
		return nil
	}
	r := Record{
		UUID: clean(in.UUID), Session: clean(in.Session), Type: clean(in.Type), Cwd: clean(in.Cwd), Message: clean(in.Message.ID),
		Meta: in.Meta, Sidechain: in.Sidechain, Summary: in.Summary || in.OnlyShown,
		Synthetic: in.APIError || in.Message.Model == synthetic,
	}
	r.At = parseTime(in.Time)
	switch a := in.Attachment; in.Type {
	case User, Assistant:
		r.Blocks = in.Message.Content
	case ToolResult:
		r.Blocks = []Block{{Kind: Result, Tool: clean(in.Tool), Error: in.Error, Text: in.Content.text()}}
	case Attachment:
		if a.Type == "queued_command" && (a.Mode == "prompt" || a.Mode == "") && (a.Origin.Kind == "human" || a.Origin.Kind == "") && !a.Meta {
			r.Blocks = a.Prompt
		}
		if a.Type == "hook_additional_context" {
			r.Hook = Hook{Event: clean(a.Hook), Text: clean(strings.Join(a.Text, "\n"))}
		}
	}
	return []Record{r}
}

// UnmarshalJSONFrom accepts any value.
func (c *content) UnmarshalJSONFrom(in *jsontext.Decoder) error {
	*c = nil
	switch in.PeekKind() {
	case '"':
		text, err := in.ReadToken()
		if err != nil {
			return err
		}
		*c = content{{Kind: Text, Text: clean(text.String())}}
		return nil
	case '[':
		return eachOf(in, func(i int) error {
			var b block
			if err := decodeFrom(in, &b); err != nil {
				return err
			}
			switch b.Type {
			case "text":
				*c = append(*c, Block{Kind: Text, Index: i, Text: clean(b.Text)})
			case "tool_use":
				*c = append(*c, Block{Kind: Use, Index: i, Tool: clean(b.ID), Name: clean(b.Name), Input: b.Input.cleaned()})
			case "tool_result":
				*c = append(*c, Block{Kind: Result, Index: i, Tool: clean(b.Tool), Error: b.Error, Text: b.Result.text()})
			}
			return nil
		})
	}
	return in.SkipValue()
}
