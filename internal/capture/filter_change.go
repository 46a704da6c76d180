package capture

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
	name := cut(words[0], maxNameChars)
	if slices.Contains(f.Changes, name) {
		return
	}
	f.Changes = append(f.Changes, name)
	slices.Sort(f.Changes)
	f.Changes = f.Changes[:min(len(f.Changes), maxChanges)]
}

// change returns the name of the OpenSpec change that the session works on, the first in the
// alphabet of several, or "" if none is known yet.
func (f *Filter) change() string {
	if len(f.Changes) == 0 {
		return ""
	}
	return f.Changes[0]
}
