package transcript

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/v1"

	"whence/internal/agent"
)

// Message is a message in OpenCode 2's database. OpenCode rewrites it until it is finished.
type Message struct {
	ID      string
	Type    string
	Created int64  // Unix time in ms
	Data    []byte // JSON
}

// Records returns the records of a message, without a session. It also reports whether OpenCode has finished the
// message.
func (m Message) Records() (records []Record, finished bool) {
	in := openCodeMessage{}
	if decode(m.Data, &in) != nil {
		return nil, true
	}
	base := Record{UUID: m.ID, At: time.UnixMilli(max(m.Created, in.Time.Completed)), Place: m.Created, Type: User}
	switch m.Type {
	case "user":
		text, injected := withoutHooks(in.Text)
		base.Blocks = []Block{{Kind: Text, Text: text}}
		records = append(base.injected(injected), base)
	case "compaction":
		base.Summary, base.Blocks = true, []Block{{Kind: Text, Text: in.Summary}}
		records = []Record{base}
	case "assistant":
		base.Type, base.Message = Assistant, m.ID
		for i, part := range in.Content {
			base.UUID = m.ID + "/" + strconv.Itoa(i)
			records = append(records, part.records(base)...)
		}
		finished = in.Time.Completed > 0
	}
	for i := range records {
		records[i].clean()
	}
	return records, finished || m.Type != "assistant"
}

// openCodeMessage is the JSON of a message.
type openCodeMessage struct {
	Text    string            `json:"text"`
	Summary string            `json:"summary"`
	Content []openCodeContent `json:"content"`
	Time    struct {
		Completed int64 `json:"completed"`
	} `json:"time"`
}

// openCodeContent is a part of an answer.
type openCodeContent struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	ID    string `json:"id"` // of a tool call
	Name  string `json:"name"`
	State struct {
		Status  string          `json:"status"`
		Input   json.RawMessage `json:"input"` // a string until the tool is called
		Content answer          `json:"content"`
		Error   struct {
			Message string `json:"message"`
		} `json:"error"`
		Metadata struct {
			Exit int `json:"exit"`
		} `json:"metadata"`
	} `json:"state"`
}

func (c *openCodeContent) records(r Record) []Record {
	if c.Type == "text" && c.Text != "" {
		r.Blocks = []Block{{Kind: Text, Text: c.Text}}
		return []Record{r}
	}
	if c.Type != "tool" {
		return nil
	}
	used := input{}
	_ = decode(c.State.Input, &used)
	r.Blocks = []Block{{Kind: Use, Tool: c.ID, Name: agent.OpenCode.Tool(c.Name), Input: used.read()}}
	switch c.State.Status {
	case "completed":
		return r.withResult(c.ID, false, c.State.Metadata.Exit, c.State.Content.text())
	case "error":
		return r.withResult(c.ID, true, c.State.Metadata.Exit, c.State.Error.Message)
	}
	return []Record{r}
}
