package validate

import "whence/internal/finding"

// draftTrigger reports entries that are still as they were drafted.
func draftTrigger(a *audit, report func(finding.Finding)) {
	for _, e := range a.Unworded().Drafts {
		report(a.atField(e, e.Trigger, "trigger %q is a draft, made from the title of a heading without situations: %s", e.Trigger.Text, WordingRemedy(a.config.Typed)))
	}
}
