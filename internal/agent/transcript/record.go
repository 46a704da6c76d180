package transcript

import (
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
)

// The types of records with blocks.
const (
	User       = "user"
	Assistant  = "assistant"
	ToolResult = "tool_result" // of old versions: a result in a separate record
	Attachment = "attachment"  // with blocks only if the user typed it while the agent worked
)

// Record is a line of a transcript.
type Record struct {
	UUID    string // derived from the line if it has none
	Session string
	Type    string
	Writer  agent.Client // that the record itself tells of; "" if it does not
	At      time.Time
	// Place is where the record begins in its transcript: a byte of a file; in OpenCode's database, when the part was made, in ms.
	Place     int64
	Cwd       string
	Message   string // id of the API message; its blocks are often split over several records
	Meta      bool   // written by the agent in the user's name
	Sidechain bool   // of a subagent
	Summary   bool   // of a conversation that was compacted
	Synthetic bool   // written by the agent in the model's name, such as an error of the API
	Injected  string // what hooks have put before the model, in a record of its own
	Blocks    []Block
}

// BlockKind is the kind of a block.
type BlockKind int

// The kinds of blocks. Others are not read.
const (
	Text   BlockKind = iota + 1
	Use              // of a tool
	Result           // of the use of a tool
)

// Block is a part of a record.
type Block struct {
	Kind  BlockKind
	Index int    // in its record
	Text  string // of a text or result
	Tool  string // of uses and results: the id of the use
	Name  string // of the tool
	Input Input
	Error bool // the tool has failed
}

// Input is the part of a tool's input that is read.
type Input struct {
	Command     string
	Description string
	Path        string
	Skill       string
	Args        string
	Query       string
	Written     string // into a file, by an edit
}

// texts are the texts of a record. Ids and names of tools are not texts.
func (r *Record) texts() []*string {
	all := []*string{&r.Cwd, &r.Injected}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		in := &b.Input
		all = append(all, &b.Text, &in.Command, &in.Description, &in.Path, &in.Skill, &in.Args, &in.Query, &in.Written)
	}
	return all
}

// Map returns the record with each text replaced by f(text).
func (r Record) Map(f func(string) string) Record {
	r.Blocks = slices.Clone(r.Blocks)
	for _, text := range r.texts() {
		if *text != "" {
			*text = f(*text)
		}
	}
	return r
}

// clean removes NULs. The decoder has made the rest valid.
func (r *Record) clean() {
	all := append(r.texts(), &r.UUID, &r.Session, &r.Type, &r.Message)
	for i := range r.Blocks {
		all = append(all, &r.Blocks[i].Tool, &r.Blocks[i].Name)
	}
	for _, text := range all {
		*text = strings.ReplaceAll(*text, "\x00", "")
	}
}
