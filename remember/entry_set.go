package remember

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/text"
	"whence/validate"
	"whence/when"
)

// setCommand words entries as an agent answers what entry drafts has printed.
func setCommand(env cli.Env) *urfave.Command {
	var o options
	stdin := false
	return &urfave.Command{
		Name: "set", Usage: "word entries, and add situations", ArgsUsage: "--stdin",
		Flags: o.flags(
			&urfave.BoolFlag{Name: "stdin", Usage: `read lines {"entry": "...", "trigger": "...", ...} from standard input`, Destination: &stdin},
		),
		Action: noArguments("write the wording to standard input", func(cmd *urfave.Context) error {
			if !stdin {
				return cli.Usagef("entry set reads the wording from standard input: add --stdin")
			}
			return o.setEntries(env, cmd)
		}),
	}
}

func (o *options) setEntries(env cli.Env, cmd *urfave.Context) error {
	src, err := readBytes("standard input", env.Stdin, maxImportBytes)
	if err != nil {
		return err
	}
	lines := jsonLines(src)
	if len(lines) == 0 {
		return cli.Usagef("standard input is empty: write one JSON object a line")
	}
	s, err := o.open(env, cmd)
	if err != nil {
		return err
	}
	defer s.tree.Close()
	var w *wordedEntries
	_, err = s.update(true, func(s *entryEditor) (result editResult, err error) {
		w, err = s.word(lines)
		return editResult{after: w.after}, err
	})
	if err != nil {
		return cli.SettingsError(err)
	}
	if !o.quiet {
		fmt.Fprintf(env.Stderr, "memory-remember: %d set, %d with something refused, %d left to word\n", w.report.Set, len(w.report.Refused), w.report.Left)
	}
	if err := text.WriteJSON(env.Stdout, w.report); err != nil {
		return err
	}
	if len(w.report.Refused) > 0 {
		return cli.ErrFound
	}
	return nil
}

// answer is how an agent words an entry. Fields that are empty stay as they are; situations are added.
type answer struct {
	Entry       string   `json:"entry"`
	Trigger     string   `json:"trigger"`
	Description string   `json:"description"`
	Situations  []string `json:"situations"`
}

const answerForm = `{"entry": "…", "trigger": "…", "description": "…", "situations": ["…", …]}, one object a line`

// parseAnswer reads an answer. Fields that it does not know are ignored, unless there is nothing else.
func parseAnswer(src []byte) (answer, error) {
	var a answer
	var notText *text.NotTextError
	unknown, err := text.DecodeObject(src, &a)
	if errors.As(err, &notText) {
		return a, err
	}
	if err != nil {
		return a, fmt.Errorf("%w: write %s", err, answerForm)
	}
	if a.Entry == "" {
		return a, errors.New(`it names no entry: add "entry" as memory-remember entry drafts prints it`)
	}
	if a.Trigger == "" && a.Description == "" && len(a.Situations) == 0 && len(unknown) > 0 {
		return a, fmt.Errorf("unknown field %q, and nothing to set: write %s", unknown[0], answerForm)
	}
	return a, nil
}

// wordingReport says what became of the answers.
type wordingReport struct {
	Set     int       `json:"set"`     // answers of which nothing is refused
	Left    int       `json:"left"`    // entries still to word
	Refused []refusal `json:"refused"` // in the order of the input
}

// refusal lists the reasons against parts of an answer. The rest of it is kept.
type refusal struct {
	Input   int      `json:"input"`           // line of standard input
	Entry   string   `json:"entry,omitempty"` // by which to name it now
	Reasons []string `json:"reasons"`         // each says what to do
}

// wordedEntries are entries as a batch of answers words them.
type wordedEntries struct {
	*entryEditor
	all    []*wordedEntry
	after  *corpus.Corpus // nil if nothing changes
	report wordingReport
}

// wordedEntry holds a line of the batch as it was checked.
type wordedEntry struct {
	input    int
	line     int // of the index, or -1 if the answer is about no entry
	place    validate.Place
	was, now proposal
	reasons  []string // why something of it is refused
}

