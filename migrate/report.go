package migrate

import (
	"fmt"
	"strings"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/text"
	"whence/internal/textdiff"
	"whence/validate"
)

// report prints the outcome on standard output: as a patch or, if it was to be written, what
// memory-validate finds in the result.
func (o *options) report(env cli.Env, index string, outcome Outcome) error {
	if !o.writes() {
		return cli.PrintExact(env, textdiff.Unified(index, outcome.Before, outcome.After))
	}
	return finding.Write(env.Stdout, "text", finding.Report{Findings: finding.Placed(outcome.Left, o.typed.Path)}, false)
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

// planName returns the file that keeps the lines that leave the index.
func (o *options) planName(index string) string {
	if o.hasPlanFile() {
		return o.planFile
	}
	return o.typed.Path(planBeside(index))
}
