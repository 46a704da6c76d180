package turns

import (
	"slices"
	"strings"

	"whence/internal/agent/transcript"
)

// nameChange takes the name of a change from the use of a skill that works on one: the
// first word of what the skill was told (seed D3).
func (f *Filter) nameChange(b transcript.Block) {
	if b.Name != "Skill" || !strings.Contains(b.Input.Skill, "opsx:") && !strings.Contains(b.Input.Skill, "openspec-") {
		return
	}
	words := strings.Fields(b.Input.Args)
	if len(words) == 0 {
		return
	}
	name := weighed(words[0], weightOfName)
	if slices.Contains(f.s.Changes, name) {
		return
	}
	f.s.Changes = append(f.s.Changes, name)
	slices.Sort(f.s.Changes)
	f.s.Changes = f.s.Changes[:min(len(f.s.Changes), mostChanges)]
}

// Change is the name of the change that the session works on, of several the first in the
// alphabet; "" is that none is known yet.
func (f *Filter) Change() string {
	if len(f.s.Changes) == 0 {
		return ""
	}
	return f.s.Changes[0]
}
