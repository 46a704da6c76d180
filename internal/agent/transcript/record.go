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
	ToolResult = "tool_result" // a result in a record of its own, in old versions
	Attachment = "attachment"  // has blocks only if the user typed it while the agent worked
)

// Record is a line of a transcript.
type Record struct {
	UUID    string // derived from the line if that has none
	Session string
	Type    string
	Writer  agent.Client // the agent that the record itself shows; "": none
	At      time.Time
	// Place is where the record begins in its transcript: an offset in a file or, in OpenCode's database, the time of
	// creation, in ms.
	Place     int64
	Cwd       string
	Message   string // id of the API message, whose blocks are often split over several records
	Meta      bool   // written by the agent in the user's name
	Sidechain bool   // belongs to a subagent
	Summary   bool   // a summary of a conversation that was compacted
	Synthetic bool   // written by the agent in the model's name, such as an error of the API
	Injected  string // a text that hooks gave to the model; it has a record of its own
	Blocks    []Block
}

// BlockKind is the kind of a block.
type BlockKind int

// The kinds of blocks. Others are not read.
const (
	Text   BlockKind = iota + 1
	Use              // a tool call
	Result           // the result of a tool call
)

// Block is a part of a record.
type Block struct {
	Kind  BlockKind
	Index int    // in its record
	Text  string // of a text or result
	Tool  string // of a tool call and its result: the id of the call
	Name  string // of a tool call: the name of the tool
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

// texts returns pointers to the texts of a record. Ids and names of tools are not texts.
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

// clean removes NULs. The decoder has already made texts valid UTF-8.
func (r *Record) clean() {
	all := append(r.texts(), &r.UUID, &r.Session, &r.Type, &r.Message)
	for i := range r.Blocks {
		all = append(all, &r.Blocks[i].Tool, &r.Blocks[i].Name)
	}
	for _, text := range all {
		*text = strings.ReplaceAll(*text, "\x00", "")
	}
}
