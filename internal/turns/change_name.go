package turns

import (
	"slices"
	"strings"

	"whence/internal/agent/transcript"
)

// nameChange records the name of the change that a skill works on: the first word of its
// arguments.
func (f *Filter) nameChange(b transcript.Block) {
	if b.Name != "Skill" || !strings.Contains(b.Input.Skill, "opsx:") && !strings.Contains(b.Input.Skill, "openspec-") {
		return
	}
	words := strings.Fields(b.Input.Args)
	if len(words) == 0 {
		return
	}
	name := cutJSON(words[0], maxNameBytes)
	if slices.Contains(f.s.Changes, name) {
		return
	}
	f.s.Changes = append(f.s.Changes, name)
	slices.Sort(f.s.Changes)
	f.s.Changes = f.s.Changes[:min(len(f.s.Changes), maxChanges)]
}

// Change returns the name of the OpenSpec change that the session works on, the first in the
// alphabet of several, or "" if none is known yet.
func (f *Filter) Change() string {
	if len(f.s.Changes) == 0 {
		return ""
	}
	return f.s.Changes[0]
}
