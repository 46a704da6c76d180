package remember

import (
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/shell"
	"whence/validate"
)

type newEntry struct {
	entryFields
	how        bool
	situations []string
}

func addCommand(env cli.Env) *urfave.Command {
	o := options{creates: true}
	var e newEntry
	return &urfave.Command{
		Name: "add", Usage: "add an entry for a heading", ArgsUsage: "--header TITLE --trigger WORDS --description WORDS",
		Flags: o.writeFlags(append(e.flags(),
			&urfave.BoolFlag{Name: "how", Usage: "begin the entry with /how instead of /when", Destination: &e.how},
			&urfave.StringSliceFlag{Name: "situation", Usage: "also add this situation, a `PHRASE`; may be repeated"},
		)...),
		Action: noArguments("put quotes around the values of flags", func(cmd *urfave.Context) error {
			if err := e.normalize(cmd, true); err != nil {
				return err
			}
			e.situations = cmd.StringSlice("situation")
			for _, phrase := range e.situations {
				if err := cli.RefusePlaceholder("--situation ", phrase, "words of your own: write those"); err != nil {
					return err
				}
			}
			if err := checkUTF8("--situation", e.situations...); err != nil {
				return err
			}
			return o.edit(env, cmd, e.add)
		}),
	}
}

func (e *newEntry) operator() string {
	if e.how {
		return "how"
	}
	return "when"
}

// add computes the corpus with the entry.
func (e *newEntry) add(s *entryEditor) (editResult, error) {
	at, missed, err := s.heading(e.header, e.file, func(title, file string) string {
		other := *e
		other.header, other.file = title, file
		return other.command(s)
	})
	if err != nil || missed != nil {
		return editResult{missed: missed}, err
	}
	file, h := s.Heading(at)
	line := index.FormatEntry(e.operator(), e.trigger, h.Title, e.description)
	result := editResult{changes: []entryChange{{"added", line}}}
	switch known, taken, remedies := s.conflict(at, e); {
	case known >= 0:
		result.changes[0] = entryChange{"known", s.text(known)}
	case taken != nil:
		result.refused, result.notes = taken, remedies
		return result, nil
	default:
		if result.after, err = s.Insert(validate.Entry{Place: at, Line: line}); err != nil {
			return editResult{}, err
		}
	}
	if len(e.situations) > 0 {
		if err := e.addSituations(s, at, &result); err != nil || len(result.refused) > 0 {
			return result, err
		}
	}
	if result.after != nil {
		for _, f := range s.Worse(result.after) {
			if f.Rule == "consumption-header" { // with the first entry the preamble begins to matter
				result.notes = append(result.notes, fmt.Sprintf("%s:%d: %s", s.config.Typed.Path(f.Path), f.Line, f.Message))
			} else {
				result.refused = append(result.refused, f)
			}
		}
	}
	if len(result.refused)+len(e.situations)+len(file.Phrases(at.Heading)) == 0 {
		result.notes = append(result.notes, "it has no situations, so it is recalled less often: repeat the command with --situation 'WHAT SOMEONE TYPES, DOES OR SEES WHEN IT APPLIES', about eight times")
	}
	return result, nil
}

// addSituations adds the situations that the heading does not have to the result.
func (e *newEntry) addSituations(s *entryEditor, at validate.Place, result *editResult) error {
	file, h := s.Heading(at)
	fit, refused := fitPhrases(e.situations)
	for _, why := range refused {
		result.refused = append(result.refused, finding.Finding{Path: file.Path, Line: h.Line, Column: 1, Rule: "situations-format", Message: why})
	}
	added := slices.DeleteFunc(fit, func(phrase string) bool { return hasPhrase(file.Phrases(at.Heading), phrase) })
	if len(refused) > 0 || len(added) == 0 {
		return nil
	}
	editor := s.Editor
	if result.after != nil {
		editor = validate.NewEditor(result.after, s.config)
	}
	after, err := withSituations(editor, nil, []placedSituations{{at, added}})
	if err != nil {
		return err
	}
	result.after = after
	result.changes = append(result.changes, entryChange{"added", fmt.Sprintf("%s to %q (%s)", cli.Count(len(added), "situation", "situations"), h.Title, s.place(at))})
	return nil
}

// hasPhrase reports whether a phrase is one of some, whatever its case.
func hasPhrase(phrases []string, phrase string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return decision.Key(p) == decision.Key(phrase) })
}

