package remember

import (
	"fmt"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/text"
	"whence/internal/wording"
	"whence/validate"
)

func addSituationsCommand(env cli.Env) *urfave.Command {
	var o options
	stdin := false
	return &urfave.Command{
		Name: "add", Usage: "add situations to a decision", ArgsUsage: "TRIGGER PHRASE... | --stdin",
		Flags: o.writeFlags(
			&urfave.BoolFlag{Name: "stdin", Usage: `read lines {"trigger": "...", "situations": ["...", ...]} from standard input`, Destination: &stdin},
		),
		Action: func(cmd *urfave.Context) error {
			batch, err := readBatch(env, cmd, stdin)
			if err != nil {
				return err
			}
			return o.edit(env, cmd, func(s *entryEditor) (editResult, error) { return addBatch(s, batch) })
		},
	}
}

type addition struct {
	Trigger    string   `json:"trigger"`
	Situations []string `json:"situations"`
}

func readBatch(env cli.Env, cmd *urfave.Context, stdin bool) ([]addition, error) {
	args := cmd.Args().Slice()
	switch {
	case stdin && len(args) > 0:
		return nil, cli.Usagef("unexpected argument %q: with --stdin triggers and situations are read from standard input", args[0])
	case stdin:
		return readLines(env.Stdin)
	case len(args) < 2:
		return nil, cli.Usagef("name the trigger of an entry and at least one situation, or use --stdin")
	}
	return []addition{{args[0], args[1:]}}, nil
}

func readLines(r io.Reader) ([]addition, error) {
	lines, err := wording.ReadLines(r)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	var batch []addition
	for _, line := range lines {
		var a addition
		switch err := text.DecodeJSON(line.JSON, &a); {
		case err != nil:
			return nil, cli.Usagef(`line %d of standard input: %v; write {"trigger": "...", "situations": ["...", ...]}, one object a line`, line.Number, err)
		case strings.TrimSpace(a.Trigger) == "":
			return nil, cli.Usagef("line %d of standard input has no trigger", line.Number)
		}
		batch = append(batch, a)
	}
	return batch, nil
}

// addBatch computes the corpus with all situations of a batch, or reports why none of them may be
// added.
func addBatch(s *entryEditor, batch []addition) (editResult, error) {
	var wanted []wording.Phrases
	for _, a := range batch {
		line, missed, err := s.findOne(a.Trigger)
		if err != nil || missed != nil {
			if missed != nil && len(batch) > 1 {
				missed.What += " (nothing of the batch is written)"
			}
			return editResult{missed: missed}, err
		}
		at, known := s.Target(line)
		if !known {
			return editResult{refused: []finding.Finding{s.onLine(line, "unknown-header", "the entry has no heading to add situations to: run memory-validate")}}, nil
		}
		wanted = append(wanted, wording.Phrases{Place: at, Texts: a.Situations})
	}
	result, err := addSituations(s.Editor, wanted)
	if err == nil && result.after != nil && len(result.refused) == 0 {
		result.refused = s.Worse(result.after)
	}
	return result, err
}

// addSituations computes the corpus with phrases added to headings. It skips empty and existing
// phrases, with a note.
func addSituations(e *validate.Editor, wanted []wording.Phrases) (result editResult, err error) {
	wanted = byHeading(wanted)
	for i, w := range wanted {
		file, h := e.Heading(w.Place)
		fit, skipped, refused := wording.FitPhrases(w.Texts)
		for _, why := range skipped {
			result.notes = append(result.notes, fmt.Sprintf("skipped for %q: %s", h.Title, why))
		}
		for _, why := range refused {
			result.refused = append(result.refused, finding.Finding{Path: file.Path, Line: h.Line, Column: 1, Rule: "situations-format", Message: why})
		}
		wanted[i].Texts = fit
	}
	after, added, err := wording.AddSituations(e, wanted)
	if err != nil {
		return editResult{}, err
	}
	for i, w := range wanted {
		file, h := e.Heading(w.Place)
		for _, phrase := range w.Texts {
			if !slices.Contains(added[i].Texts, phrase) {
				result.notes = append(result.notes, fmt.Sprintf("skipped for %q: it already has the situation %q", h.Title, phrase))
			}
		}
		action := entryChange{Action: "added", File: fmt.Sprintf("%s:%d", file.Path, h.Line), Header: h.Title, Situations: added[i].Texts}
		if len(action.Situations) == 0 {
			action.Action, action.Situations = "known", w.Texts
		}
		if len(action.Situations) > 0 {
			result.changes = append(result.changes, action)
		}
	}
	if len(result.refused) == 0 {
		result.after = after
	}
	return result, nil
}

// byHeading merges the situations for the same heading.
func byHeading(wanted []wording.Phrases) (merged []wording.Phrases) {
	for _, w := range wanted {
		i := slices.IndexFunc(merged, func(m wording.Phrases) bool { return m.Place == w.Place })
		if i < 0 {
			merged = append(merged, w)
		} else {
			merged[i].Texts = slices.Concat(merged[i].Texts, w.Texts)
		}
	}
	return merged
}
