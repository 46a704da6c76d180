package remember

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/validate"
	"whence/when"
)

// setCommand words entries by the answers of an agent to what entry draft has printed.
func setCommand(env cli.Env) *urfave.Command {
	var o options
	stdin := false
	return &urfave.Command{
		Name: "set", Usage: "reword entries, and add situations", ArgsUsage: "--stdin",
		Flags: o.flags(
			&urfave.BoolFlag{Name: "stdin", Usage: `read lines {"entry": "...", "trigger": "...", ...} from standard input`, Destination: &stdin},
		),
		Action: noArguments(func(cmd *urfave.Context) error {
			if !stdin {
				return cli.Usagef("entry set reads the wording from standard input: add --stdin")
			}
			return o.setEntries(env, cmd)
		}),
	}
}

func (o *options) setEntries(env cli.Env, cmd *urfave.Context) error {
	src, err := readInput("standard input", env.Stdin, maxImportBytes)
	if err != nil {
		return err
	}
	lines := jsonLines(src)
	if len(lines) == 0 {
		return cli.Usagef("standard input is empty: write one JSON object a line")
	}
	r, err := o.open(env, cmd)
	if err != nil {
		return err
	}
	defer r.tree.Close()
	var report wordingReport
	_, err = r.update(true, func(a *attempt) (result editResult, err error) {
		if err := a.checkIndex(); err != nil {
			return result, err
		}
		report, result.after = a.word(lines)
		return result, nil
	})
	if err != nil {
		return cli.SettingsError(err)
	}
	if !o.quiet {
		fmt.Fprintf(env.Stderr, "memory-remember: %d set, %d refused, %d left to word\n", report.Set, len(report.Refused), report.Left)
	}
	if err := inert.WriteJSON(env.Stdout, report); err != nil {
		return err
	}
	if len(report.Refused) > 0 {
		return cli.ErrFound
	}
	return nil
}

// answer holds an agent's wording of an entry. Empty fields leave those of the entry unchanged; situations are added.
type answer struct {
	Entry       string   `json:"entry"`
	Trigger     string   `json:"trigger"`
	Description string   `json:"description"`
	Situations  []string `json:"situations"`
}

// parseAnswer parses an answer. It ignores unknown fields, such as those of a draft, unless there is nothing
// else.
func parseAnswer(src []byte) (answer, error) {
	var a answer
	unknown, err := DecodeObject(src, &a)
	if a.Trigger == "" && a.Description == "" && len(a.Situations) == 0 && len(unknown) > 0 {
		err = cmp.Or(err, fmt.Errorf("unknown field %q, and nothing to set", unknown[0]))
	}
	if a.Entry == "" {
		err = cmp.Or(err, errors.New("it names no entry"))
	}
	if err != nil {
		err = fmt.Errorf(`%w: write {"entry": "…", "trigger": "…", "description": "…", "situations": ["…", …]}, one object a line`, err)
	}
	return a, err
}

// wordingReport says what became of the answers.
type wordingReport struct {
	Set     int       `json:"set"`     // answers that were accepted
	Left    int       `json:"left"`    // entries still to word
	Refused []refusal `json:"refused"` // in the order of the input
}

// refusal lists the reasons against an answer, of which nothing is written.
type refusal struct {
	Input   int      `json:"input"` // line of standard input
	Entry   string   `json:"entry,omitempty"`
	Reasons []string `json:"reasons"` // each says what to do
}

// wording is an answer with the result of checking it.
type wording struct {
	answer
	input    int // line of standard input
	entry    *memory.Entry
	was, now proposal
	reasons  []string // why it is refused
}

