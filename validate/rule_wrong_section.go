package validate

import (
	"slices"

	"whence/internal/finding"
)

// wrongSection reports entries in the section of another file than that of their heading.
func wrongSection(k *check, report func(finding.Finding)) {
	misplaced := k.misplaced()
	fixes := map[int]*finding.Fix{} // by the section that entries move to
	for _, i := range misplaced {
		section := k.sectionFor(k.joined.Targets[i].File)
		if fixes[section] == nil {
			same := slices.DeleteFunc(slices.Clone(misplaced), func(i int) bool { return k.sectionFor(k.joined.Targets[i].File) != section })
			fixes[section] = k.moves(same, section)
		}
		title := k.Index.Lines[i].Entry.Title
		f := k.atOffset(i, title.Start, "heading %q is in %s, but its entry is under %q: --fix moves it",
			title.Text, k.position(k.joined.Targets[i]), k.section(k.Index.Lines[i]).Path)
		f.Fix = fixes[section]
		report(f)
	}
}
