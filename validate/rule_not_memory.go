package validate

import (
	"whence/internal/corpus"
	"whence/internal/finding"
)

// notMemory reports files that the settings name, and that are not read all the same: see corpus.Memory.
func notMemory(k *check, report func(finding.Finding)) {
	tree, refuses := k.Tree.(*corpus.Memory)
	if !refuses {
		return
	}
	for _, r := range tree.Refusals() {
		report(finding.Finding{Path: r.Path, Line: 1, Column: 1, Message: r.Why() + ": " + r.Remedy(k.config.Typed)})
	}
}
