package validate

import "whence/internal/finding"

// wrongSection reports entries that stand under another file than the one that
// holds their heading.
func wrongSection(k *check) []finding.Finding {
	var found []finding.Finding
	for _, i := range k.misplaced() {
		title := k.Index.Lines[i].Entry.Title
		f := k.atOffset(i, title.Start, "heading %q lives in %s, but its entry stands under %q: --fix moves it",
			title.Text, k.place(k.targets[i]), k.section(k.Index.Lines[i]).Path)
		f.Fix = k.moves()
		found = append(found, f)
	}
	return found
}
