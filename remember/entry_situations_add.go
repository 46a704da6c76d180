package remember

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/text"
	"whence/validate"
)

func addSituationsCommand(env cli.Env) *urfave.Command {
	var o options
	stdin := false
	return &urfave.Command{
		Name: "add", Usage: "add situations to a decision", ArgsUsage: "TRIGGER PHRASE... | --stdin",
		Flags: o.writeFlags(
			&urfave.BoolFlag{Name: "stdin", Usage: `read lines {"trigger": "...", "situations": ["...", ...]} from standard input`, Destination: &stdin, DisableDefaultText: true},
		),
		Action: func(ctx *urfave.Context) error {
			batch, err := readBatch(env, ctx, stdin)
			if err != nil {
				return err
			}
			return o.edit(env, ctx, func(s *entryEditor) (editResult, error) { return addBatch(s, batch) })
		},
	}
}

type addition struct {
	Trigger    string   `json:"trigger"`
	Situations []string `json:"situations"`
}

func readBatch(env cli.Env, ctx *urfave.Context, stdin bool) ([]addition, error) {
	args := ctx.Args().Slice()
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

// maxLineBytes bounds a line of a batch.
const maxLineBytes = 16 << 20

func readLines(r io.Reader) ([]addition, error) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLineBytes)
	var batch []addition
	number := 0
	for scanner.Scan() {
		number++
		line := bytes.TrimSpace(bytes.TrimPrefix(scanner.Bytes(), []byte("\uFEFF")))
		if len(line) == 0 {
			continue
		}
		var a addition
		switch err := text.DecodeJSON(line, &a); {
		case err != nil:
			return nil, cli.Usagef(`line %d of standard input: %v; write {"trigger": "...", "situations": ["...", ...]}, one object a line`, number, err)
		case strings.TrimSpace(a.Trigger) == "":
			return nil, cli.Usagef("line %d of standard input has no trigger", number)
		}
		batch = append(batch, a)
	}
	if err := scanner.Err(); err != nil {
		return nil, cli.Usagef("line %d of standard input: %v", number+1, err)
	}
	if len(batch) == 0 {
		return nil, cli.Usagef("standard input has no situations: write one JSON object a line")
	}
	return batch, nil
}

// addBatch computes the corpus with all situations of a batch, or reports why none of them may be
// added.
func addBatch(s *entryEditor, batch []addition) (editResult, error) {
	var wanted []wantedSituations
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
		wanted = append(wanted, wantedSituations{at, a.Situations})
	}
	result, err := addSituations(s.Editor, s.config, wanted)
	if err == nil && result.after != nil && len(result.refused) == 0 {
		result.refused = s.Worse(result.after)
	}
	return result, err
}

type wantedSituations struct {
	place   validate.Place
	phrases []string
}

// addSituations computes the corpus with phrases added to headings. It skips empty and existing
// phrases, with a note.
func addSituations(e *validate.Editor, c config.Config, wanted []wantedSituations) (result editResult, err error) {
	var edits []finding.Edit
	var written []wantedSituations
	for _, w := range byHeading(wanted) {
		file, h := e.Heading(w.place)
		fit, skipped, refused := fitPhrases(w.phrases)
		for _, why := range skipped {
			result.notes = append(result.notes, fmt.Sprintf("skipped for %q: %s", h.Title, why))
		}
		for _, why := range refused {
			result.refused = append(result.refused, finding.Finding{Path: file.Path, Line: h.Line, Column: 1, Rule: "situations-format", Message: why})
		}
		made, added, err := e.AddSituations(w.place, fit)
		if err != nil {
			return editResult{}, err
		}
		for _, phrase := range fit {
			if !slices.Contains(added, phrase) {
				result.notes = append(result.notes, fmt.Sprintf("skipped for %q: it already has the situation %q", h.Title, phrase))
			}
		}
		action := entryChange{Action: "added", File: fmt.Sprintf("%s:%d", file.Path, h.Line), Header: h.Title, Situations: added}
		if len(added) == 0 {
			action.Action, action.Situations = "known", fit
		}
		if len(action.Situations) > 0 {
			result.changes = append(result.changes, action)
		}
		edits, written = append(edits, made...), append(written, wantedSituations{w.place, added})
	}
	if len(result.refused) == 0 && len(edits) > 0 {
		if result.after, err = e.Apply(edits...); err != nil {
			return editResult{}, err
		}
		err = verifyWritten(validate.NewEditor(result.after, c), written)
	}
	return result, err
}

// byHeading merges the situations for the same heading.
func byHeading(wanted []wantedSituations) (merged []wantedSituations) {
	for _, w := range wanted {
		i := slices.IndexFunc(merged, func(m wantedSituations) bool { return m.place == w.place })
		if i < 0 {
			merged = append(merged, w)
		} else {
			merged[i].phrases = slices.Concat(merged[i].phrases, w.phrases)
		}
	}
	return merged
}

// verifyWritten checks that the situations are read where they were written.
func verifyWritten(e *validate.Editor, written []wantedSituations) error {
	for _, w := range written {
		known := map[string]bool{}
		if s := e.Situations(w.place); s != nil {
			for _, phrase := range s.Phrases {
				known[phrase.Text] = true
			}
		}
		for _, phrase := range w.phrases {
			if !known[phrase] {
				file, h := e.Heading(w.place)
				return fmt.Errorf("the situation %q would not be read under %q of %s: close the comments and fences there first", phrase, h.Title, file.Path)
			}
		}
	}
	return nil
}

// fitPhrases normalizes phrases to one line with single spaces. It also returns why it skipped or
// refused phrases.
func fitPhrases(phrases []string) (fit, skipped, refused []string) {
	seen := map[string]bool{}
	for _, text := range phrases {
		phrase := strings.Join(strings.Fields(text), " ")
		switch key := decision.Key(phrase); {
		case phrase == "":
			skipped = append(skipped, "an empty situation")
		case strings.Contains(phrase, "-->"):
			refused = append(refused, fmt.Sprintf("situation %q has -->, which would end the comment: remove it", phrase))
		case !printable(phrase):
			refused = append(refused, fmt.Sprintf("situation %q has control characters, or is not UTF-8: remove them", phrase))
		case seen[key]:
			skipped = append(skipped, fmt.Sprintf("a duplicate of situation %q", phrase))
		default:
			seen[key] = true
			fit = append(fit, phrase)
		}
	}
	return fit, skipped, refused
}
