package remember

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/validate"
)

// entryFields are the flags for the fields of an entry.
type entryFields struct {
	file, header, trigger, description string
	how                                bool
	situations                         urfave.StringSlice
}

// addCommand adds an entry in its section.
func addCommand(env cli.Env) *urfave.Command {
	o := options{creates: true}
	var e entryFields
	return &urfave.Command{
		Name: "add", Usage: "add an entry for a heading", ArgsUsage: "--header TITLE --trigger WORDS --description WORDS",
		Flags: o.writeFlags(
			&urfave.StringFlag{Name: "header", Usage: "the `TITLE` of the heading that holds the decision", Destination: &e.header},
			&urfave.StringFlag{Name: "trigger", Usage: "what an agent is doing when it applies: two to five `WORDS`", Destination: &e.trigger},
			&urfave.StringFlag{Name: "description", Usage: "further `WORDS` by which to find it", Destination: &e.description},
			&urfave.StringFlag{Name: "file", Usage: "the decision `FILE` of the heading, if several have it", Destination: &e.file},
			&urfave.BoolFlag{Name: "how", Usage: "begin the entry with /how instead of /when", Destination: &e.how, DisableDefaultText: true},
			&urfave.StringSliceFlag{Name: "situation", Usage: "also add this situation, a `PHRASE`; may be repeated", Destination: &e.situations},
		),
		Action: func(ctx *urfave.Context) error {
			if ctx.Args().Present() {
				return cli.Usagef("unexpected argument %q: put quotes around the values of flags", ctx.Args().First())
			}
			if err := e.verify(); err != nil {
				return err
			}
			return o.edit(env, ctx, e.add)
		},
	}
}

// verify trims the fields and normalizes the trigger.
func (e *entryFields) verify() (err error) {
	for _, f := range []struct {
		flag string
		text *string
	}{{"--header", &e.header}, {"--trigger", &e.trigger}, {"--description", &e.description}} {
		if *f.text, err = field(f.flag, *f.text); err != nil {
			return err
		}
	}
	e.trigger = index.NormalizeTrigger(e.trigger)
	return nil
}

func (e *entryFields) operator() string {
	if e.how {
		return "how"
	}
	return "when"
}

// add computes the corpus with the entry.
func (e *entryFields) add(s *entryEditor) (editResult, error) {
	at, missed, err := s.heading(e.header, e.file)
	if err != nil || missed != nil {
		return editResult{missed: missed}, err
	}
	file, h := s.Heading(at)
	line := index.FormatEntry(e.operator(), e.trigger, h.Title, e.description)
	result := editResult{changes: []entryChange{{Action: "added", Line: line, File: file.Path, Header: h.Title}}}
	var after *corpus.Corpus
	switch there, taken, remedies := s.conflict(at, e); {
	case there >= 0:
		result.changes[0].Action, result.changes[0].Line = "known", s.text(there)
	case taken != nil:
		result.refused, result.notes = taken, remedies
		return result, nil
	default:
		if after, err = s.Insert(validate.Entry{Place: at, Line: line}); err != nil {
			return editResult{}, err
		}
	}
	if phrases := e.situations.Value(); len(phrases) > 0 {
		editor := s.Editor
		if after != nil {
			editor = validate.NewEditor(after, s.config)
		}
		added, err := addSituations(editor, s.config, []wantedSituations{{at, phrases}})
		if len(added.refused) > 0 || err != nil {
			return editResult{refused: added.refused}, err
		}
		result.changes = append(result.changes, added.changes...)
		result.notes = append(result.notes, added.notes...)
		if added.after != nil {
			after = added.after
		}
	}
	if result.after = after; after == nil {
		return result, nil
	}
	for _, f := range s.Worse(after) {
		if f.Rule == "consumption-header" { // with the first entry the preamble begins to matter
			result.notes = append(result.notes, fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.Message))
		} else {
			result.refused = append(result.refused, f)
		}
	}
	return result, nil
}

// conflict returns the line of the same entry, or findings for entries that have its heading or its
// trigger, with the commands that would change those.
func (s *entryEditor) conflict(at validate.Place, e *entryFields) (there int, taken []finding.Finding, remedies []string) {
	key := index.Key{Operator: e.operator(), Trigger: e.trigger}
	for _, i := range s.Leading(at) {
		known := s.Index().Lines[i].Entry
		if known.Key() == key && known.Description.Text == e.description {
			return i, nil, nil
		}
		taken = append(taken, s.onLine(i, "duplicate-header", "heading %q has an entry already: %s", known.Title.Text, s.text(i)))
		remedies = append(remedies, "to change that entry: "+e.asRenaming(known))
	}
	if taken != nil {
		return -1, taken, remedies
	}
	title := decision.Key(e.header)
	for i, line := range s.Index().Lines {
		if line.Kind == index.Malformed && decision.Key(line.Entry.Title.Text) == title {
			taken = append(taken, s.onLine(i, "entry-syntax", "the line seems to be the entry of heading %q already, but is malformed: correct it by hand, or run memory-migrate if the index is in an old format", e.header))
		}
		if line.Kind == index.EntryLine && line.Entry.Key() == key {
			what := fmt.Sprintf("it belongs to %q", line.Entry.Title.Text)
			if decision.Key(line.Entry.Title.Text) == title {
				what = "in the section of another file"
			}
			taken = append(taken, s.onLine(i, "duplicate-trigger", "the trigger %q is taken, %s: choose other words for this one", e.trigger, what))
			remedies = append(remedies, retriggering(line.Entry))
		}
	}
	return -1, taken, remedies
}

// retriggering returns the command that gives an entry another trigger.
func retriggering(e index.Entry) string {
	return fmt.Sprintf("to give the other entry another trigger: memory-remember entry rename %s --trigger 'OTHER WORDS'", cli.Quote(command(e)))
}

// asRenaming returns the command that gives an entry these fields.
func (e *entryFields) asRenaming(known index.Entry) string {
	text := "memory-remember entry rename " + cli.Quote(command(known))
	if known.Key().Trigger != e.trigger {
		text += " --trigger " + cli.Quote(e.trigger)
	}
	if known.Description.Text != e.description {
		text += " --description " + cli.Quote(e.description)
	}
	return text
}