// word checks each answer by itself. What is right in it is kept.
func (s *entryEditor) word(lines []jsonLine) (*wordedEntries, error) {
	w := &wordedEntries{entryEditor: s, report: wordingReport{Refused: []refusal{}}}
	if err := s.Conflict(); err != nil {
		return w, err
	}
	checker := newChecker(s.Editor, s.config)
	set := map[int]bool{}
	for _, line := range lines {
		e := &wordedEntry{input: line.number, line: -1}
		w.all = append(w.all, e)
		a, err := parseAnswer(line.src)
		if err != nil {
			e.reasons = []string{err.Error()}
			continue
		}
		at, reason := s.named(a.Entry)
		if reason == "" && set[at] {
			reason = fmt.Sprintf("%s is in this batch already: pass on one line for an entry", a.Entry)
		}
		if reason != "" {
			e.reasons = []string{reason}
			continue
		}
		set[at] = true
		e.line = at
		e.place, _ = s.Target(at)
		e.was = s.proposal(at, e.place)
		e.now, e.reasons = checker.check(e.was, a)
	}
	if err := w.apply(checker); err != nil {
		return w, err
	}
	w.fillReport()
	return w, nil
}

// named returns the line of the entry that an answer is about, or the reason why there is none. A draft
// that was worded since goes by its old trigger, too.
func (s *entryEditor) named(name string) (line int, reason string) {
	q, err := when.ParseQuery(name)
	if err != nil {
		return -1, err.Error()
	}
	found := s.asked(q)
	if found == nil {
		key := index.Key{Operator: cmp.Or(q.Operator, "when"), Trigger: index.NormalizeTrigger(q.Trigger)}
		for i, line := range s.Index().Lines {
			if at, known := s.Target(i); known && line.Kind == index.EntryLine && s.IsDerived(at, key) {
				found = append(found, i)
			}
		}
	}
	if len(found) == 0 {
		return -1, fmt.Sprintf("no entry %q: name it as \"%s\" prints it", name, s.typed("memory-remember entry drafts"))
	}
	if len(found) > 1 {
		return -1, fmt.Sprintf("%d entries are named %q: \"%s\" says how to tell them apart", len(found), name, s.typed("memory-validate"))
	}
	if _, known := s.Target(found[0]); !known {
		return -1, fmt.Sprintf("%q leads to no heading: \"%s\" says why", name, s.typed("memory-validate"))
	}
	return found[0], ""
}

// apply computes the memory. It leaves out what memory-validate would reject, and what leads astray.
func (w *wordedEntries) apply(checker *wordingChecker) error {
	after, faults := w.with(w.all...)
	if len(faults) > 0 { // find out whose they are
		for _, e := range w.all {
			if _, faults := w.with(e); len(faults) > 0 {
				e.reasons, e.now = append(e.reasons, faults...), e.was
			}
		}
		after, faults = w.with(w.all...)
	}
	if after != nil && len(faults) == 0 {
		library := when.Of(after)
		for _, e := range w.all {
			if e.line >= 0 {
				var astray []string
				e.now, astray = checker.withoutAstray(library, e.was, e.now)
				e.reasons = append(e.reasons, astray...)
			}
		}
		after, faults = w.with(w.all...)
	}
	if len(faults) > 0 {
		return fmt.Errorf("the lines cannot be written together: %s", strings.Join(faults, "; "))
	}
	w.after = after
	return nil
}

// with returns the memory as answers word it, or why memory-validate would reject it. The memory is nil
// if nothing changes.
func (w *wordedEntries) with(all ...*wordedEntry) (after *corpus.Corpus, faults []string) {
	var edits []finding.Edit
	var situations []placedSituations
	for _, e := range all {
		if e.line < 0 {
			continue
		}
		if e.isReworded() {
			line := w.Index().Lines[e.line]
			edits = append(edits, finding.Edit{Path: w.config.Index, Start: line.Start, End: line.End,
				New: index.FormatEntry(e.now.Operator, e.now.Trigger, e.now.Header, e.now.Description)})
		}
		situations = append(situations, placedSituations{e.place, e.now.Situations})
	}
	after, err := withSituations(w.Editor, edits, situations)
	if err != nil {
		return nil, []string{err.Error()}
	}
	if after == nil {
		return nil, nil
	}
	for _, f := range w.Worse(after) {
		faults = append(faults, f.Message)
	}
	return after, faults
}

func (e *wordedEntry) isReworded() bool {
	return e.was.Lead != e.now.Lead || e.was.Description != e.now.Description
}

func (w *wordedEntries) fillReport() {
	for _, e := range w.all {
		if len(e.reasons) == 0 {
			w.report.Set++
			continue
		}
		r := refusal{Input: e.input, Reasons: e.reasons}
		if e.line >= 0 {
			r.Entry = e.now.Command()
		}
		w.report.Refused = append(w.report.Refused, r)
	}
	w.report.Left = len(w.Unworded().Lines)
	if w.after != nil {
		w.report.Left = len(validate.NewEditor(w.after, w.config).Unworded().Lines)
	}
}
