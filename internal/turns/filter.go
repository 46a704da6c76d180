package turns

import (
	"encoding/json"
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/shell"
)

// Filter makes turns of the records of a transcript, in their order. Its state is what
// goes into JSON; the zero Filter is that of a transcript of which nothing was read.
type Filter struct{ s state }

// state is what a Filter remembers. Its lists and texts are bounded, see bounds.go.
type state struct {
	Uses     []use    `json:"uses,omitempty"`     // of tools, whose results have not come
	Failures []failed `json:"failures,omitempty"` // that no success has followed
	Messages []spoken `json:"messages,omitempty"` // that may go on
	Stopped  bool     `json:"stopped,omitempty"`  // the user has stopped the agent, which has done nothing since
	Changes  []string `json:"changes,omitempty"`  // names of changes
}

// Add returns the turns that a record makes.
func (f *Filter) Add(r transcript.Record) (turns []Turn) {
	switch {
	case r.Meta || r.Summary || r.Synthetic:
		return nil
	case r.Type == transcript.Assistant:
		f.s.Stopped = f.s.Stopped && r.Sidechain
		turns = f.answer(r)
		for _, b := range r.Blocks {
			if b.Kind == transcript.Use {
				f.use(r, b)
			}
		}
	case r.Type == transcript.ToolResult:
		turns = f.oldResult(r)
	default:
		for _, b := range r.Blocks {
			if b.Kind == transcript.Result {
				turns = append(turns, f.result(r, b)...)
			}
		}
		if !r.Sidechain {
			turns = append(turns, f.said(r)...)
		}
	}
	return turns
}

// result is what a tool has answered: the user's refusal or choice, a failure, or a
// success.
func (f *Filter) result(r transcript.Record, b transcript.Block) []Turn {
	u, known := f.used(b.Tool)
	if reason, refused := refusal(r, u, b); refused {
		return f.refused(r, b, u, reason)
	}
	if isFailure(b) {
		return f.failed(r, b, u)
	}
	if !known {
		return nil
	}
	if turns := chosen(r, b, u); turns != nil {
		return turns
	}
	turns := f.fixed(r, b, u)
	f.changed(u)
	return append(turns, ran(r, b, u)...)
}

// MarshalJSON writes the state.
func (f Filter) MarshalJSON() ([]byte, error) { return json.Marshal(f.s) }

// UnmarshalJSON reads the state. What is too much for one is dropped.
func (f *Filter) UnmarshalJSON(src []byte) error {
	var s state
	if err := json.Unmarshal(src, &s); err != nil {
		return err
	}
	s.bound()
	f.s = s
	return nil
}

// use is the use of a tool, of which the result has not come.
type use struct {
	Tool string    `json:"id"`
	Name string    `json:"name"`
	Told string    `json:"told,omitempty"` // command or path
	Key  string    `json:"key,omitempty"`  // the file that is to be changed
	Run  shell.Run `json:"run,omitzero"`   // the command
}

// use remembers one until its result comes.
func (f *Filter) use(r transcript.Record, b transcript.Block) {
	f.nameChange(b)
	u := use{Tool: b.Tool, Name: b.Name, Told: told(b), Key: key(b)}
	if b.Name == "Bash" {
		u.Run = shell.RunOf(b.Input.Command, r.Cwd)
	}
	u.bound()
	f.s.Uses = append(f.s.Uses, u)
	f.s.Uses = last(f.s.Uses, mostUses)
}

// used takes out the use that a result is of.
func (f *Filter) used(id string) (use, bool) {
	id = weighed(id, weightOfID)
	for i, u := range f.s.Uses {
		if u.Tool == id && id != "" {
			f.s.Uses = append(f.s.Uses[:i:i], f.s.Uses[i+1:]...)
			return u, true
		}
	}
	return use{}, false
}

// told is what a tool was told to do, in a line.
func told(b transcript.Block) string {
	in := b.Input
	for _, s := range []string{in.Command, in.Path, strings.TrimSpace(in.Skill + " " + in.Args), in.Description} {
		if s = oneLine(s); s != "" {
			return cut(s, longestCommand)
		}
	}
	return ""
}

// heading is how a use is told of: a command by itself, others with the tool's name.
func (u use) heading() string {
	if u.Name == "Bash" {
		return u.Told
	}
	return strings.TrimSpace(u.Name + " " + u.Told)
}
