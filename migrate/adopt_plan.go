package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/text"
)

// How files are used, in the order of the plan.
const (
	asDocuments = "documents" // each file is a decision
	asDecisions = "decisions" // each section is a decision
	asTheyAre   = "leave"
)

var uses = []string{asDocuments, asDecisions, asTheyAre}

// adoptRow says how files are used.
type adoptRow struct {
	use   string
	path  string // a glob
	files int    // that it matches, except those in rows of their own
	why   string
}

type adoptPlan []adoptRow

func (p adoptPlan) sort() {
	slices.SortStableFunc(p, func(a, b adoptRow) int {
		return cmp.Or(cmp.Compare(slices.Index(uses, a.use), slices.Index(uses, b.use)), cmp.Compare(a.path, b.path))
	})
}

// with returns the plan with more rows, in place of those with the same path.
func (p adoptPlan) with(rows adoptPlan) adoptPlan {
	replaced := map[string]bool{}
	for _, r := range rows {
		replaced[r.path] = true
	}
	p = slices.Concat(slices.DeleteFunc(slices.Clone(p), func(r adoptRow) bool { return replaced[r.path] }), rows)
	p.sort()
	return p
}

// globs returns the globs with a use.
func (p adoptPlan) globs(use string) (globs []string) {
	for _, r := range p {
		if r.use == use {
			globs = append(globs, r.path)
		}
	}
	return globs
}

// text returns the plan for a reader.
func (p adoptPlan) text() string {
	width := 0
	for _, r := range p {
		width = max(width, len([]rune(text.Printable(r.path))))
	}
	width = min(width, maxPathColumn)
	var out strings.Builder
	for _, use := range uses {
		first := true
		for _, r := range p {
			if r.use != use {
				continue
			}
			if first {
				fmt.Fprintln(&out, headlines[use])
				first = false
			}
			count := ""
			if use != asTheyAre || strings.Contains(r.path, "*") {
				count = cli.Count(r.files, "file", "files") + ": "
			}
			fmt.Fprintf(&out, "  %-*s  %s%s\n", width, text.Printable(r.path), count, text.Printable(r.why))
		}
	}
	return out.String()
}

// maxPathColumn is the width in characters to which paths are padded: a line of a terminal has 80 or
// more.
const maxPathColumn = 40

var headlines = map[string]string{
	asDocuments: "documents (each file is a decision)",
	asDecisions: "decisions (each section is a decision)",
	asTheyAre:   "left as they are",
}
