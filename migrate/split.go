package migrate

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/files"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/text"
	"whence/internal/textdiff"
	"whence/internal/worktree"
	"whence/validate"
)

// split holds the sections of an instruction file, with the proposals for them, and the files before and
// after.
type split struct {
	splitFile
	sections              []splitSection
	file, decisions, memo textChange
	back                  bool // sections are put back
	removed               bool // the decision file is
	entries               int  // added or removed
	situations            int  // removed with their sections
	left                  []finding.Finding
}

func (s *split) changed() bool { return s.file.changed() || s.decisions.changed() }

// split proposes which sections of an instruction file are recalled rather than always in context, and
// moves them; with --revert it puts them back.
func (o *adoptOptions) split(env cli.Env, tree *worktree.Tree, c config.Config) error {
	name, err := instructionFile(env, tree, o.splitFile)
	if err != nil {
		return err
	}
	s, m, err := openSplit(tree.FS(), openMemory(env, tree), c, name)
	if err != nil {
		return err
	}
	if o.revert {
		err = s.revert(m, c)
	} else {
		err = o.choose(env, tree, c, s, m)
	}
	if err != nil {
		return err
	}
	if o.write && s.changed() {
		for _, c := range []textChange{s.file, s.decisions} {
			if !c.changed() || c.created {
				continue
			}
			if err := (&options{force: o.force}).checkCommitted(env, tree, c.path); err != nil {
				return err
			}
		}
		if err := s.save(tree.Strict()); err != nil {
			return err
		}
	}
	return o.showSplit(env, s)
}

// instructionFile returns the path of an instruction file from the root.
func instructionFile(env cli.Env, tree *worktree.Tree, file string) (string, error) {
	name, inside := worktree.Name(tree.Dir, env.Path(file))
	if !inside {
		return "", cli.Usagef("--split %s: it is not in the repository", file)
	}
	real, err := tree.Real(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", cli.Usagef("--split %s: there is no such file", file)
	case err != nil:
		return "", err
	case real != name:
		return "", cli.Usagef("--split %s: it is a link to %s; split that", file, real)
	}
	return name, nil
}

