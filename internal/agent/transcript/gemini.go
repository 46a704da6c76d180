package transcript

import (
	"cmp"
	"html"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/v1"

	"whence/internal/agent"
	"whence/internal/text"
)

// geminiLine is a line of a chat of Gemini CLI: the head, a message, or a change of the head.
type geminiLine struct {
	Session     string          `json:"sessionId"`
	Kind        string          `json:"kind"`
	ID          string          `json:"id"`
	Time        string          `json:"timestamp"`
	Type        string          `json:"type"`
	Content     json.RawMessage `json:"content"` // a text, a part, or a list of parts
	Shown       json.RawMessage `json:"displayContent"`
	Tools       []geminiUse     `json:"toolCalls"`
	Set         *geminiHead     `json:"$set"`
	Directories []string        `json:"directories"`
}

type geminiHead struct {
	Messages    []geminiLine `json:"messages"`
	Directories []string     `json:"directories"`
}

type geminiPart struct {
	Text     string `json:"text"`
	Response *struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Response struct {
			Output string `json:"output"`
			Error  string `json:"error"`
		} `json:"response"`
	} `json:"functionResponse"`
}

type geminiUse struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args struct {
		input
		Result geminiResult `json:"result"`
	} `json:"args"`
}

// geminiResult is the answer of a subagent, which it gives by a tool: a text, or an object with one.
type geminiResult string

// UnmarshalJSON accepts any value.
func (r *geminiResult) UnmarshalJSON(src []byte) error {
	var text string
	if json.Unmarshal(src, &text) != nil {
		var in struct {
			Response string `json:"response"`
		}
		_ = decode(src, &in)
		text = in.Response
	}
	*r = geminiResult(text)
	return nil
}

// parseGemini reads a line of a chat. A message is written again when its tools have run.
func parseGemini(src []byte, c *carried) []Record {
	var in geminiLine
	if decode(src, &in) != nil {
		return nil
	}
	r := Record{UUID: clean(in.ID), At: parseTime(in.Time)}
	if in.ID == "" && in.Session != "" {
		c.Session, c.Sidechain = in.Session, in.Kind == "subagent"
		c.setFolder(in.Directories)
		return nil
	}
	if in.Set != nil {
		c.setFolder(in.Set.Directories)
		for _, m := range in.Set.Messages { // the first has the folders
			for _, part := range geminiParts(m.Content) {
				c.setFolder(workspaceIn(part.Text))
			}
		}
		return nil
	}
	switch in.Type {
	case "user":
		return in.user(r)
	case "gemini":
		r.Type, r.Message = Assistant, r.UUID
		for i, part := range geminiParts(in.Content) {
			if part.Text != "" {
				r.Blocks = append(r.Blocks, Block{Kind: Text, Index: i, Text: clean(part.Text)})
			}
		}
		for i, use := range in.Tools {
			if use.Name == "complete_task" && use.Args.Result != "" {
				r.Blocks = append(r.Blocks, Block{Kind: Text, Index: len(r.Blocks) + i, Text: clean(string(use.Args.Result))})
			}
			r.Blocks = append(r.Blocks, Block{Kind: Use, Index: len(r.Blocks) + i, Tool: clean(use.ID), Name: agent.Gemini.Tool(clean(use.Name)), Input: use.Args.cleaned()})
		}
		return []Record{r}
	case "info":
		if strings.HasPrefix(geminiParts(in.Content).text(), "Request cancelled") {
			r.Type, r.Blocks = User, []Block{{Kind: Text, Text: interrupted}}
			return []Record{r}
		}
	}
	return nil
}

// user returns the record of a prompt or of results, and before it one for each text that hooks have
// added.
func (in *geminiLine) user(r Record) (records []Record) {
	r.Type = User
	parts := geminiParts(in.Content)
	hook := func(text, event string) {
		records = append(records, Record{
			UUID: r.UUID + ":hook:" + strconv.Itoa(len(records)), At: r.At, Type: Attachment, Hook: Hook{Event: eventOf(text, event), Text: clean(text)},
		})
	}
	for i, part := range parts {
		if f := part.Response; f != nil {
			b := Block{Kind: Result, Index: i, Tool: clean(f.ID), Error: f.Response.Error != ""}
			text, injected := withoutHooks(cmp.Or(f.Response.Error, f.Response.Output))
			for _, told := range injected {
				hook(html.UnescapeString(told), agent.PostToolUse)
			}
			status := "0"
			if agent.Gemini.Tool(f.Name) == "Bash" {
				text, status = geminiOutput(text)
			}
			r.Blocks = append(r.Blocks, b.finished(status, text))
			continue
		}
		text, injected := withoutHooks(part.Text)
		for _, told := range injected {
			hook(html.UnescapeString(told), agent.UserPromptSubmit)
		}
		if text = strings.TrimSpace(text); text != "" && !strings.HasPrefix(text, "<session_context>") {
			r.Blocks = append(r.Blocks, Block{Kind: Text, Index: i, Text: clean(text)})
		}
	}
	if shown, _ := withoutHooks(geminiParts(in.Shown).text()); shown != "" { // without what it has put into the prompt
		r.Blocks = []Block{{Kind: Text, Text: clean(strings.TrimSpace(shown))}}
	}
	if len(r.Blocks) == 0 {
		return records
	}
	return append(records, r)
}

type geminiContent []geminiPart

func geminiParts(src json.RawMessage) geminiContent {
	if len(src) == 0 {
		return nil
	}
	if src[0] == '[' {
		var parts geminiContent
		_ = decode(src, &parts)
		return parts
	}
	var part geminiPart
	if json.Unmarshal(src, &part.Text) != nil {
		_ = decode(src, &part)
	}
	return geminiContent{part}
}

func (c geminiContent) text() string {
	var all []string
	for _, part := range c {
		all = append(all, part.Text)
	}
	return strings.TrimSpace(strings.Join(all, "\n"))
}

var (
	geminiExit   = text.Lazy(`(?m)^Exit Code: (-?\d+)$`)
	geminiFrame  = text.Lazy(`(?m)^(Exit Code|Process Group PGID|Background PIDs|Signal): .*$`)
	geminiFolder = text.Lazy(`(?m)^\s*- \*\*Workspace Directories:\*\*\s*\n\s+- (.+?)\s*$`)
)

// geminiOutput returns the output of a command without what Gemini CLI writes around it, and the exit
// status, which it names if the command has failed.
func geminiOutput(text string) (output, status string) {
	status = "0"
	if m := geminiExit().FindStringSubmatch(text); m != nil {
		status = m[1]
	}
	text = strings.TrimSpace(text)
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<untrusted_context>"), "</untrusted_context>")
	text = geminiFrame().ReplaceAllString(text, "")
	return strings.TrimPrefix(strings.TrimSpace(text), "Output: "), status
}

// workspaceIn returns the folder that the first message of a chat names.
func workspaceIn(text string) []string {
	if m := geminiFolder().FindStringSubmatch(text); m != nil {
		return m[1:]
	}
	return nil
}

// setFolder sets the folder of a session to the first of its folders.
func (c *carried) setFolder(folders []string) {
	if c.Cwd == "" && len(folders) > 0 {
		c.Cwd = folders[0]
	}
}
