package capture

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"unicode"

	"whence/internal/store"
)

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
