package remember

import (
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/shell"
	"whence/validate"
)

// entryFields are the fields of an entry on the command line.
type entryFields struct{ header, trigger, description string }

func (e *entryFields) flags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "header", Usage: "the `TITLE` of the heading that holds the decision", Destination: &e.header},
		&urfave.StringFlag{Name: "trigger", Usage: "what an agent is doing when it applies: two to five `WORDS`", Destination: &e.trigger},
		&urfave.StringFlag{Name: "description", Usage: "further `WORDS` by which to find it", Destination: &e.description},
	}
}

// normalize trims the fields, checks that each is one line, and normalizes the trigger. Unless all are
// required, fields that are not on the command line may be empty.
func (e *entryFields) normalize(cmd *urfave.Context, required bool) error {
	for _, f := range []struct {
		flag string
		now  *string
	}{{"header", &e.header}, {"trigger", &e.trigger}, {"description", &e.description}} {
		*f.now = strings.TrimSpace(*f.now)
		if !required && !cmd.IsSet(f.flag) {
			continue
		}
		if *f.now == "" {
			return cli.Usagef("--%s is empty: an entry has a trigger, a header title and a description", f.flag)
		}
		if err := checkUTF8("--"+f.flag, *f.now); err != nil {
			return err
		}
		if err := cli.RefusePlaceholder("--"+f.flag+" ", *f.now, "words of your own: write those"); err != nil {
			return err
		}
		if !isLine(*f.now) {
			return cli.Usagef("--%s %q has a line break or another control character: write it on one line", f.flag, *f.now)
		}
	}
	e.trigger = index.NormalizeTrigger(e.trigger)
	return nil
}

type newEntry struct {
	entryFields
	how        bool
	situations []string
}

func addCommand(env cli.Env) *urfave.Command {
	var o options
	var e newEntry
	return &urfave.Command{
		Name: "add", Usage: "add an entry for a heading", ArgsUsage: "--header TITLE --trigger WORDS --description WORDS",
		Flags: o.writeFlags(append(e.flags(),
			&urfave.BoolFlag{Name: "how", Usage: "begin the entry with /how instead of /when", Destination: &e.how},
			&urfave.StringSliceFlag{Name: "situation", Usage: "also add this situation, a `PHRASE`; may be repeated"},
		)...),
		Action: noArguments(func(cmd *urfave.Context) error {
			if err := e.normalize(cmd, true); err != nil {
				return err
			}
			var err error
			if e.situations, err = situationsOf(cmd); err != nil {
				return err
			}
			return o.edit(env, cmd, func(a *attempt) (editResult, error) { return a.add(e) })
		}),
	}
}

// situationsOf returns the situations on the command line.
func situationsOf(cmd *urfave.Context) ([]string, error) {
	given := cmd.StringSlice("situation")
	if err := checkUTF8("--situation", given...); err != nil {
		return nil, err
	}
	for _, phrase := range given {
		if err := cli.RefusePlaceholder("--situation ", phrase, "words of your own: write those"); err != nil {
			return nil, err
		}
	}
	phrases, refused := fitPhrases(given)
	if refused != nil {
		return nil, cli.Usagef("%s", strings.Join(refused, "; "))
	}
	return phrases, nil
}

// add computes the memory with the entry.
func (a *attempt) add(e newEntry) (result editResult, err error) {
	h, err := a.heading(e.header)
	if err != nil {
		return result, err
	}
	operator := "when"
	if e.how {
		operator = "how"
	}
	line := index.FormatEntry(operator, e.trigger, h.Title, e.description)
	after := a.Memory
	if leading := a.Leading(h); len(leading) == 0 {
		result.changes = []entryChange{{"added", line}}
		if after, err = a.Insert(validate.Insertion{Heading: h, Text: line}); err != nil {
			return result, err
		}
	} else if known := slices.IndexFunc(leading, func(other *memory.Entry) bool { return a.isEntry(other, operator, e.entryFields) }); known >= 0 {
		result.changes = []entryChange{{"known", a.text(leading[known])}}
	} else {
		change := a.typed("memory-remember entry rename", a.EntryWord(leading[0]), "--trigger", shell.Word(e.trigger), "--description", shell.Word(e.description))
		return a.headingTaken(leading[0], "to change that entry: "+change), nil
	}
	editor := validate.NewEditor(after, a.config)
	edits, added, err := editor.AddSituations(h, e.situations)
	if err != nil {
		return result, err
	}
	if len(added) > 0 {
		result.changes = append(result.changes, entryChange{"added", fmt.Sprintf("%s to %q (%s)", cli.Count(len(added), "situation", "situations"), h.Title, a.place(h))})
		if after, err = editor.Apply(nil, edits...); err != nil {
			return result, err
		}
	}
	if after != a.Memory {
		result.after = after
		result.refused = a.Worse(after)
	}
	// With the first entry the preamble begins to matter; memory-validate reports it.
	result.refused = slices.DeleteFunc(result.refused, func(f finding.Finding) bool { return f.Rule == "consumption-header" })
	if len(result.refused)+len(after.Counterpart(h).Phrases()) == 0 {
		result.notes = append(result.notes, noSituations+": repeat the command with --situation 'WHAT SOMEONE TYPES, DOES OR SEES WHEN IT APPLIES', about eight times")
	}
	return result, nil
}

const noSituations = "it has no situations, so it is recalled less often"

// isEntry reports whether an entry has this operator, trigger and description.
func (a *attempt) isEntry(known *memory.Entry, operator string, e entryFields) bool {
	return known.Key() == index.Key{Operator: operator, Trigger: e.trigger} && known.Description.Text == e.description
}

// headingTaken refuses a second entry for the heading of a known one; advice says how to change or remove the known
// one.
func (a *attempt) headingTaken(known *memory.Entry, advice string) (result editResult) {
	result.refused = []finding.Finding{{
		Path: a.config.Index, Line: a.line(known).Number, Column: 1, Rule: "duplicate-header",
		Message: fmt.Sprintf("heading %q has an entry already: %s", known.Title.Text, a.text(known)),
	}}
	result.notes = []string{advice}
	return result
}
