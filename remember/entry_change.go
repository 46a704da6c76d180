package remember

import (
	"cmp"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/validate"
)

func oneArgument(cmd *urfave.Context) (string, error) {
	switch cmd.NArg() {
	case 0:
		return "", cli.Usagef("name the entry by its trigger, in quotes: memory-remember entry %s 'TRIGGER'", cmd.Command.Name)
	case 1:
		return cmd.Args().First(), nil
	}
	return "", cli.Usagef("unexpected argument %q: put quotes around the trigger", cmd.Args().Get(1))
}

func renameCommand(env cli.Env) *urfave.Command {
	var o options
	var r entryFields // empty ones do not change
	return &urfave.Command{
		Name: "rename", Usage: "change the fields of an entry", ArgsUsage: "TRIGGER [--trigger WORDS] [--header TITLE] [--description WORDS]",
		Flags: o.writeFlags(r.flags()...),
		Action: func(cmd *urfave.Context) error {
			trigger, err := oneArgument(cmd)
			if err != nil {
				return err
			}
			if err := r.normalize(cmd, false); err != nil {
				return err
			}
			if r.trigger+r.header+r.description == "" {
				return cli.Usagef("nothing to change: name --trigger, --header or --description")
			}
			return o.edit(env, cmd, func(a *attempt) (editResult, error) { return a.rename(trigger, r) })
		},
	}
}

// The rules about one field of an entry.
var (
	triggerRules = []string{"trigger-format", "duplicate-trigger", "draft-trigger"}
	headerRules  = []string{"unknown-header", "structural-header", "duplicate-header"}
)

// rename computes the memory with the entry changed.
func (a *attempt) rename(trigger string, e entryFields) (result editResult, err error) {
	entries, err := a.find(trigger)
	if err != nil {
		return result, err
	}
	was := entries[0]
	title := was.Title.Text
	var to *memory.Heading
	if e.header != "" {
		if to, err = a.heading(e.header); err != nil {
			return result, err
		}
		for _, other := range a.Leading(to) {
			if other != was {
				return a.headingTaken(other, "to remove that entry first: "+a.typed("memory-remember entry rm", a.EntryWord(other))), nil
			}
		}
		title = to.Title
	}
	text := index.FormatEntry(was.Operator, cmp.Or(e.trigger, was.Trigger.Text), title, cmp.Or(e.description, was.Description.Text))
	if text == a.text(was) {
		result.changes = []entryChange{{"known", text}}
		return result, nil
	}
	result.changes = []entryChange{{"changed", fmt.Sprintf("%s (was: %s)", text, a.text(was))}}
	if e.header != "" {
		result.after, err = a.Move(was, validate.Insertion{Heading: to, Text: text})
	} else {
		result.after, err = a.Apply(map[*memory.Entry]string{was: text})
	}
	if err != nil {
		return result, err
	}
	old := a.Findings(was)
	result.refused = slices.DeleteFunc(a.Worse(result.after), func(f finding.Finding) bool {
		if e.trigger != "" && slices.Contains(triggerRules, f.Rule) || e.header != "" && slices.Contains(headerRules, f.Rule) {
			return false // a new field has to be right
		}
		// A fault that the entry has already does not stop a change of another field.
		return f.Rule == "missing-entry" || slices.ContainsFunc(old, func(o finding.Finding) bool { return o.Rule == f.Rule })
	})
	if e.header != "" && a.LeadsTo(was) != to {
		result.notes = a.leaving(entries)
	}
	return result, nil
}

// leaving returns a note if the heading of identical entries has no other entry.
func (a *attempt) leaving(entries []*memory.Entry) []string {
	from := a.LeadsTo(entries[0])
	if from == nil || len(a.Leading(from)) > len(entries) {
		return nil
	}
	return []string{fmt.Sprintf("%q (%s) has no entry now", from.Title, a.place(from))}
}

func rmCommand(env cli.Env) *urfave.Command {
	var o options
	return &urfave.Command{
		Name: "rm", Usage: "remove an entry, and print it", ArgsUsage: "TRIGGER",
		Flags: o.writeFlags(),
		Action: func(cmd *urfave.Context) error {
			trigger, err := oneArgument(cmd)
			if err != nil {
				return err
			}
			return o.edit(env, cmd, func(a *attempt) (editResult, error) { return a.remove(trigger) })
		},
	}
}

// remove computes the memory without an entry. It removes all identical lines.
func (a *attempt) remove(trigger string) (result editResult, err error) {
	entries, err := a.find(trigger)
	if err != nil {
		return result, err
	}
	result.notes = a.leaving(entries)
	for _, e := range entries {
		result.changes = append(result.changes, entryChange{"removed", a.text(e)})
	}
	result.after, err = a.Remove(entries...)
	return result, err
}
