package transcript

import (
	"cmp"
	"html"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/v1"

	"whence/internal/agent"
	"whence/internal/lazyregexp"
)

// geminiLine is a line in a chat of Gemini CLI: the head, a message, or a change of the head.
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
	Answer   string `json:"response"` // from a subagent
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
		Result json.RawMessage `json:"result"` // the answer of a subagent, which it gives by a tool call
	} `json:"args"`
}

// parseGemini reads a line of a chat. Gemini CLI writes a message again when its tools have run.
func parseGemini(src []byte, c *carried) []Record {
	var in geminiLine
	if decode(src, &in) != nil {
		return nil
	}
	r := Record{UUID: in.ID, At: parseTime(in.Time)}
	if in.ID == "" && in.Session != "" {
		c.Session, c.Sidechain = in.Session, in.Kind == "subagent"
		c.setFolder(in.Directories)
		return nil
	}
	if in.Set != nil {
		c.setFolder(in.Set.Directories)
		for _, m := range in.Set.Messages { // the first has the folders
			for _, part := range geminiParts(m.Content) {
				if m := geminiFolder().FindStringSubmatch(part.Text); m != nil {
					c.setFolder(m[1:])
				}
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
				r.Blocks = append(r.Blocks, Block{Kind: Text, Index: i, Text: part.Text})
			}
		}
		for i, use := range in.Tools {
			for _, part := range geminiParts(use.Args.Result) {
				if answer := cmp.Or(part.Text, part.Answer); use.Name == "complete_task" && answer != "" {
					r.Blocks = append(r.Blocks, Block{Kind: Text, Index: len(r.Blocks) + i, Text: answer})
				}
			}
			r.Blocks = append(r.Blocks, Block{Kind: Use, Index: len(r.Blocks) + i, Tool: use.ID, Name: agent.Gemini.Tool(use.Name), Input: use.Args.read()})
		}
		return []Record{r}
	case "info":
		if strings.HasPrefix(geminiParts(in.Content).text(), "Request cancelled") {
			r.Type, r.Blocks = User, []Block{{Kind: Text, Text: agent.Interrupted}}
			return []Record{r}
		}
	}
	return nil
}

// user returns the record of a prompt or of results, preceded by a record for each text that hooks have added.
func (in *geminiLine) user(r Record) (records []Record) {
	r.Type = User
	parts := geminiParts(in.Content)
	addInjected := func(texts []string) {
		for _, text := range texts {
			uuid := r.UUID + ":hook:" + strconv.Itoa(len(records))
			records = append(records, Record{UUID: uuid, At: r.At, Type: Attachment, Injected: html.UnescapeString(text)})
		}
	}
	for i, part := range parts {
		if f := part.Response; f != nil {
			b := Block{Kind: Result, Index: i, Tool: f.ID, Error: f.Response.Error != ""}
			text, injected := withoutHooks(cmp.Or(f.Response.Error, f.Response.Output))
			addInjected(injected)
			status := "0"
			if agent.Gemini.Tool(f.Name) == "Bash" {
				text, status = agent.GeminiOutput(text)
			}
			r.Blocks = append(r.Blocks, b.finished(status, text))
			continue
		}
		text, injected := withoutHooks(part.Text)
		addInjected(injected)
		if text = strings.TrimSpace(text); text != "" && !strings.HasPrefix(text, "<session_context>") {
			r.Blocks = append(r.Blocks, Block{Kind: Text, Index: i, Text: text})
		}
	}
	if shown, _ := withoutHooks(geminiParts(in.Shown).text()); shown != "" { // the prompt before Gemini CLI added to it
		r.Blocks = []Block{{Kind: Text, Text: strings.TrimSpace(shown)}}
	}
	if len(r.Blocks) == 0 {
		return records
	}
	return append(records, r)
}

type geminiContent []geminiPart

func geminiParts(src json.RawMessage) (parts geminiContent) {
	if len(src) == 0 {
		return nil
	}
	for _, element := range elementsOf(src) {
		var part geminiPart
		if json.Unmarshal(element, &part.Text) != nil {
			_ = decode(element, &part)
		}
		parts = append(parts, part)
	}
	return parts
}

func (c geminiContent) text() string {
	var all []string
	for _, part := range c {
		all = append(all, part.Text)
	}
	return strings.TrimSpace(strings.Join(all, "\n"))
}

// geminiFolder matches the folder that the first message of a chat names.
var geminiFolder = lazyregexp.New(`(?m)^\s*- \*\*Workspace Directories:\*\*\s*\n\s+- (.+?)\s*$`)

// setFolder sets the folder of a session to the first of some folders, unless it is set.
func (c *carried) setFolder(folders []string) {
	if c.Cwd == "" && len(folders) > 0 {
		c.Cwd = folders[0]
	}
}