// word checks each answer, and returns the memory with those that are accepted; nil if nothing changes. A
// refused answer does not keep others from being accepted.
func (a *attempt) word(lines []jsonLine) (report wordingReport, after *memory.Memory) {
	all := make([]*wording, len(lines))
	var accepted []*wording
	for i, line := range lines {
		w := &wording{input: line.number}
		all[i] = w
		if err := a.read(w, line.src); err != nil {
			w.reasons = []string{err.Error()}
		} else if slices.ContainsFunc(accepted, func(other *wording) bool { return other.entry == w.entry }) {
			w.reasons = []string{fmt.Sprintf("%s is in this batch already: pass one line per entry", w.Entry)}
		} else if w.now, w.reasons = check(w.was, w.answer, a.config.WordCount); w.reasons == nil {
			accepted = append(accepted, w)
		}
	}
	accepted, after = a.withoutFaults(accepted)
	if after != nil {
		library := when.New(after, a.config.Typed)
		for _, w := range accepted {
			w.reasons = astray(library, w.was, w.now)
			if w.reasons != nil && w.entry.Heading.Gone {
				w.reasons = []string{w.was.File + ": this decision is rejected or superseded, so no text leads to it: leave its entry as it is"}
			}
		}
		accepted = slices.DeleteFunc(accepted, func(w *wording) bool { return w.reasons != nil })
		accepted, after = a.withoutFaults(accepted)
	}
	report = wordingReport{Set: len(accepted), Left: len(a.Unworded().All()), Refused: []refusal{}}
	if after != nil {
		report.Left = len(validate.NewEditor(after, a.config).Unworded().All())
	}
	for _, w := range all {
		if w.reasons != nil {
			report.Refused = append(report.Refused, refusal{w.input, w.Entry, w.reasons})
		}
	}
	return report, after
}

// read reads an answer, and finds the entry that it is about. A draft that was worded since is also found by
// its old trigger, because an agent may repeat a batch.
func (a *attempt) read(w *wording, src []byte) (err error) {
	if w.answer, err = parseAnswer(src); err != nil {
		return err
	}
	q, err := when.ParseQuery(w.Entry)
	if err != nil {
		return err
	}
	found := a.asked(q)
	if found == nil {
		key := index.Key{Operator: cmp.Or(q.Operator, "when"), Trigger: index.NormalizeTrigger(q.Trigger)}
		for _, e := range a.Entries {
			if h := a.LeadsTo(e); h != nil && a.IsDerived(h, key, e.Description.Text) {
				found = append(found, e)
			}
		}
	}
	if len(found) == 0 {
		return fmt.Errorf("no entry %q: name it as \"%s\" prints it", w.Entry, a.typed("memory-remember entry draft"))
	}
	if len(found) > 1 || a.LeadsTo(found[0]) == nil {
		return fmt.Errorf("%q names several entries, or leads to no heading: \"%s\" says why", w.Entry, a.typed("memory-validate"))
	}
	w.entry, w.was = found[0], proposalOf(found[0])
	return nil
}

// withoutFaults returns the answers that memory-validate accepts together with those accepted before them, and
// the memory with these; nil if nothing changes. It sets the reasons of all others.
func (a *attempt) withoutFaults(all []*wording) (accepted []*wording, after *memory.Memory) {
	if after, err := a.with(all); err == nil && (after == nil || len(a.Worse(after)) == 0) {
		return all, after
	}
	for _, w := range all {
		next, err := a.with(append(accepted, w))
		if err != nil {
			w.reasons = []string{err.Error()}
		} else if next != nil {
			for _, f := range a.Worse(next) {
				w.reasons = append(w.reasons, f.Message)
			}
		}
		if w.reasons == nil {
			accepted, after = append(accepted, w), next
		}
	}
	return accepted, after
}

// with returns the memory with answers; nil if nothing changes.
func (a *attempt) with(all []*wording) (*memory.Memory, error) {
	var edits []finding.Edit
	lines := map[*memory.Entry]string{}
	for _, w := range all {
		situations, _, err := a.AddSituations(w.entry.Heading, w.now.Situations)
		if err != nil {
			return nil, err
		}
		edits = append(edits, situations...)
		if w.now.Lead != w.was.Lead || w.now.Description != w.was.Description {
			lines[w.entry] = index.FormatEntry(w.now.Operator, w.now.Trigger, w.now.Header, w.now.Description)
		}
	}
	if len(edits)+len(lines) == 0 {
		return nil, nil
	}
	return a.Apply(lines, edits...)
}
