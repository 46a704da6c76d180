package capture

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/lazyregexp"
	"whence/internal/shell"
	"whence/internal/store"
	"whence/internal/words"
)

// Limits of the state of a filter. Beyond them, the oldest items are forgotten: a failure then misses
// its command or its fix.
const (
	maxUses     = 16
	maxFailures = 8
	maxMessages = 8
	maxSteps    = 6 // after each failure
	maxSeen     = 256

	maxFieldChars = 200
	maxWordsChars = 400
	maxDirChars   = 150
	maxStepChars  = 100
)

// filter makes turns of the records of a transcript, in their order. Its JSON is its state, within the
// limits. The zero filter has read nothing.
type filter struct{ state }

type state struct {
	Uses     []toolUse     `json:"uses,omitempty"`     // of tools, without a result yet
	Failures []openFailure `json:"failures,omitempty"` // without a success yet
	Messages []openMessage `json:"messages,omitempty"` // that may continue
	Stopped  bool          `json:"stopped,omitempty"`  // the user has stopped the agent, and it has done nothing since
	Change   string        `json:"change,omitempty"`   // the change that the session works on
	Seen     []string      `json:"seen,omitempty"`     // hashes of the turns of tools
}

// Add returns the turns of the next record. An answer that has grown is returned again, under the same UUID.
func (f *filter) Add(r transcript.Record) []store.Turn {
	turns := f.withoutRepeated(f.turnsOf(r))
	for i := range turns {
		turns[i].Change = f.Change
	}
	return turns
}

// forget removes what was said from the state, so that no later turn contains it. Repeated turns and messages that
// continue are still recognized.
func (f *filter) forget() {
	f.Uses, f.Failures, f.Change = nil, nil, ""
	for i := range f.Messages {
		f.Messages[i].Text = ""
	}
}

func (f *filter) turnsOf(r transcript.Record) (turns []store.Turn) {
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
func (f *filter) result(r transcript.Record, b transcript.Block) []store.Turn {
	u, known := f.takeUse(b.Tool)
	if reason, refused := agent.RefusedTool(b.Text); refused {
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
	Action string    `json:"told,omitempty"` // see actionOf
	File   string    `json:"file,omitempty"` // the file to change
	Run    shell.Run `json:"run,omitzero"`   // the command
}

// addUse remembers a use until its result comes.
func (f *filter) addUse(r transcript.Record, b transcript.Block) {
	if b.Name == "Skill" {
		f.nameChange(b.Input.Skill, b.Input.Args)
	}
	u := toolUse{Tool: bounded(b.Tool), Name: bounded(b.Name), Action: actionOf(b)}
	if agent.IsEdit(b.Name) {
		u.File = bounded(b.Input.Path)
	}
	if b.Name == "Bash" {
		u.Run = shell.RunOf(b.Input.Command, r.Cwd)
		u.Run.Words, u.Run.Dir = words.FirstChars(u.Run.Words, maxWordsChars), words.FirstChars(u.Run.Dir, maxDirChars)
	}
	f.Uses = last(append(f.Uses, u), maxUses)
}

// takeUse removes and returns the use that a result belongs to.
func (f *filter) takeUse(id string) (toolUse, bool) {
	id = bounded(id)
	for i, u := range f.Uses {
		if u.Tool == id && id != "" {
			f.Uses = append(f.Uses[:i:i], f.Uses[i+1:]...)
			return u, true
		}
	}
	return toolUse{}, false
}

// actionOf returns the main input of a tool in one line: a command, a path, a skill or a description.
func actionOf(b transcript.Block) string {
	in := b.Input
	for _, s := range []string{in.Command, in.Path, strings.TrimSpace(in.Skill + " " + in.Args), in.Description} {
		if s = oneLine(s); s != "" {
			return bounded(s)
		}
	}
	return ""
}

// heading names a use: a command by itself, any other input with its tool.
func (u toolUse) heading() string {
	if u.Name == "Bash" {
		return u.Action
	}
	return strings.TrimSpace(u.Name + " " + u.Action)
}

// last returns the last n elements of a list.
func last[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

func bounded(s string) string { return words.FirstChars(s, maxFieldChars) }

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// nameChange records the OpenSpec change that a skill works on: the first word of its arguments. The agent has used the
// skill, or the user has typed it. Later turns belong to that change.
func (f *filter) nameChange(skill, arguments string) {
	args := strings.Fields(arguments)
	isOpenSpec := strings.Contains(skill, "opsx:") || strings.Contains(skill, "openspec-")
	if isOpenSpec && len(args) > 0 {
		f.Change = bounded(args[0])
	}
}

// withoutRepeated removes turns of tools that repeat earlier ones of the session: agents run the same
// command again and again, and it fails in the same way. Repeated words of the user or the agent are kept.
//
// The UUID of a turn is nevertheless that of its record, not of its content: a forked session has the
// records of another one under another id, and what was skipped there must not come back here.
func (f *filter) withoutRepeated(turns []store.Turn) []store.Turn {
	return slices.DeleteFunc(turns, func(t store.Turn) bool {
		if t.Role != Tool {
			return false
		}
		sum := fold(t)
		if slices.Contains(f.Seen, sum) {
			return true
		}
		f.Seen = last(append(f.Seen, sum), maxSeen)
		return false
	})
}

// fold returns a hash that is equal for turns of tools with the same content, regardless of case,
// spaces and numbers: the same failure recurs with another line, time or process id.
func fold(t store.Turn) string {
	sum := sha256.Sum256([]byte(t.Kind + "\x00" + digits().ReplaceAllString(strings.ToLower(oneLine(t.Text)), "0")))
	return base64.RawStdEncoding.EncodeToString(sum[:8])
}

var digits = lazyregexp.New(`\p{Nd}+`)
