package validate

import (
	"whence/internal/finding"
	"whence/internal/memory"
)

// duplicateHeader reports all but the first entry of a heading.
func duplicateHeader(k *audit, report func(finding.Finding)) {
	first := make(map[*memory.Heading]int, len(k.unique))
	for _, i := range k.unique {
		h := k.Target(i)
		if h == nil {
			continue
		}
		original, taken := first[h]
		if !taken {
			first[h] = i
			continue
		}
		if same, reported := k.sameKey[i]; reported && k.Target(same.line) == h {
			continue
		}
		title := k.Index.Lines[i].Entry.Title
		advice := "keep one entry; to remove this one: " + k.removing(i)
		if k.IsDerived(h, k.Index.Lines[original].Entry.Key()) && !k.IsDerived(h, k.Index.Lines[i].Entry.Key()) {
			advice = "that is only a draft; to remove it: " + k.removing(original)
		}
		report(k.atOffset(i, title.Start, "duplicate header title %q: line %d leads to the same heading; %s", title.Text, k.Index.Lines[original].Number, advice))
	}
}
