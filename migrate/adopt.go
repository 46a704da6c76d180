package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/worktree"
	"whence/validate"
)

// How files are used, in the order of the plan.
const (
	asDocuments = "documents (each file is a decision)"
	asDecisions = "decisions (each section is a decision)"
	asTheyAre   = "left as they are"
)

var uses = []string{asDocuments, asDecisions, asTheyAre}

// adoptRow says how files are used.
type adoptRow struct {
	use   string
	path  string   // a glob
	files []string // that it matches, except those that other rows list
	why   string
}

// adoptPlan says how the files of a repository that are not in the memory yet are used.
type adoptPlan []adoptRow

// adopt prints the plan, or with --write, makes the change and prints the findings. If another process changes a file
// meanwhile, it starts again from the new files.
func (o *options) adopt(env cli.Env, tree *worktree.Tree, c config.Config) error {
	plan, absent, err := findAdoptable(env, tree, c)
	if err != nil {
		return err
	}
	inert.SayWhose(env.Stdout, inert.FromFindings)
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
		err = finding.Write(env.Stdout, "text", finding.Report{Findings: finding.Placed(a.left, o.typed.Place)}, false)
	} else {
		err = cli.PrintExact(env, a.plan.text())
	}
	if err != nil {
		return err
	}
	if len(absent) > 0 {
		o.note(env, "git has not checked out %s, such as %s; to adopt them too: git sparse-checkout disable", cli.Count(len(absent), "record", "records"), inert.Path(absent[0]))
	}
	if a.numbers != "" {
		o.note(env, "%s", a.numbers)
	}
	for _, unknown := range a.statuses {
		o.note(env, "%s", unknown)
	}
	if !a.settings.changed() && !a.index.changed() {
		return o.nothingToAdopt(env, tree, c, len(absent) > 0)
	}
	if !o.write {
		change := cli.Count(len(a.added), "entry", "entries") + " would be added"
		if a.followed > 0 {
			change += fmt.Sprintf(", and %d would go to where the files are now", a.followed)
		}
		o.note(env, "%s: \"%s\" makes the change", change, o.typed.Command("memory-migrate adopt --write"))
		return nil
	}
	o.summarizeAdoption(env, a)
	if len(a.left) > 0 {
		return cli.ErrFound
	}
	return nil
}

// Adoptable returns how many entries adopt would add to the memory of a tree.
func Adoptable(env cli.Env, tree *worktree.Tree, c config.Config) (entries int, err error) {
	plan, _, err := findAdoptable(env, tree, c)
	if err != nil {
		return 0, err
	}
	a, err := adopt(env, tree, c, plan)
	if err != nil {
		return 0, err
	}
	return len(a.added), nil
}

// nothingToAdopt says that there is nothing to adopt, and how to begin without records. If git ignores the only
// records, it says how to find out why. absent means that records which git has not checked out have been named.
func (o *options) nothingToAdopt(env cli.Env, tree *worktree.Tree, c config.Config, absent bool) error {
	ignored, err := ignoredRecords(env, tree, c)
	if err != nil {
		return err
	}
	if len(ignored) == 0 && absent {
		o.note(env, "nothing to adopt")
		return nil
	}
	if len(ignored) == 0 {
		step, err := firstStep(env, tree, c)
		o.note(env, "nothing to adopt%s", step)
		return err
	}
	o.note(env, "nothing to adopt: git ignores %s, such as %s; change the line that \"%s\" shows",
		cli.Count(len(ignored), "record", "records"), o.typed.Path(ignored[0]), o.typed.Git("check-ignore -v", ignored[0]))
	return nil
}

// firstStep says how to begin a memory, or returns "" if there is one.
func firstStep(env cli.Env, tree *worktree.Tree, c config.Config) (string, error) {
	source, err := cli.Memory(env, tree, c)
	if err != nil {
		return "", err
	}
	_, err = validate.Load(source, c)
	if errors.Is(err, memory.ErrNoMemory) && !memory.IsRefusal(err) {
		return fmt.Sprintf("; to begin with a decision, run \"%s\"", c.Typed.Command("memory-remember decide 'TITLE' --text 'WHAT, AND WHY'")), nil
	}
	return "", nil // memory-validate reports other errors
}

// summarizeAdoption prints the number of entries added to each section, the files left as they are, and the number of
// drafts to word.
func (o *options) summarizeAdoption(env cli.Env, a *adoption) {
	entries := map[string]int{}
	for _, section := range a.added {
		entries[section]++
	}
	if a.followed > 0 {
		o.note(env, "%s to where the files are now", cli.Count(a.followed, "entry has gone", "entries have gone"))
	}
	for _, section := range slices.Sorted(maps.Keys(entries)) {
		o.note(env, "%s: %s added", inert.Path(section), cli.Count(entries[section], "entry", "entries"))
	}
	for _, r := range a.plan {
		if r.use == asTheyAre {
			o.note(env, "left %s: %s", inert.Path(r.path), r.why)
		}
	}
	if a.drafts > 0 {
		o.note(env, "%s", validate.DraftsWritten(a.drafts, o.typed))
	}
}

// with returns the plan with rows added, sorted. They replace rows with the same path; of several rows with one path,
// the first counts.
func (p adoptPlan) with(rows adoptPlan) (next adoptPlan) {
	seen := map[string]bool{}
	for _, r := range slices.Concat(rows, p) {
		if !seen[r.path] {
			seen[r.path] = true
			next = append(next, r)
		}
	}
	slices.SortFunc(next, func(a, b adoptRow) int {
		return cmp.Or(cmp.Compare(slices.Index(uses, a.use), slices.Index(uses, b.use)), cmp.Compare(a.path, b.path))
	})
	return next
}

// without returns the plan with unfit lists of decisions left as they are. If a folder has some, its other files are
// named one by one.
func (p adoptPlan) without(unfit map[string]finding.Finding) (next adoptPlan) {
	for _, r := range p {
		isUnfit := func(name string) bool { _, is := unfit[name]; return is }
		if r.use != asDecisions || !slices.ContainsFunc(r.files, isUnfit) {
			next = append(next, r)
			continue
		}
		for _, name := range r.files {
			row := adoptRow{use: asDecisions, path: globOf(name), files: []string{name}, why: r.why}
			if f, is := unfit[name]; is {
				row.use, row.why = asTheyAre, fmt.Sprintf("%s [%s]", f.Message, f.Rule)
			}
			next = append(next, row)
		}
	}
	return next.with(nil)
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
	var out strings.Builder
	columns := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	use := ""
	for _, r := range p {
		if r.use != use {
			use = r.use
			fmt.Fprintln(columns, use)
		}
		count := ""
		if use != asTheyAre || strings.Contains(r.path, "*") {
			count = cli.Count(len(r.files), "file", "files") + ": "
		}
		fmt.Fprintf(columns, "  %s\t%s%s\n", inert.Path(r.path), count, inert.Printable(r.why))
	}
	_ = columns.Flush() // a strings.Builder takes everything
	return out.String()
}
