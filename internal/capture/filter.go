package capture

import (
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
	"whence/internal/shell"
	"whence/internal/store"
	"whence/internal/text"
)

// Bounds of the state of a Filter. What exceeds them is forgotten, the oldest first: a failure then
// misses its command, or its fix.
const (
	maxUses     = 16
	maxFailures = 8
	maxMessages = 8
	maxSteps    = 6 // after each failure
	maxSeen     = 256

	maxIDChars     = 80
	maxNameChars   = 60
	maxActionChars = 600
	maxKeyChars    = 200
	maxWordsChars  = 400
	maxDirChars    = 150
	maxStepChars   = 100
)

// Filter makes turns of the records of a transcript, in their order. Its JSON is its state, within the
// bounds. The zero Filter belongs to a transcript of which nothing was read.
type Filter struct{ state }

type state struct {
	Uses     []toolUse     `json:"uses,omitempty"`     // of tools, without a result yet
	Failures []openFailure `json:"failures,omitempty"` // without a success yet
	Messages []openMessage `json:"messages,omitempty"` // that may continue
	Stopped  bool          `json:"stopped,omitempty"`  // the user has stopped the agent, and it has done nothing since
	Change   string        `json:"change,omitempty"`   // that the session works on
	Seen     []string      `json:"seen,omitempty"`     // hashes of the turns of tools
}

// Add returns the turns that a record makes. An answer that grows is returned again, under its UUID.
func (f *Filter) Add(r transcript.Record) []store.Turn {
	turns := f.withoutRepeated(f.turnsOf(r))
	for i := range turns {
		turns[i].Change = f.Change
	}
	return turns
}

func (f *Filter) turnsOf(r transcript.Record) (turns []store.Turn) {
	switch {
	case r.Meta || r.Summary || r.Synthetic:
		return nil
	case r.Type == transcript.Assistant:
		f.Stopped = f.Stopped && r.Sidechain
		turns = f.answer(r)
		for _, b := range r.Blocks {
			if b.Kind == transcript.Use {
				f.addUse(r, b)
			}
		}
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
func (f *Filter) result(r transcript.Record, b transcript.Block) []store.Turn {
	u, known := f.takeUse(b.Tool)
	if reason, refused := usertext.Refused(b.Text); refused {
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
	u := toolUse{Tool: text.FirstChars(b.Tool, maxIDChars), Name: text.FirstChars(b.Name, maxNameChars), Action: actionOf(b), Key: text.FirstChars(key(b), maxKeyChars)}
	if b.Name == "Bash" {
		u.Run = bounded(shell.RunOf(b.Input.Command, r.Cwd))
	}
	f.Uses = last(append(f.Uses, u), maxUses)
}

// takeUse removes and returns the use that a result belongs to.
func (f *Filter) takeUse(id string) (toolUse, bool) {
	id = text.FirstChars(id, maxIDChars)
	for i, u := range f.Uses {
		if u.Tool == id && id != "" {
			f.Uses = append(f.Uses[:i:i], f.Uses[i+1:]...)
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
			return text.FirstChars(s, maxCommandChars)
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

// last returns the last n elements of a list.
func last[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

func bounded(r shell.Run) shell.Run {
	r.Words, r.Dir = text.FirstChars(r.Words, maxWordsChars), text.FirstChars(r.Dir, maxDirChars)
	return r
}
