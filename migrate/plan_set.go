package migrate

import (
	"errors"
	"fmt"
	"io/fs"
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

// set writes the answers of an agent into the plan. Those that are refused are printed.
func (o *options) set(env cli.Env, tree *worktree.Tree, c config.Config) error {
	switch {
	case !o.stdin:
		return cli.Usagef("plan set reads the answers from standard input: add --stdin")
	case o.planFile == "-":
		return errNotKept
	}
	lines, err := wording.ReadLines(env.Stdin)
	if err != nil {
		return cli.Usagef("%v", err)
	}
	memory, err := cli.Memory(env, tree, c)
	if err != nil {
		return err
	}
	m, err := load(memory, c)
	if err != nil {
		return err
	}
	var result Plan
	var report wording.Report
	err = o.keptAt(env, tree, c).update(m, func(plan Plan) (Plan, error) {
		result, report, err = setRows(m, c, plan, lines)
		return result, err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return cli.Usagef("there is no plan: memory-migrate plan --for-agent makes it")
	}
	if err != nil {
		return err
	}
	o.printProgress(env, result)
	if err := text.WriteJSON(env.Stdout, report); err != nil {
		return err
	}
	if len(report.Refused) > 0 {
		return cli.ErrFound
	}
	return nil
}

// setter words the rows of a plan.
type setter struct {
	rows     []Row
	headings map[string][]heading
	editor   *validate.Editor
	checker  *wording.Checker
	set      map[int]bool // rows that were set
}

// setRows returns a plan worded by answers. Each is checked by itself; what is refused changes nothing.
func setRows(m *corpus.Corpus, c config.Config, plan Plan, lines []wording.Line) (Plan, wording.Report, error) {
	s := newSetter(m, c, plan)
	report := wording.Report{Refused: []wording.Refusal{}}
	type proposed struct {
		input, row int
		answer     wording.Answer
		proposal   wording.Proposal
	}
	var all []proposed
	for _, line := range lines {
		a, err := line.Answer()
		if err != nil {
			report.Refuse(line.Number, a, err.Error())
			continue
		}
		row, p, reasons := s.word(a)
		if len(reasons) > 0 {
			report.Refuse(line.Number, a, reasons...)
			continue
		}
		all = append(all, proposed{line.Number, row, a, p})
	}
	work, err := planned(m, c, Plan{s.rows})
	if err != nil {
		return Plan{}, report, err
	}
	finder, err := when.FinderOf(work)
	if err != nil {
		return Plan{}, report, err
	}
	for _, n := range all {
		if reasons := wording.Astray(finder, n.proposal); s.rows[n.row].Header != "" && len(reasons) > 0 {
			report.Refuse(n.input, n.answer, reasons...)
			s.rows[n.row] = plan.Rows[n.row]
		} else {
			report.Set++
		}
	}
	result := Plan{s.rows}
	report.Sort()
	report.Left = result.countDue()
	return result, report, result.check("the plan", m)
}

func newSetter(m *corpus.Corpus, c config.Config, plan Plan) *setter {
	editor := validate.NewEditor(m, c)
	s := &setter{slices.Clone(plan.Rows), semanticHeadings(m), editor, wording.NewChecker(editor, c), map[int]bool{}}
	for _, r := range plan.Rows {
		if r.Header != "" {
			s.checker.Add(wording.Proposal{Lead: r.lead(), Situations: r.Situations})
		}
	}
	return s
}

func (r Row) lead() when.Lead {
	return when.Lead{Operator: r.Operator, Trigger: r.Trigger, Title: r.Header, File: r.File}
}

// word words a row, or returns why an answer is refused.
func (s *setter) word(a wording.Answer) (at int, p wording.Proposal, reasons []string) {
	at, reason := s.find(a)
	if reason != "" {
		return at, p, []string{reason}
	}
	row := s.rows[at]
	if a.Line != 0 && a.Header != nil && (decision.Key(*a.Header) != decision.Key(row.Header) || a.File != "") {
		row.Header, row.File = *a.Header, a.File
	}
	if a.Line != 0 && a.Header != nil && *a.Header == "" {
		row.File, row.Confidence, row.Why = "", 1, wasSet+": no entry; "+strings.TrimPrefix(row.Why, wasSet+": no entry; ")
		s.rows[at], s.set[at] = row, true
		return at, p, nil
	}
	if row.Header == "" {
		return at, p, []string{fmt.Sprintf(`line %d has no heading yet: add "header", the title of a heading in a decision file, or "header": "" to leave it without an entry`, row.Line)}
	}
	if err := row.resolve(s.headings); err != nil {
		return at, p, []string{err.Error()}
	}
	h, _ := headingOf(s.headings, row)
	if lines := s.editor.Leading(h.place(s.editor.Decisions())); len(lines) > 0 {
		return at, p, []string{fmt.Sprintf("heading %q has the entry on line %d already: name another heading", row.Header, s.editor.Index().Lines[lines[0]].Number)}
	}
	for i, other := range s.rows {
		if i != at && other.File == row.File && decision.Key(other.Header) == decision.Key(row.Header) {
			return at, p, []string{fmt.Sprintf("heading %q is that of line %d already: name another heading", row.Header, other.Line)}
		}
	}
	if a.Operator != "" {
		row.Operator = strings.TrimPrefix(a.Operator, "/")
	}
	if a.Trigger != "" {
		row.Trigger = index.NormalizeTrigger(a.Trigger)
	}
	if a.Description != "" {
		row.Description = strings.TrimSpace(a.Description)
	}
	if a.Situations != nil {
		row.Situations = a.Situations
	}
	p = wording.Proposal{Lead: row.lead(), Description: row.Description, Situations: row.Situations}
	if reasons = s.checker.Check(&p, s.rows[at].lead()); len(reasons) > 0 {
		return at, p, reasons
	}
	s.checker.Add(p)
	row.Description, row.Situations = strings.Join(strings.Fields(row.Description), " "), p.Situations
	row.Confidence, row.Why = 1, wasSet
	s.rows[at], s.set[at] = row, true
	return at, p, nil
}

// find returns the row that an answer is about, or the reason why there is none.
func (s *setter) find(a wording.Answer) (at int, reason string) {
	var found []int
	for i, r := range s.rows {
		if a.Line == r.Line || a.Line == 0 && a.Title() != "" && decision.Key(a.Title()) == decision.Key(r.Header) && (a.File == "" || a.File == r.File) {
			found = append(found, i)
		}
	}
	switch {
	case a.Line == 0 && a.Title() == "":
		return 0, `it names no row: add "line" or "header" as memory-migrate plan --for-agent prints it`
	case len(found) == 0 && a.Line != 0:
		return 0, fmt.Sprintf("the plan has no row for line %d: use \"line\" as memory-migrate plan --for-agent prints it", a.Line)
	case len(found) == 0:
		return 0, fmt.Sprintf("the plan has no row for heading %q: use \"line\" as memory-migrate plan --for-agent prints it", a.Title())
	case len(found) > 1:
		return 0, fmt.Sprintf("%d rows have the heading %q: add \"line\" or \"file\"", len(found), a.Title())
	case s.set[found[0]]:
		return 0, fmt.Sprintf("line %d is in this batch already: keep one answer", s.rows[found[0]].Line)
	}
	return found[0], ""
}
