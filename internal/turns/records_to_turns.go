package turns

import (
	"encoding/json"
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/shell"
)

// Filter makes turns of the records of a transcript, in their order. Its JSON is its state;
// the zero Filter belongs to a transcript of which nothing was read.
type Filter struct{ s state }

// state is the memory of a Filter, within the limits of cut_to_size.go.
type state struct {
	Uses     []toolUse     `json:"uses,omitempty"`     // of tools, without a result yet
	Failures []openFailure `json:"failures,omitempty"` // without a success yet
	Messages []openMessage `json:"messages,omitempty"` // that may continue
	Stopped  bool          `json:"stopped,omitempty"`  // the user has stopped the agent, and it has done nothing since
	Changes  []string      `json:"changes,omitempty"`  // their names
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
				f.addUse(r, b)
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
			turns = append(turns, f.prompts(r)...)
		}
	}
	return turns
}

// result returns the turns of a result: the user's refusal or choice, a failure, or a success.
func (f *Filter) result(r transcript.Record, b transcript.Block) []Turn {
	u, known := f.takeUse(b.Tool)
	if reason, refused := refusal(r, u, b); refused {
		return f.refused(r, b, u, reason)
	}
	if isFailure(b) {
		return f.failure(r, b, u)
	}
	if !known {
		return nil
	}
	if turns := choice(r, b, u); turns != nil {
		return turns
	}
	turns := f.fixed(r, b, u)
	f.changed(u)
	return append(turns, commandTurn(r, b, u)...)
}

// MarshalJSON writes the state.
func (f Filter) MarshalJSON() ([]byte, error) { return json.Marshal(f.s) }

// UnmarshalJSON reads the state, and drops what exceeds its bounds.
func (f *Filter) UnmarshalJSON(src []byte) error {
	var s state
	if err := json.Unmarshal(src, &s); err != nil {
		return err
	}
	s.bound()
	f.s = s
	return nil
}

// toolUse is the use of a tool without a result yet.
type toolUse struct {
	Tool   string    `json:"id"`
	Name   string    `json:"name"`
	Action string    `json:"told,omitempty"` // command or path
	Key    string    `json:"key,omitempty"`  // the file that is to be changed
	Run    shell.Run `json:"run,omitzero"`   // the command
}

// addUse remembers a use until its result comes.
func (f *Filter) addUse(r transcript.Record, b transcript.Block) {
	f.nameChange(b)
	u := toolUse{Tool: b.Tool, Name: b.Name, Action: actionOf(b), Key: key(b)}
	if b.Name == "Bash" {
		u.Run = shell.RunOf(b.Input.Command, r.Cwd)
	}
	u.bound()
	f.s.Uses = append(f.s.Uses, u)
	f.s.Uses = last(f.s.Uses, maxUses)
}

// takeUse removes and returns the use that a result belongs to.
func (f *Filter) takeUse(id string) (toolUse, bool) {
	id = cutJSON(id, maxIDBytes)
	for i, u := range f.s.Uses {
		if u.Tool == id && id != "" {
			f.s.Uses = append(f.s.Uses[:i:i], f.s.Uses[i+1:]...)
			return u, true
		}
	}
	return toolUse{}, false
}

// actionOf returns the input of a tool in one line.
func actionOf(b transcript.Block) string {
	in := b.Input
	for _, s := range []string{in.Command, in.Path, strings.TrimSpace(in.Skill + " " + in.Args), in.Description} {
		if s = oneLine(s); s != "" {
			return cut(s, maxCommandChars)
		}
	}
	return ""
}

// heading returns the name of a use: a command by itself, other inputs with their tool.
func (u toolUse) heading() string {
	if u.Name == "Bash" {
		return u.Action
	}
	return strings.TrimSpace(u.Name + " " + u.Action)
}
