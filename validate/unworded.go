package validate

import (
	"fmt"
	"slices"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/shell"
	"whence/internal/trigger"
)

// Unworded lists the entries that still have to be worded: those whose heading has no situations.
type Unworded struct {
	Drafts            []*memory.Entry
	WithoutSituations []*memory.Entry // the entry is not a draft
	Skipped           []string        // decisions without situations that need none: they are rejected or superseded
}

// All returns the drafts, then the other entries.
func (u Unworded) All() []*memory.Entry { return slices.Concat(u.Drafts, u.WithoutSituations) }

// Unworded lists the entries of the memory that still have to be worded.
func (a *audit) Unworded() (u Unworded) {
	seen := map[*memory.Heading]bool{}
	for _, e := range a.Entries {
		h := a.LeadsTo(e)
		if h == nil || seen[h] {
			continue
		}
		seen[h] = true
		if len(h.Phrases()) > 0 {
			continue
		}
		if h.Gone {
			u.Skipped = append(u.Skipped, a.nameOf(h))
		} else if a.IsDerived(h, e.Key(), e.Description.Text) {
			u.Drafts = append(u.Drafts, e)
		} else {
			u.WithoutSituations = append(u.WithoutSituations, e)
		}
	}
	return u
}

// nameOf returns the path of a document, or the path and line of a section.
func (a *audit) nameOf(h *memory.Heading) string {
	if h.File.Document {
		return h.File.Path
	}
	return fmt.Sprintf("%s:%d", h.File.Path, h.Line)
}

// IsDerived reports whether a draft of a heading, with this description, would have this operator and trigger.
func (a *audit) IsDerived(h *memory.Heading, key index.Key, description string) bool {
	return trigger.IsDerived(key, trigger.Title(h.File, h.Number), description)
}

// WordingCount counts the decisions that entries lead to and that hold: those whose entries are drafts, those without
// situations (which include the drafts), and all.
type WordingCount struct{ Drafts, Without, All int }

// CountWording counts the decisions of a memory.
func CountWording(m *memory.Memory, c config.Config) (n WordingCount) {
	a := newAudit(m, c)
	u := a.Unworded()
	seen := map[*memory.Heading]bool{nil: true}
	for _, e := range a.Entries {
		if h := a.LeadsTo(e); !seen[h] && !h.Gone {
			seen[h] = true
			n.All++
		}
	}
	n.Drafts, n.Without = len(u.Drafts), len(u.All())
	return n
}

// WordingRemedy says how entries are worded.
func WordingRemedy(t shell.Typed) string {
	return "tell your agent to run " + t.Command("memory-remember entry draft --format json") + ", and to follow the rules that it prints"
}

// DraftsWritten says in a line that drafts were written, and what the next step is.
func DraftsWritten(drafts int, t shell.Typed) string {
	return cli.Count(drafts, "draft was", "drafts were") + " written. Next: " + WordingRemedy(t)
}

// Below either limit, missing situations change little for recall.
const (
	minWithout        = 5
	minWithoutPercent = 20
)

// LacksSituations reports whether so many decisions have no situations that someone should write them.
func (n WordingCount) LacksSituations() bool {
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
