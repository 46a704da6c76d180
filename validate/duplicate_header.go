package validate

import "whence/internal/finding"

// duplicateHeader reports further entries for a heading that has one.
func duplicateHeader(k *check) []finding.Finding {
	var found []finding.Finding
	first := make(map[heading]int, len(k.originals))
	for _, i := range k.originals {
		h, known := k.target(i)
		if !known {
			continue
		}
		original, taken := first[h]
		if !taken {
			first[h] = i
			continue
		}
		if same, reported := k.same[i]; reported && k.targets[same] == h {
			continue
		}
		title := k.Index.Lines[i].Entry.Title
		found = append(found, k.atOffset(i, title.Start,
			"duplicate header title %q: line %d leads to the same heading; keep one entry", title.Text, k.Index.Lines[original].Number))
	}
	return found
}
