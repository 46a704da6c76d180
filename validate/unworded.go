package validate

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/text"
	"whence/internal/trigger"
)

// Unworded lists the entries that still have to be worded, as indexes into Index.Lines: those whose
// heading has no situations. The first NumDrafts are drafts.
type Unworded struct {
	Lines     []int
	NumDrafts int
	Skipped   []string // documents without situations that need none, as they are rejected or superseded
}

// Unworded lists what is still to word of the memory.
func (k *check) Unworded() (u Unworded) {
	var others []int
	gone := decision.Succession(k.documentFiles())
	seen := map[Place]bool{}
	for _, e := range k.entries {
		at, known := k.Target(e.line)
		if !known || seen[at] {
			continue
		}
		seen[at] = true
		file := k.Decisions[at.File]
		_, isGone := gone[file]
		if len(file.Phrases(at.Heading)) > 0 {
			continue
		}
		if isGone {
			u.Skipped = append(u.Skipped, file.Path)
		} else if k.IsDerived(at, e.key) {
			u.Lines = append(u.Lines, e.line)
		} else {
			others = append(others, e.line)
		}
	}
	u.NumDrafts = len(u.Lines)
	u.Lines = append(u.Lines, others...)
	return u
}

// Holds reports whether the record of a heading holds: it is neither rejected nor superseded.
func (k *check) Holds(at Place) bool {
	_, isGone := decision.Succession(k.documentFiles())[k.Decisions[at.File]]
	return !isGone
}

func (k *check) documentFiles() []*decision.File {
	return slices.DeleteFunc(slices.Clone(k.Decisions), func(f *decision.File) bool { return !f.Document })
}

// IsDerived reports whether a draft of a heading would have this operator and trigger. The draft may
// have a word more that made it unique.
func (k *check) IsDerived(at Place, key index.Key) bool {
	operator, words := trigger.Derive(trigger.Title(k.Decisions[at.File], at.Heading))
	has := strings.Fields(key.Trigger)
	return operator == key.Operator && len(has) >= len(words) && len(has) <= len(words)+1 && slices.Equal(has[:len(words)], words)
}

// WordingCount is the number of decisions that entries lead to, of those without situations, and of those
// among them whose entries are drafts.
type WordingCount struct{ Drafts, Without, All int }

// CountWording counts the decisions of a memory. Documents that do not hold count only in All.
func CountWording(m *corpus.Corpus, c config.Config) (n WordingCount) {
	k := newCheck(m, c)
	u := k.Unworded()
	seen := map[Place]bool{nowhere: true}
	for _, at := range k.joined.Targets {
		if !seen[at] {
			seen[at] = true
			n.All++
		}
	}
	n.Drafts, n.Without = u.NumDrafts, len(u.Lines)
	return n
}

// WordingRemedy says how entries are worded.
func WordingRemedy(t text.Typed) string {
	return "tell your agent to run " + t.Command("memory-remember entry drafts --format json") + ", and to follow the rules that it prints"
}

// DraftsWritten says in a line that drafts were written, and what the next step is.
func DraftsWritten(drafts int, t text.Typed) string {
	return cli.Count(drafts, "draft was", "drafts were") + " written. Next: " + WordingRemedy(t)
}

// If fewer decisions or a smaller share have no situations, that changes little for recall.
const (
	minWithout        = 5
	minWithoutPercent = 20
)

// AreFew reports whether so many decisions have no situations that someone should write them.
func (n WordingCount) AreFew() bool {
	return n.Without >= minWithout && 100*n.Without >= minWithoutPercent*n.All
}

// String says how many decisions have no situations, and what this means for recall.
func (n WordingCount) String() string {
	all := cli.Count(n.All, "decision", "decisions")
	if n.Without == 1 {
		return "1 of " + all + " has no situations, so it is recalled less often"
	}
	return fmt.Sprintf("%d of %s have no situations, so they are recalled less often", n.Without, all)
}
