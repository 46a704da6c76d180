package migrate

import (
	"fmt"
	"io"
	"strings"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/text"
	"whence/internal/textdiff"
	"whence/validate"
)

// report prints the outcome on standard output: as JSON, as a patch, or, if it was to be written,
// what memory-validate finds in the result.
func (o *options) report(env cli.Env, outcome Outcome, write, written bool) error {
	if o.format == "json" {
		return writeJSON(env.Stdout, outcome, written)
	}
	if !write {
		return cli.PrintExact(env, textdiff.Unified(outcome.index, outcome.Before, outcome.After))
	}
	return finding.Write(env.Stdout, "text", finding.Report{Findings: finding.Placed(outcome.Left, o.typed.Path)}, false)
}

type jsonRow struct {
	Line int    `json:"line"`
	Kind string `json:"kind"`
	Row
}

// writeJSON prints one object: the rows, their number by kind, the remaining findings, and whether
// the index was written.
func writeJSON(w io.Writer, outcome Outcome, written bool) error {
	rows := make([]jsonRow, len(outcome.Plan.Rows))
	for i, r := range outcome.Plan.Rows {
		rows[i] = jsonRow{r.Line, r.Kind(), r}
	}
	findings := make([]string, len(outcome.Left))
	for i, f := range outcome.Left {
		findings[i] = fmt.Sprintf("%s:%d:%d: %s [%s]", f.Path, f.Line, f.Column, f.Message, f.Rule)
	}
	return text.WriteJSON(w, struct {
		Rows      []jsonRow `json:"rows"`
		In        int       `json:"in"`
		Out       int       `json:"out"`
		Removed   int       `json:"removed"`
		Unmatched int       `json:"unmatched"`
		Findings  []string  `json:"findings"`
		Written   bool      `json:"written"`
	}{rows, len(rows), outcome.Count(Migrated), outcome.Count(Removed), outcome.Count(Unmatched), findings, written})
}

// summarize prints on standard error the number of entries before and after, the place of each row
// without an entry, and, once they are written, how many are still to word.
func (o *options) summarize(env cli.Env, index string, outcome Outcome, written bool) {
	if o.quiet {
		return
	}
	if outcome.missing {
		fmt.Fprintf(env.Stderr, "nothing to migrate: there is no %s; run \"%s\", which makes it from the decision files\n", o.typed.Path(index), o.typed.Command("memory-remember entry draft --write"))
		return
	}
	if len(outcome.Plan.Rows) == 0 && !outcome.changed() {
		fmt.Fprintf(env.Stderr, "nothing to migrate: %s holds no entry of an old format\n", o.typed.Path(index))
		return
	}
	var out strings.Builder
	byWords := 0
	for _, r := range outcome.Plan.Rows {
		if r.Kind() != Migrated {
			fmt.Fprintf(&out, "%s:%d: %s\n\t%s\n", o.typed.Path(index), r.Line, r.Why, r.Source)
		} else if strings.HasPrefix(r.Why, matchedByWords) {
			byWords++
		}
	}
	in, entries := len(outcome.Plan.Rows), outcome.Count(Migrated)
	fmt.Fprintf(&out, "%s in, %d out", cli.Count(in, "entry", "entries"), entries)
	if n := outcome.leaving; n > 0 {
		fmt.Fprintf(&out, "; %d %s %s", n, tense(written, "removed from the index, kept in", "would be removed from the index, and kept in"), o.planName(index))
	}
	if n := in - entries - outcome.leaving; n > 0 {
		fmt.Fprintf(&out, "; %d without a heading %s in the index", n, tense(written, "left as it was", "would stay as it is"))
	}
	if byWords > 0 {
		fmt.Fprintf(&out, "; headings matched by words, to be looked at in the plan: %d", byWords)
	}
	if len(outcome.Left) > 0 {
		fmt.Fprintf(&out, "; findings of memory-validate in the result: %d", len(outcome.Left))
	}
	if n := outcome.wording; written && outcome.drafts > 0 {
		fmt.Fprintf(&out, "\n%s", validate.DraftsWritten(outcome.drafts, o.typed))
	} else if written && n.Without > 0 {
		fmt.Fprintf(&out, "\n%s: %s", n, validate.WordingRemedy(o.typed))
	} else if !o.writes() && outcome.changed() {
		fmt.Fprintf(&out, "\nnothing is written yet: run \"%s\"", o.writing())
	}
	fmt.Fprintf(env.Stderr, "%s\n", text.PrintableLines(out.String()))
}

func tense(written bool, did, would string) string {
	if written {
		return did
	}
	return would
}

// planName is the file that keeps the lines that leave the index.
func (o *options) planName(index string) string {
	if o.planFile != "" && o.planFile != "-" {
		return o.planFile
	}
	return o.typed.Path(planBeside(index))
}
