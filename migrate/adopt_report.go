package migrate

import (
	"fmt"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/text"
	"whence/internal/textdiff"
	"whence/validate"
)

// show prints the plan, or the change as a patch.
func (o *adoptOptions) show(env cli.Env, a *adoption) error {
	out := a.plan.text()
	if o.diff {
		out = textdiff.Unified(config.ProjectFile, a.settings.before, a.settings.after)
		if a.index.changed() {
			out += textdiff.Unified(a.index.path, a.index.before, a.index.after)
		}
	}
	if err := cli.PrintExact(env, out); err != nil {
		return err
	}
	if !a.changed() {
		o.note(env, nothingToAdopt)
		return nil
	}
	o.note(env, "%s would be added: --diff shows the change, and %s makes it", cli.Count(a.entries(), "entry", "entries"), o.command())
	return nil
}

// command returns the command that makes the change.
func (o *adoptOptions) command() string {
	return fmt.Sprintf("\"%s\"", o.typed.Command("memory-migrate adopt --write"))
}

const nothingToAdopt = "nothing to adopt"

// reportWritten prints the number of entries by section, what was left, and how many drafts to word.
func (o *adoptOptions) reportWritten(env cli.Env, a *adoption) error {
	if err := finding.Write(env.Stdout, "text", finding.Report{Findings: finding.Placed(a.left, o.typed.Path)}, false); err != nil {
		return err
	}
	if !a.changed() {
		o.note(env, nothingToAdopt)
		return nil
	}
	var out strings.Builder
	for _, s := range a.sections {
		fmt.Fprintf(&out, "%s: %s added\n", s.path, cli.Count(s.entries, "entry", "entries"))
	}
	for _, r := range a.plan {
		if r.use == asTheyAre {
			fmt.Fprintf(&out, "left %s: %s\n", r.path, r.why)
		}
	}
	if a.drafts > 0 {
		fmt.Fprintln(&out, validate.DraftsWritten(a.drafts, o.typed))
	}
	o.note(env, "%s", strings.TrimSuffix(text.PrintableLines(out.String()), "\n"))
	if len(a.left) > 0 {
		return cli.ErrFound
	}
	return nil
}

// note prints a line on standard error.
func (o *adoptOptions) note(env cli.Env, format string, args ...any) {
	if !o.quiet {
		fmt.Fprintf(env.Stderr, format+"\n", args...)
	}
}
