package remember

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/validate"
)

func renameCommand(env cli.Env) *urfave.Command {
	var o options
	var r entryFields // empty ones do not change
	return &urfave.Command{
		Name: "rename", Usage: "change the fields of an entry", ArgsUsage: "TRIGGER [--trigger WORDS] [--header TITLE [--file FILE]] [--description WORDS]",
		Flags: o.writeFlags(r.flags()...),
		Action: func(cmd *urfave.Context) error {
			trigger, err := oneArgument(cmd)
			if err != nil {
				return err
			}
			if err := r.normalize(cmd, false); err != nil {
				return err
			}
			if r.file != "" && r.header == "" {
				return cli.Usagef("--file says where the heading of --header is: name that too")
			}
			if r.trigger+r.header+r.description == "" {
				return cli.Usagef("nothing to change: name --trigger, --header or --description")
			}
			return o.edit(env, cmd, func(s *entryEditor) (editResult, error) { return r.rename(s, trigger) })
		},
	}
}

// rename computes the corpus with the entry changed.
func (e *entryFields) rename(s *entryEditor, trigger string) (editResult, error) {
	line, missed, err := s.findOne(trigger, "memory-remember entry rename", e.words()...)
	if err != nil || missed != nil {
		return editResult{missed: missed}, err
	}
	home, led := s.Target(line)
	goal := home
	if e.header != "" {
		goal, missed, err = s.heading(e.header, e.file, func(title, file string) string {
			other := *e
			other.header, other.file = title, file
			return other.renaming(s, line)
		})
		if err != nil || missed != nil {
			return editResult{missed: missed}, err
		}
	}
	text := e.line(s, line, goal)
	before := s.Index().Text(s.Index().Lines[line])
	if text == before {
		return editResult{changes: []entryChange{{"known", s.text(line)}}}, nil
	}
	result := editResult{changes: []entryChange{{"changed", fmt.Sprintf("%s (was: %s)", strings.TrimSpace(text), s.text(line))}}}
	if taken, remedies := e.taken(s, line, goal); taken != nil {
		result.refused, result.notes = taken, remedies
		return result, nil
	}
	if e.header != "" && (!led || goal != home) {
		result.after, err = s.Move(line, validate.Entry{Place: goal, Line: text})
	} else {
		l := s.Index().Lines[line]
		result.after, err = s.Apply(finding.Edit{Path: s.config.Index, Start: l.Start, End: l.End, New: text})
	}
	if err != nil {
		return editResult{}, err
	}
	result.refused = e.worse(s, line, text, result.after)
	if led && goal != home { // as requested
		result.refused = slices.DeleteFunc(result.refused, func(f finding.Finding) bool { return f.Rule == "missing-entry" })
		if _, h := s.Heading(home); len(s.Leading(home)) == 1 {
			result.notes = append(result.notes, fmt.Sprintf("now no entry belongs to %q (%s)", h.Title, s.place(home)))
		}
	}
	return result, nil
}

// worse lists the findings that the new text of a line causes. A finding that the old text had counts
// only if it is about a changed field.
func (e *entryFields) worse(s *entryEditor, line int, text string, after *corpus.Corpus) []finding.Finding {
	old := s.Findings(line)
	return slices.DeleteFunc(s.Worse(after), func(f finding.Finding) bool {
		if f.Path != s.config.Index || after.Index.Text(after.Index.Lines[f.Line-1]) != text {
			return false
		}
		if e.trigger != "" && strings.Contains(f.Rule, "trigger") || e.header != "" && strings.Contains(f.Rule, "header") {
			return false
		}
		return slices.ContainsFunc(old, func(o finding.Finding) bool { return o.Rule == f.Rule })
	})
}

// renaming returns the command that gives the entry of a line these fields.
func (e *entryFields) renaming(s *entryEditor, line int) string {
	return s.typed("memory-remember entry rename", append([]string{s.EntryWord(line)}, e.words()...)...)
}

// line returns the text of a line of the index with the new fields; all other bytes stay.
func (e *entryFields) line(s *entryEditor, line int, goal validate.Place) string {
	l := s.Index().Lines[line]
	text, start := s.Index().Text(l), l.Start
	set := func(f index.Field, to string) {
		text = text[:f.Start-start] + index.Escape(to) + text[f.End-start:]
	}
	// from the last one on, so that the offsets before it stay right
	if e.description != "" {
		set(l.Entry.Description, e.description)
	}
	if e.header != "" {
		_, h := s.Heading(goal)
		set(l.Entry.Title, h.Title)
	}
	if e.trigger != "" {
		set(l.Entry.Trigger, e.trigger)
	}
	return text
}

// taken returns findings for the entries that have the new trigger or heading already, with the
// commands that change those.
func (e *entryFields) taken(s *entryEditor, line int, goal validate.Place) (found []finding.Finding, remedies []string) {
	if e.trigger != "" {
		key := index.Key{Operator: s.Index().Lines[line].Entry.Operator, Trigger: e.trigger}
		found, remedies = s.takenTrigger(key, line, goal, func(trigger string) string {
			other := *e
			other.trigger = trigger
			return other.renaming(s, line)
		})
	}
	if e.header != "" {
		for _, i := range s.Leading(goal) {
			if i != line {
				found = append(found, s.duplicateHeader(i))
				remedies = append(remedies, "to remove that entry first: "+s.typed("memory-remember entry rm", s.EntryWord(i)))
			}
		}
	}
	return found, remedies
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
			return o.edit(env, cmd, func(s *entryEditor) (editResult, error) { return remove(s, trigger) })
		},
	}
}

// remove computes the corpus without an entry. It removes all identical lines.
func remove(s *entryEditor, trigger string) (editResult, error) {
	lines, missed, err := s.find(trigger)
	if err != nil || missed != nil {
		return editResult{missed: missed}, err
	}
	for _, i := range lines {
		if s.text(i) != s.text(lines[0]) {
			return editResult{missed: s.several(trigger, lines, "memory-remember entry rm")}, nil
		}
	}
	var result editResult
	for _, i := range lines {
		result.changes = append(result.changes, entryChange{"removed", s.text(i)})
	}
	if at, known := s.Target(lines[0]); known && len(s.Leading(at)) <= len(lines) {
		_, h := s.Heading(at)
		result.notes = append(result.notes, fmt.Sprintf("now no entry belongs to %q (%s)", h.Title, s.place(at)))
	}
	if result.after, err = s.Remove(lines...); err != nil {
		return editResult{}, err
	}
	if span, query := result.after.Index.Preamble(), command(s.Index().Lines[lines[0]].Entry); bytes.Contains(result.after.Index.Source[span.Start:span.End], []byte("`"+query+"`")) {
		result.notes = append(result.notes, fmt.Sprintf("the preamble of %s still names %s: reword that by hand", s.config.Typed.Path(s.config.Index), query))
	}
	return result, nil
}
