package transcript

import (
	"cmp"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/v1"

	"whence/internal/agent"
)

// Part is a part of a message in OpenCode's database. OpenCode rewrites it until it is finished.
type Part struct {
	ID        string
	Created   int64  // Unix time in ms
	Data      []byte // JSON
	MessageID string
	Message   []byte // JSON
}

// Records returns the records of a part, without a session. It also reports whether OpenCode has finished the part.
func (p Part) Records() (records []Record, finished bool) {
	in := openCodePart{}
	in.Message.ID = p.MessageID
	if decode(p.Data, &in) != nil || decode(p.Message, &in.Message) != nil {
		return nil, true
	}
	records = in.records(Record{UUID: p.ID, At: time.UnixMilli(p.Created), Place: p.Created})
	for i := range records {
		records[i].clean()
	}
	return records, in.isFinished()
}

// openCodePart is the JSON of a part.
type openCodePart struct {
	Message struct {
		ID   string `json:"-"`
		Role string `json:"role"`
		Path struct {
			Cwd string `json:"cwd"`
		} `json:"path"`
		Time struct {
			Completed int64 `json:"completed"`
		} `json:"time"`
		Error   *struct{ Name string } `json:"error"`
		Summary json.RawMessage        `json:"summary"` // true in a compaction
	} `json:"-"`

	Type      string `json:"type"`
	Text      string `json:"text"`
	Synthetic bool   `json:"synthetic"` // not typed by the user
	Ignored   bool   `json:"ignored"`   // not sent to the model
	Time      struct {
		End int64 `json:"end"`
	} `json:"time"`
	Tool  string `json:"tool"`
	Call  string `json:"callID"`
	State struct {
		Status   string `json:"status"`
		Input    input  `json:"input"`
		Output   string `json:"output"`
		Error    string `json:"error"`
		Metadata struct {
			Exit int `json:"exit"`
		} `json:"metadata"`
	} `json:"state"`
}

// isFinished reports whether OpenCode will not write the part again.
func (p *openCodePart) isFinished() bool {
	if p.Message.Role != "assistant" || p.Message.Time.Completed > 0 || p.Message.Error != nil {
		return true
	}
	switch p.Type {
	case "tool":
		return p.State.Status == "completed" || p.State.Status == "error"
	case "text", "reasoning":
		return p.Time.End > 0
	}
	return true
}

// records returns the record of a part. For a tool call it also returns the records of its result, and of the texts
// that hooks added to that.
func (p *openCodePart) records(r Record) []Record {
	r.Type, r.Summary, r.Meta, r.Cwd = User, string(p.Message.Summary) == "true", p.Synthetic, p.Message.Path.Cwd
	if p.Message.Role == "assistant" {
		r.Type, r.Message = Assistant, p.Message.ID
	}
	switch p.Type {
	case "text":
		if p.Ignored || p.Text == "" {
			return nil
		}
		if p.Synthetic && isInjected(p.Text) {
			r.Type, r.Meta, r.Injected = Attachment, false, p.Text
		} else {
			r.Blocks = []Block{{Kind: Text, Text: p.Text}}
		}
	case "tool":
		r.Blocks = []Block{{Kind: Use, Tool: p.Call, Name: agent.OpenCode.Tool(p.Tool), Input: p.State.Input.read()}}
		if p.State.Status != "completed" && p.State.Status != "error" {
			return []Record{r}
		}
		return r.withResult(p.Call, p.State.Status == "error", p.State.Metadata.Exit, cmp.Or(p.State.Error, p.State.Output))
	default:
		return nil
	}
	return []Record{r}
}

// withResult returns the record r of a tool call, that of its result, and those of the texts that hooks added to it.
func (r Record) withResult(tool string, failed bool, exit int, output string) []Record {
	done := r
	done.Type, done.Message = User, ""
	output, injected := withoutHooks(output)
	done.Blocks = []Block{Block{Kind: Result, Index: 1, Tool: tool, Error: failed}.finished(strconv.Itoa(exit), output)}
	return append([]Record{r, done}, done.injected(injected)...)
}

// injected returns a record for each text that hooks added to this one.
func (r Record) injected(texts []string) (records []Record) {
	for _, text := range texts {
		hook := r
		hook.Type, hook.Message, hook.Blocks, hook.Injected = Attachment, "", nil, text
		records = append(records, hook)
	}
	return records
}