// openSplit reads the instruction file, the memory, and the decision file for the sections.
func openSplit(tree fs.FS, open openFunc, c config.Config, name string) (*split, *corpus.Corpus, error) {
	src, err := files.ReadText(tree, name)
	if err != nil {
		return nil, nil, err
	}
	memory, err := open(c)
	if err != nil {
		return nil, nil, err
	}
	m, err := validate.Load(memory, c)
	if errors.Is(err, validate.ErrNoMemory) {
		m, err = &corpus.Corpus{IndexPath: c.Index, Index: index.Parse(nil), IndexMissing: true, Tree: memory}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	s := &split{splitFile: splitFile{name: name}, file: textChange{path: name, before: src, after: src}}
	if s.decisions, err = s.findTarget(memory, c); err != nil {
		return nil, nil, err
	}
	s.memo = textChange{m.IndexPath, m.Index.Source, m.Index.Source, m.IndexMissing}
	return s, m, nil
}

// findTarget sets the decision file for the sections: named like the instruction file, unless that name
// is taken by another.
func (s *split) findTarget(tree fs.FS, c config.Config) (change textChange, err error) {
	folder := path.Dir(c.Decisions[0])
	stem := strings.ToLower(strings.TrimSuffix(strings.ReplaceAll(strings.TrimPrefix(s.name, "."), "/", "-"), path.Ext(s.name)))
	for _, base := range []string{stem, stem + "-sections"} {
		s.target = path.Join(folder, strings.ReplaceAll(base, " ", "-")+".md")
		change = textChange{path: s.target}
		change.before, err = files.ReadText(tree, s.target)
		change.after, change.created = change.before, errors.Is(err, fs.ErrNotExist)
		switch {
		case err != nil && !change.created:
			return change, err
		case !(corpus.Layout{Index: c.Index, Decisions: c.Decisions}).Holds(s.target):
			return change, fmt.Errorf("%s is not a decision file: add %s to decisions in %s", s.target, s.target, config.ProjectFile)
		case change.created || bytes.HasPrefix(change.before, []byte(s.mark())):
			return change, nil
		}
	}
	return change, fmt.Errorf("%s holds other decisions: rename it", s.target)
}

// choose moves the sections that are proposed, or those that the table names.
func (o *adoptOptions) choose(env cli.Env, tree *worktree.Tree, c config.Config, s *split, m *corpus.Corpus) error {
	f, err := corpus.Layout{}.Parse(s.name, s.file.before)
	if err != nil {
		return err
	}
	base := s.withoutCopies(f, s.decisions.before, false)
	s.decisions.after = base
	s.sections = proposeSplit(f, takenTitles(f, s.withTarget(m)))
	s.decisions.after = s.decisions.before
	if o.planFile != "" {
		src, err := (&options{planFile: o.planFile}).readPlan(env, tree, c)
		if err != nil {
			return err
		}
		if err := s.choose(o.planFile, src); err != nil {
			return &config.Error{Message: err.Error()}
		}
	}
	var headings []int
	for i, section := range s.sections {
		if section.move && !s.movable(f.Body(section.heading)) {
			s.sections[i].move, s.sections[i].why = false, "its links could not be restored"
		} else if section.move {
			headings = append(headings, section.heading)
		}
	}
	if len(headings) == 0 {
		return nil
	}
	if s.file.after, s.decisions.after, err = s.move(f, base, headings); err != nil {
		return err
	}
	return s.index(m, c)
}

// takenTitles reports which titles other headings of the memory have, or several of the file.
func takenTitles(f *decision.File, m *corpus.Corpus) func(key string) bool {
	count := map[string]int{}
	for _, h := range f.Headings {
		count[h.Key]++
	}
	for _, file := range m.Decisions {
		for _, h := range file.Headings {
			if h.Semantic() && !file.Document {
				count[h.Key] = 2
			}
		}
	}
	return func(key string) bool { return count[key] > 1 }
}

// withTarget returns the memory with the decision file as it will be.
func (s *split) withTarget(m *corpus.Corpus) *corpus.Corpus {
	next := *m
	next.Decisions = slices.DeleteFunc(slices.Clone(m.Decisions), func(f *decision.File) bool { return f.Path == s.target })
	if !s.removed {
		next.Decisions = append(next.Decisions, decision.Parse(s.target, s.decisions.after))
	}
	slices.SortFunc(next.Decisions, func(a, b *decision.File) int { return strings.Compare(a.Path, b.Path) })
	return &next
}

// index drafts entries for the sections that were moved.
func (s *split) index(m *corpus.Corpus, c config.Config) error {
	next := s.withTarget(m)
	e := validate.NewEditor(next, c)
	var entries []validate.Entry
	for _, missing := range e.Missing() {
		file, h := e.Heading(missing.Place)
		if file.Path != s.target || missing.Older >= 0 || missing.Misspelt >= 0 {
			continue
		}
		entry, reason := draftEntry(missing, file, c.WordCount)
		if reason != "" {
			return fmt.Errorf("section %q cannot have an entry: %s", h.Title, reason)
		}
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return nil
	}
	after, err := e.Insert(entries...)
	if err != nil {
		return err
	}
	s.entries, s.memo.after = len(entries), after.Index.Source
	s.left = slices.DeleteFunc(validate.Check(after, c), func(f finding.Finding) bool { return f.Path != s.target && f.Path != s.memo.path })
	return nil
}

// revert puts all sections back, and removes their entries.
func (s *split) revert(m *corpus.Corpus, c config.Config) (err error) {
	if s.decisions.created {
		return nil
	}
	s.back = true
	s.file.after, s.decisions.after, err = s.restore(decision.Parse(s.name, s.file.before), s.decisions.before)
	if err != nil || !s.changed() {
		return err
	}
	s.removed = s.decisions.after == nil
	e := validate.NewEditor(m, c)
	s.situations = countPhrases(s.target, s.decisions.before) - countPhrases(s.target, s.decisions.after)
	kept := map[string]bool{}
	for _, h := range decision.Parse(s.target, s.decisions.after).Headings {
		kept[h.Key] = true
	}
	var lines []int
	for fi, file := range e.Decisions() {
		for hi, h := range file.Headings {
			if file.Path == s.target && !kept[h.Key] {
				lines = append(lines, e.Leading(validate.Place{File: fi, Heading: hi})...)
			}
		}
	}
	s.entries = len(lines)
	without, err := e.Remove(lines...)
	if err != nil {
		return err
	}
	fixed, err := validate.FixCorpus(s.withTarget(without), c, validate.Allow{})
	if err != nil {
		return err
	}
	s.memo.after = without.Index.Source
	for _, change := range fixed.Changes {
		if change.Path == s.memo.path {
			s.memo.after = change.After
		}
	}
	return nil
}

// countPhrases returns the number of situations in a decision file.
func countPhrases(name string, src []byte) (n int) {
	for _, s := range decision.Parse(name, src).Situations {
		n += len(s.Phrases)
	}
	return n
}

// save writes a text where it goes before it removes it where it was: a run that is killed loses
// nothing.
func (s *split) save(tree *worktree.Tree) error {
	order := []*textChange{&s.decisions, &s.memo, &s.file}
	if s.back {
		slices.Reverse(order)
	}
	for _, c := range order {
		var err error
		switch {
		case !c.changed():
		case c == &s.decisions && s.removed:
			err = tree.Remove(c.path, c.before)
		default:
			err = c.write(tree)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", c.path, err)
		}
	}
	return nil
}

// splitColumns are the columns of the table. Those after the second are for the reader.
var splitColumns = []string{"use", "section", "line", "tokens", "why"}

const useMove, useStay = "move", "stay"

func (s splitSection) use() string {
	if s.move {
		return useMove
	}
	return useStay
}

// table returns the sections as tab-separated values with a header line.
func (s *split) table() string {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = '\t'
	_ = w.Write(splitColumns) // a bytes.Buffer takes everything
	for _, section := range s.sections {
		_ = w.Write([]string{section.use(), guard(section.title), strconv.Itoa(section.line), strconv.Itoa(section.tokens), guard(section.why)})
	}
	w.Flush()
	return out.String()
}

// choose takes the uses from a table.
func (s *split) choose(name string, table []byte) error {
	r := csv.NewReader(bytes.NewReader(table))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = '\t', -1, true
	rows, err := r.ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for n, row := range rows {
		if n == 0 && len(row) > 0 && row[0] == splitColumns[0] || len(row) < 2 {
			continue
		}
		i := slices.IndexFunc(s.sections, func(section splitSection) bool { return section.title == unguard(row[1]) })
		switch {
		case i < 0:
			return fmt.Errorf("%s:%d: %s has no section %q", name, n+1, s.name, unguard(row[1]))
		case row[0] != useMove && row[0] != useStay:
			return fmt.Errorf("%s:%d: use %q: write %s or %s", name, n+1, row[0], useMove, useStay)
		}
		s.sections[i].move = row[0] == useMove
	}
	return nil
}

// text returns the sections for people, and what a session saves.
func (s *split) text() string {
	var out strings.Builder
	width := 0
	for _, section := range s.sections {
		width = max(width, len(section.title)+section.level-2)
	}
	for _, section := range s.sections {
		title := strings.Repeat(" ", section.level-2) + section.title
		fmt.Fprintf(&out, "%s  %-*s  %5d tokens  %s\n", section.use(), width, title, section.tokens, section.why)
	}
	before, after := tokensOf(s.file.before), tokensOf(s.file.after)
	fmt.Fprintf(&out, "%s: %d tokens in every session, %d after the move (4 characters a token)\n", s.name, before, after)
	return text.PrintableLines(out.String())
}

// showSplit prints the proposals, the change as a patch, or what was written.
func (o *adoptOptions) showSplit(env cli.Env, s *split) error {
	out := s.text()
	switch {
	case o.diff:
		out = ""
		for _, c := range []textChange{s.file, s.decisions, s.memo} {
			if c.changed() {
				out += textdiff.Unified(c.path, c.before, c.after)
			}
		}
	case o.format == "tsv":
		out = s.table()
	case o.revert || o.write:
		out = ""
	}
	if err := cli.PrintExact(env, out); err != nil {
		return err
	}
	moved := 0
	for _, section := range s.sections {
		if section.move {
			moved++
		}
	}
	switch {
	case !s.changed() && o.revert:
		o.note(env, "nothing to put back into %s", s.name)
	case !s.changed():
		o.note(env, "nothing to move out of %s", s.name)
	case !o.write:
		o.note(env, "--write makes the change, --diff shows it")
	case o.revert:
		o.note(env, "%s is whole again; %s and %s removed", s.name, cli.Count(s.entries, "entry", "entries"), cli.Count(s.situations, "situation", "situations"))
	default:
		o.note(env, "%s moved to %s, %s added; %s has %d tokens now, %d before. --revert puts them back.\nnext: situations, so that they are recalled: memory-remember entry situations; and memory-hooks install",
			cli.Count(moved, "section", "sections"), s.target, cli.Count(s.entries, "entry", "entries"), s.name, tokensOf(s.file.after), tokensOf(s.file.before))
	}
	if err := finding.Write(env.Stdout, "text", finding.Report{Findings: s.left}, false); err != nil {
		return err
	}
	if len(s.left) > 0 {
		return cli.ErrFound
	}
	return nil
}
