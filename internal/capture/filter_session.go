package capture

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/store"
	"whence/internal/text"
)

// nameChange records the OpenSpec change that a skill works on: the first word of its arguments. Of
// several changes, the first in the alphabet names the session.
func (f *Filter) nameChange(b transcript.Block) {
	words := strings.Fields(b.Input.Args)
	isOpenSpec := strings.Contains(b.Input.Skill, "opsx:") || strings.Contains(b.Input.Skill, "openspec-")
	if b.Name != "Skill" || !isOpenSpec || len(words) == 0 {
		return
	}
	name := text.FirstChars(words[0], maxNameChars)
	if f.Change == "" || name < f.Change {
		f.Change = name
	}
}

// withoutRepeated removes turns of tools that the session has had: the same command runs again and
// again, and fails in the same way. What the user and the agent say again is kept.
//
// A turn keeps the UUID of its record all the same: a forked session has the records of another
// under an id of its own, and what was skipped there must not come back here.
func (f *Filter) withoutRepeated(turns []store.Turn) []store.Turn {
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
// spaces and numbers: the same failure comes with another line, time or process.
func fold(t store.Turn) string {
	sum := sha256.Sum256([]byte(t.Kind + "\x00" + digits().ReplaceAllString(strings.ToLower(oneLine(t.Text)), "0")))
	return base64.RawStdEncoding.EncodeToString(sum[:8])
}

var digits = text.Lazy(`\p{Nd}+`)
