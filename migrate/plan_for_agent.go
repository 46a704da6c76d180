package migrate

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
	"whence/internal/wording"
	"whence/internal/worktree"
	"whence/validate"
	"whence/when"
)

// minConfidence is the confidence from which a row is good as it is: an agent words those below it.
const minConfidence = 0.8

// wasSet begins the reason of a row that was worded.
const wasSet = "set"

func (r Row) isSet() bool { return r.Why == wasSet || strings.HasPrefix(r.Why, wasSet+":") }

// isDue reports whether a row is still to be worded: it has no heading, or its wording is doubtful.
func (r Row) isDue() bool {
	return !r.isSet() && r.Kind() != Removed && (r.Header == "" || r.Confidence < minConfidence)
}

// countDue returns the number of rows that are still to be worded.
func (p Plan) countDue() int {
	n := 0
	for _, r := range p.Rows {
		if r.isDue() {
			n++
		}
	}
	return n
}

// progress returns the state of a plan in a line.
func (p Plan) progress() string {
	set, all := 0, 0
	for _, r := range p.Rows {
		if r.isSet() {
			set++
		}
		if r.Kind() != Removed {
			all++
		}
	}
	return fmt.Sprintf("%d of %d set, %d to look at (%d with a low confidence)", set, all, all-set, p.countDue())
}

var errNotKept = cli.Usagef("--plan -: name a file, which keeps the plan from batch to batch")

// planForAgent prints the next batch of rows to word, with what is needed to word them.
func (o *options) planForAgent(env cli.Env, tree *worktree.Tree, c config.Config) error {
	if o.planFile == "-" {
		return errNotKept
	}
	memory, err := cli.Memory(env, tree, c)
	if err != nil {
		return err
	}
	m, err := load(memory, c)
	if err != nil {
		return err
	}
	if len(legacyEntries(m.Index)) == 0 {
		o.summarize(env, c.Index, Outcome{missing: m.IndexMissing}, false)
		return text.WriteJSON(env.Stdout, wording.NewRequest([]wording.Entry{}, 0, 0, c))
	}
	file := o.keptAt(env, tree, c)
	plan, err := file.makePlan(m, c, cli.Progress(env, "planning"))
	if err != nil {
		return err
	}
	request, err := newRequest(m, c, plan, o.all, o.max)
	if err != nil {
		return err
	}
	o.printProgress(env, plan)
	o.note(env, "memory-migrate: the plan is in %s until memory-migrate apply has written it", o.planName(c.Index))
	return text.WriteJSON(env.Stdout, request)
}

func (o *options) printProgress(env cli.Env, plan Plan) {
	if !o.quiet {
		fmt.Fprintf(env.Stderr, "memory-migrate: %s\n", plan.progress())
	}
}

// newRequest asks for the rows that are due, or for all that are not set.
func newRequest(m *corpus.Corpus, c config.Config, plan Plan, all bool, maxRows int) (wording.Request, error) {
	headings, entries, rows := semanticHeadings(m), []wording.Entry{}, 0
	for _, r := range plan.Rows {
		if r.Kind() != Removed {
			rows++
		}
		if !r.isDue() && (!all || r.isSet() || r.Kind() == Removed) {
			continue
		}
		e := wording.Entry{
			Line: r.Line, Operator: r.Operator, Trigger: r.Trigger, Description: r.Description,
			Why: r.Why, Confidence: r.Confidence, Source: r.Source, Situations: []string{},
		}
		if h, found := headingOf(headings, r); found {
			e.Section(h.file, h.index)
		}
		e.Situations = append(e.Situations, r.Situations...)
		e.Wanted = max(0, wording.WantedSituations-len(e.Situations))
		entries = append(entries, e)
	}
	request := wording.NewRequest(entries, rows, maxRows, c)
	if slices.ContainsFunc(request.Entries, func(e wording.Entry) bool { return e.Header == "" }) {
		request.Rules = append(request.Rules, `For an entry without a header, answer "header": the title of the heading that holds its decision, or "" to leave it without an entry.`)
	}
	planned, err := planned(m, c, plan)
	if err != nil {
		return wording.Request{}, err
	}
	finder, err := when.FinderOf(planned)
	if err != nil {
		return wording.Request{}, err
	}
	for i, e := range request.Entries {
		request.Entries[i].Neighbours = wording.Neighbours(finder, e)
	}
	return request, nil
}

// headingOf returns the heading of a row that has one.
func headingOf(headings map[string][]heading, r Row) (heading, bool) {
	found := headings[decision.Key(r.Header)]
	i := slices.IndexFunc(found, func(h heading) bool { return h.file.Path == r.File })
	if i < 0 {
		return heading{}, false
	}
	return found[i], true
}

func (h heading) place(decisions []*decision.File) validate.Place {
	return validate.Place{File: slices.Index(decisions, h.file), Heading: h.index}
}

// planned returns the memory with the entries and situations of a plan, where its lines are now.
func planned(m *corpus.Corpus, c config.Config, plan Plan) (*corpus.Corpus, error) {
	src, err := rewrite(m.Index.WithLineEnd(), plan)
	if err != nil {
		return nil, err
	}
	work, err := withSituations(m, c, plan)
	if err != nil {
		return nil, err
	}
	work.Index = index.Parse(src)
	return work, nil
}

// withSituations returns a copy of a memory with the situations of a plan in its decision files.
func withSituations(m *corpus.Corpus, c config.Config, plan Plan) (*corpus.Corpus, error) {
	work := *m
	headings, wanted := semanticHeadings(m), []wording.Phrases{}
	for _, r := range plan.Rows {
		if h, found := headingOf(headings, r); found && len(r.Situations) > 0 {
			wanted = append(wanted, wording.Phrases{Place: h.place(m.Decisions), Texts: r.Situations})
		}
	}
	if len(wanted) == 0 {
		return &work, nil
	}
	after, _, err := wording.AddSituations(validate.NewEditor(m, c), wanted)
	if err == nil && after != nil {
		work.Decisions = after.Decisions
	}
	return &work, err
}
