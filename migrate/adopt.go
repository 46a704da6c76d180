package migrate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/text"
	"whence/internal/textdiff"
	"whence/internal/worktree"
	"whence/validate"
)

// How files are used, in the order of the plan.
const (
	asDocuments = "documents" // each file is a decision
	asDecisions = "decisions" // each section is a decision
	asTheyAre   = "leave"
)

var uses = []string{asDocuments, asDecisions, asTheyAre}

var headlines = map[string]string{
	asDocuments: "documents (each file is a decision)",
	asDecisions: "decisions (each section is a decision)",
	asTheyAre:   "left as they are",
}

// adoptRow says how files are used.
type adoptRow struct {
	use   string
	path  string // a glob
	files int    // that it matches, except those that other rows list
	why   string
}

// adoptPlan says how the files of a repository are used that are not in the memory yet.
type adoptPlan []adoptRow

// adopt plans, then shows the plan or the change, or makes it. If another process has changed a file
// meanwhile, it starts again from the new files.
func (o *options) adopt(env cli.Env, tree *worktree.Tree, c config.Config) error {
	plan, err := findAdoptable(env, tree, c)
	if err != nil {
		return err
	}
	var a *adoption
	err = worktree.Retry(func() error {
		if a, err = adopt(env, tree, c, plan); err != nil || !o.write {
			return err
		}
		return a.save(tree)
	})
	if err != nil {
		return err
	}
	if o.write {
		err = finding.Write(env.Stdout, "text", finding.Report{Findings: finding.Placed(a.left, o.typed.Path)}, false)
	} else {
		err = o.showAdoption(env, a)
	}
	switch {
	case err != nil:
		return err
	case !a.settings.changed() && !a.index.changed():
		o.note(env, "nothing to adopt")
		return nil
	case !o.write:
		o.note(env, "%s would be added: --diff shows the change, and \"%s\" makes it", cli.Count(len(a.added), "entry", "entries"), o.typed.Command("memory-migrate adopt --write"))
		return nil
	}
	o.summarizeAdoption(env, a)
	if len(a.left) > 0 {
		return cli.ErrFound
	}
	return nil
}

// showAdoption prints the plan, or the change as a patch.
func (o *options) showAdoption(env cli.Env, a *adoption) error {
	if !o.diff {
		return cli.PrintExact(env, a.plan.text())
	}
	patch := textdiff.Unified(config.ProjectFile, a.settings.before, a.settings.after)
	return cli.PrintExact(env, patch+textdiff.Unified(a.index.path, a.index.before, a.index.after))
}

// summarizeAdoption prints the number of entries by section, what was left, and how many drafts to word.
func (o *options) summarizeAdoption(env cli.Env, a *adoption) {
	var out strings.Builder
	entries := map[string]int{}
	for _, section := range a.added {
		entries[section]++
	}
	for _, section := range slices.Sorted(maps.Keys(entries)) {
		fmt.Fprintf(&out, "%s: %s added\n", section, cli.Count(entries[section], "entry", "entries"))
	}
	for _, r := range a.plan {
		if r.use == asTheyAre {
			fmt.Fprintf(&out, "left %s: %s\n", r.path, r.why)
		}
	}
	if a.drafts > 0 {
		fmt.Fprintln(&out, validate.DraftsWritten(a.drafts, o.typed))
	}
	o.note(env, "%s", strings.TrimSuffix(text.PrintableLines(out.String()), "\n"))
}

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

// maxPathColumn is the width in characters to which paths are padded: a line of a terminal has 80 or
// more.
const maxPathColumn = 40

// text returns the plan for a reader.
func (p adoptPlan) text() string {
	width := 0
	for _, r := range p {
		width = max(width, len([]rune(text.Printable(r.path))))
	}
	width = min(width, maxPathColumn)
	var out strings.Builder
	use := ""
	for _, r := range p {
		if r.use != use {
			use = r.use
			fmt.Fprintln(&out, headlines[use])
		}
		count := ""
		if use != asTheyAre || strings.Contains(r.path, "*") {
			count = cli.Count(r.files, "file", "files") + ": "
		}
		fmt.Fprintf(&out, "  %-*s  %s%s\n", width, text.Printable(r.path), count, text.Printable(r.why))
	}
	return out.String()
}
