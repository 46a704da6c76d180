package validate

import "whence/internal/finding"

// draftTrigger reports entries that are still as rules drafted them.
func draftTrigger(k *audit, report func(finding.Finding)) {
	u := k.Unworded()
	for _, i := range u.Lines[:u.NumDrafts] {
		entry := k.Index.Lines[i].Entry
		report(k.atOffset(i, entry.Trigger.Start, "trigger %q is a draft, made from the title of a heading without situations: %s", entry.Trigger.Text, WordingRemedy(k.config.Typed)))
	}
}
