package transcript

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/v1"

	"whence/internal/agent"
)

// copilotLine is an event in the session state of Copilot CLI, or in a transcript of VS Code's agent mode.
type copilotLine struct {
	Type string `json:"type"`
	ID   string `json:"id"`
	Time string `json:"timestamp"`
	Data struct {
		Session string `json:"sessionId"`
		Context struct {
			Cwd string `json:"cwd"`
		} `json:"context"`

		Content  string `json:"content"`
		Source   string `json:"source"`           // the author of a message; "" or "user": the user
		Parent   string `json:"parentToolCallId"` // set for a subagent
		Agent    string `json:"agentId"`          // likewise
		Requests []struct {
			ID        string          `json:"toolCallId"`
			Name      string          `json:"name"`
			Arguments copilotArgument `json:"arguments"`
		} `json:"toolRequests"`

		Tool    string `json:"toolCallId"`
		Success bool   `json:"success"`
		Result  struct {
			Content string `json:"content"`
		} `json:"result"`
		Error struct {
			Message string `json:"message"`
			Code    string `json:"code"`
		} `json:"error"`

		Output struct {
			Context string `json:"additionalContext"`
		} `json:"output"`
	} `json:"data"`
	Agent string `json:"agentId"`
}

// copilotArgument holds the arguments of Copilot's tools. Those of a patch are a string: the patch itself. VS Code
// writes the JSON of arguments as a string.
type copilotArgument struct{ Input }

// UnmarshalJSON accepts any value.
func (a *copilotArgument) UnmarshalJSON(src []byte) error {
	var patch string
	if json.Unmarshal(src, &patch) == nil {
		if a.Input = patchInput(patch); !strings.HasPrefix(patch, "{") {
			return nil
		}
		src = []byte(patch)
	}
	var in struct {
		input
		Text  string `json:"file_text"`
		New   string `json:"new_str"`
		Patch string `json:"input"` // VS Code, as the next two
		Code  string `json:"code"`
		Parts []struct {
			Path string `json:"filePath"`
			New  string `json:"newString"`
		} `json:"replacements"`
	}
	_ = decode(src, &in)
	if in.Patch != "" {
		a.Input = patchInput(in.Patch)
		return nil
	}
	a.Input = in.read()
	a.Written = cmp.Or(in.Text, in.New, in.Code, a.Written)
	for _, part := range in.Parts {
		a.Path, a.Written = cmp.Or(a.Path, part.Path), a.Written+part.New+"\n"
	}
	return nil
}

// parseCopilot reads an event of Copilot CLI or VS Code.
func parseCopilot(src []byte, c *carried) []Record {
	var in copilotLine
	if decode(src, &in) != nil {
		return nil
	}
	d := &in.Data
	r := Record{UUID: in.ID, At: parseTime(in.Time), Sidechain: cmp.Or(d.Parent, d.Agent, in.Agent) != ""}
	switch in.Type {
	case "session.start", "session.resume", "session.context_changed":
		c.Session, c.Cwd = cmp.Or(d.Session, c.Session), cmp.Or(d.Context.Cwd, c.Cwd)
		return nil
	case "user.message":
		r.Type, r.Meta, r.Blocks = User, d.Source != "" && d.Source != "user", []Block{{Kind: Text, Text: d.Content}}
	case "assistant.message":
		r.Type = Assistant
		if d.Content != "" {
			r.Blocks = []Block{{Kind: Text, Text: d.Content}}
		}
		for _, use := range d.Requests {
			r.Blocks = append(r.Blocks, Block{Kind: Use, Index: len(r.Blocks), Tool: use.ID, Name: agent.Copilot.Tool(use.Name), Input: use.Arguments.Input})
		}
	case "tool.execution_complete":
		r.Type, r.Blocks = User, []Block{in.result()}
	case "hook.end":
		if !isInjected(d.Output.Context) {
			return nil
		}
		r.Type, r.Injected = Attachment, d.Output.Context
	case "abort":
		r.Type, r.Blocks = User, []Block{{Kind: Text, Text: agent.Interrupted}}
	default:
		return nil
	}
	return []Record{r}
}

// result returns the block of a tool's result, without texts added by hooks.
func (in *copilotLine) result() Block {
	d := &in.Data
	text, _, _ := strings.Cut(cmp.Or(d.Result.Content, d.Error.Message), "\n\nTool \"")
	output, status := agent.CopilotOutput(text)
	return Block{Kind: Result, Tool: d.Tool, Error: !d.Success}.finished(status, output)
}