// conflict returns the line of the same entry, or findings for entries that have its heading or its
// trigger, with the commands that would change those.
func (s *entryEditor) conflict(at validate.Place, e *newEntry) (known int, taken []finding.Finding, remedies []string) {
	key := index.Key{Operator: e.operator(), Trigger: e.trigger}
	for _, i := range s.Leading(at) {
		entry := s.Index().Lines[i].Entry
		if entry.Key() == key && entry.Description.Text == e.description {
			return i, nil, nil
		}
		taken = append(taken, s.duplicateHeader(i))
		remedies = append(remedies, e.remedy(s, i))
	}
	if taken != nil {
		return -1, taken, remedies
	}
	taken, remedies = s.takenTrigger(key, -1, at, func(trigger string) string {
		other := *e
		other.trigger = trigger
		return other.command(s)
	})
	for i, line := range s.Index().Lines {
		if line.Kind == index.Malformed && decision.Key(line.Entry.Title.Text) == decision.Key(e.header) {
			taken = append(taken, s.onLine(i, "entry-syntax", "the line seems to be the entry of heading %q already, but is malformed: correct it by hand or, if the index is in an old format, run %s", e.header, s.typed("memory-migrate --write")))
		}
	}
	return -1, taken, remedies
}

// takenTrigger returns findings for the entries that have the key of one for a heading, other than the
// entry of a line, with the command that again returns for a trigger that no entry has.
func (s *entryEditor) takenTrigger(key index.Key, except int, at validate.Place, again func(trigger string) string) (taken []finding.Finding, remedies []string) {
	for i, line := range s.Index().Lines {
		if i == except || line.Kind != index.EntryLine || line.Entry.Key() != key {
			continue
		}
		taken = append(taken, s.onLine(i, "duplicate-trigger", "the trigger %q is taken, it belongs to %q: choose other words for this one", key.Trigger, line.Entry.Title.Text))
		remedies = append(remedies, "with a word more it is not: "+again(s.OtherTrigger(at, key.Operator, key.Trigger)))
	}
	return taken, remedies
}

func (s *entryEditor) duplicateHeader(line int) finding.Finding {
	return s.onLine(line, "duplicate-header", "heading %q has an entry already: %s", s.Index().Lines[line].Entry.Title.Text, s.text(line))
}

// command returns the command that adds the entry.
func (e *newEntry) command(s *entryEditor) string {
	words := e.words()
	if e.how {
		words = append(words, "--how")
	}
	for _, phrase := range e.situations {
		words = append(words, "--situation", shell.Quote(phrase))
	}
	return s.typed("memory-remember entry add", words...)
}

// remedy returns the command that gives the entry on a line, which leads to the heading already, these fields.
func (e *newEntry) remedy(s *entryEditor, line int) string {
	known := s.Index().Lines[line].Entry
	var r entryFields
	if known.Key().Trigger != e.trigger {
		r.trigger = e.trigger
	}
	if known.Description.Text != e.description {
		r.description = e.description
	}
	if known.Operator != e.operator() || r.trigger+r.description == "" {
		return "to replace that entry: " + s.typed("memory-remember entry rm", s.EntryWord(line)) + " && " + e.command(s)
	}
	return "to change that entry: " + r.renaming(s, line)
}

// placedSituations are situations for a heading.
type placedSituations struct {
	validate.Place
	phrases []string
}

// withSituations returns the memory with edits of the index, and with situations under their headings.
// It is nil if that changes nothing. No two places are the same.
func withSituations(e *validate.Editor, edits []finding.Edit, wanted []placedSituations) (*corpus.Corpus, error) {
	edits = slices.Clone(edits)
	for _, w := range wanted {
		made, _, err := e.AddSituations(w.Place, w.phrases)
		if err != nil {
			return nil, err
		}
		edits = append(edits, made...)
	}
	if len(edits) == 0 {
		return nil, nil
	}
	after, err := e.Apply(edits...)
	if err != nil {
		return nil, err
	}
	for _, w := range wanted {
		file := after.Decisions[w.File]
		missing := slices.ContainsFunc(w.phrases, func(phrase string) bool {
			return !hasPhrase(file.Phrases(w.Heading), phrase)
		})
		if missing {
			return nil, fmt.Errorf("the situations would not be read under %q of %s: close the comments and fences there first", file.Headings[w.Heading].Title, file.Path)
		}
	}
	return after, nil
}
