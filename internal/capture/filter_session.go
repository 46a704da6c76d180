package capture

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"unicode"

	"whence/internal/agent/transcript"
	"whence/internal/store"
	"whence/internal/text"
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
	name := text.FirstChars(words[0], maxNameChars)
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
	sum := sha256.Sum256([]byte(t.Kind + "\x00" + withoutNumbers(strings.ToLower(oneLine(t.Text)))))
	return base64.RawStdEncoding.EncodeToString(sum[:8])
}

// withoutNumbers replaces each run of digits with 0.
func withoutNumbers(text string) string {
	inNumber := false
	return strings.Map(func(r rune) rune {
		wasInNumber := inNumber
		inNumber = unicode.IsDigit(r)
		switch {
		case !inNumber:
			return r
		case wasInNumber:
			return -1
		}
		return '0'
	}, text)
}
