package validate

import (
	"fmt"
	"strings"

	"whence/internal/cli"
	"whence/internal/finding"
)

// changes says what was done, and what was taken out.
func (o *options) changes(result Result) string {
	verb := "fixed"
	if o.diff {
		verb = "would fix"
	}
	var out strings.Builder
	for _, change := range result.Changes {
		fmt.Fprintf(&out, "%s %s: %s\n", verb, finding.Printable(change.Path), countByRule(result.fixedIn(change.Path)))
	}
	return out.String() + o.removals(result)
}

// removals names what was taken out for good. It is said even to those who want it
// quiet.
func (o *options) removals(result Result) string {
	verb := "removed"
	if o.diff {
		verb = "would remove"
	}
	var out strings.Builder
	for _, text := range result.removed() {
		fmt.Fprintf(&out, "%s: %s\n", verb, finding.Printable(text))
	}
	return out.String()
}

// outlook says what is left to do. It is empty for a clean memory.
func (o *options) outlook(result Result, index string) string {
	if result.NoIndex {
		return fmt.Sprintf("there is no %s: memory-remember entry draft --write makes it, with an entry for each heading\n", index)
	}
	if len(result.Left) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s", cli.Count(len(result.Left), "finding", "findings"))
	safe, unsafe := countFixes(result.Left)
	switch {
	case safe > 0 && unsafe > 0:
		fmt.Fprintf(&out, "; --fix mends %d, --unsafe-fixes %d more", safe, unsafe)
	case safe > 0:
		fmt.Fprintf(&out, "; --fix mends %d", safe)
	case unsafe > 0:
		fmt.Fprintf(&out, "; --unsafe-fixes mends %d", unsafe)
	}
	out.WriteString("; --explain RULE tells more\n")
	return out.String()
}

// fixedIn lists the findings that edits of a file have mended. A finding may be
// reported in a decision file and mended in the index.
func (r Result) fixedIn(path string) []finding.Finding {
	var fixed []finding.Finding
	for _, f := range r.Fixed {
		if len(f.Fix.Edits) > 0 && f.Fix.Edits[0].Path == path {
			fixed = append(fixed, f)
		}
	}
	return fixed
}

// removed lists the lines that fixes have taken out.
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

// countByRule writes "2 wrong-section, 1 entry-order", in the order of the rules.
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

func countFixes(findings []finding.Finding) (safe, unsafe int) {
	for _, f := range findings {
		switch {
		case f.Fix == nil:
		case f.Fix.Unsafe:
			unsafe++
		default:
			safe++
		}
	}
	return safe, unsafe
}
