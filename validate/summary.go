package validate

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/repo"
	"whence/internal/shell"
)

// log prints lines on standard error, each after the name of the program.
func (o *options) log(env cli.Env, lines string) {
	for line := range strings.Lines(lines) {
		fmt.Fprint(env.Stderr, "memory-validate: ", line)
	}
}

// changes lists what was fixed, drafted and removed.
func (o *options) changes(result Result) string {
	var out strings.Builder
	for _, change := range result.Changes {
		fmt.Fprintf(&out, "%s %s: %s\n", o.verb("fixed", "would fix"), inert.Printable(o.typed.Path(change.Path)), countByRule(result.fixedIn(change.Path)))
	}
	if drafts := result.drafts(); drafts > 0 && !o.diff {
		out.WriteString(DraftsWritten(drafts, o.typed) + "\n")
	}
	return out.String() + o.removals(result)
}

// drafts returns the number of entries that were drafted and still have to be worded (see [Unworded]).
func (r Result) drafts() (n int) {
	for _, f := range r.Fixed {
		isDraft := func(h *memory.Heading) bool { return h.File.Path == f.Path && len(h.Phrases()) == 0 && !h.Gone }
		if f.Rule == "missing-entry" && slices.ContainsFunc(r.fixed.Semantic(f.Heading), isDraft) {
			n++
		}
	}
	return n
}

// removals lists what was removed. It is printed even with --quiet.
func (o *options) removals(result Result) string {
	var out strings.Builder
	for _, line := range result.removed() {
		fmt.Fprintf(&out, "%s: %s\n", o.verb("removed", "would remove"), inert.Printable(line))
	}
	return out.String()
}

// noteBefore returns a line about the findings that do not stop a commit, or "".
func noteBefore(env cli.Env, n int) string {
	if n == 0 || repo.Rebasing(env.Getenv) {
		return ""
	}
	return cli.Count(n, "finding was there before this commit and does not stop it", "findings were there before this commit and do not stop it") + "; memory-validate shows all findings\n"
}

// verb returns done, or with --diff, would.
func (o *options) verb(done, would string) string {
	if o.diff {
		return would
	}
	return done
}

// outlook returns what is left to do. It is empty for a clean memory.
func (o *options) outlook(result Result, index string) string {
	if result.NoIndex {
		return fmt.Sprintf("there is no %s: run \"%s\", which makes it with an entry for each heading\n", inert.Printable(o.typed.Path(index)), makesIndex(o.typed, result.Left))
	}
	if len(result.Left) == 0 {
		return ""
	}
	flags := ""
	safe, unsafe := countFixes(result.Left)
	if safe > 0 {
		flags = fmt.Sprintf("; --fix fixes %d", safe)
	}
	if unsafe > 0 && safe == 0 {
		flags = fmt.Sprintf("; --unsafe-fixes fixes %d", unsafe)
	} else if unsafe > 0 {
		flags += fmt.Sprintf(", --unsafe-fixes %d more", unsafe)
	}
	return cli.Count(len(result.Left), "finding", "findings") + flags + "; --explain RULE explains a rule\n" + o.noDraft(result.Left)
}

// noDraft says, after --unsafe-fixes, why headings still have no entry.
func (o *options) noDraft(left []finding.Finding) string {
	n := 0
	for _, f := range left {
		if f.Rule == "missing-entry" && f.Fix == nil {
			n++
		}
	}
	if !o.unsafe || n == 0 {
		return ""
	}
	return fmt.Sprintf("no draft for %s: another line names it, or title and text have too few or too many words for an entry, or situations are required and missing; run \"%s\"\n",
		cli.Count(n, "heading", "headings"), o.typed.Command("memory-remember entry add --header TITLE --trigger WORDS --description WORDS"))
}

// makesIndex returns the command that makes an index. found holds the findings without one: no fix writes an entry that
// a rule would report.
func makesIndex(t shell.Typed, found []finding.Finding) string {
	if FixFlags(found) == "" {
		return t.Command("memory-remember entry draft --write")
	}
	return t.Command("memory-validate --unsafe-fixes")
}

// fixedIn lists the findings that edits of a file have fixed. A finding in a decision file may be fixed in the index.
func (r Result) fixedIn(path string) []finding.Finding {
	var fixed []finding.Finding
	for _, f := range r.Fixed {
		if len(f.Fix.Edits) > 0 && f.Fix.Edits[0].Path == path {
			fixed = append(fixed, f)
		}
	}
	return fixed
}

// removed lists the lines that fixes have removed.
func (r Result) removed() []string {
	var lines []string
	seen := map[*finding.Fix]bool{}
	for _, f := range r.Fixed {
		if !seen[f.Fix] {
			seen[f.Fix] = true
			lines = append(lines, f.Fix.Removed...)
		}
	}
	return lines
}

// countByRule returns "2 wrong-section, 1 entry-order", in the order of the rules.
func countByRule(findings []finding.Finding) string {
	count := map[string]int{}
	for _, f := range findings {
		count[f.Rule]++
	}
	var parts []string
	for _, r := range rules {
		if n := count[r.name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, r.name))
		}
	}
	return strings.Join(parts, ", ")
}

// FixFlags returns the flags that fix most of the findings, or "" if none has a fix.
func FixFlags(found []finding.Finding) string {
	safe, unsafe := countFixes(found)
	if unsafe > 0 {
		return "--unsafe-fixes"
	}
	if safe > 0 {
		return "--fix"
	}
	return ""
}

// countFixes counts the findings with a fix by whether it is safe.
func countFixes(findings []finding.Finding) (safe, unsafe int) {
	for _, f := range findings {
		if f.Fix == nil {
			continue
		}
		if f.Fix.Unsafe {
			unsafe++
		} else {
			safe++
		}
	}
	return safe, unsafe
}
