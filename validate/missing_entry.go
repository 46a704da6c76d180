package validate

import (
	"fmt"
	"sync"

	"whence/internal/finding"
	"whence/internal/index"
)

// missingEntry reports headings that no line of the index leads to. An unsafe fix
// drafts the entry. A title that stands twice is reported once.
func missingEntry(k *check) []finding.Finding {
	var found []finding.Finding
	var drafts []arrival
	drafter := sync.OnceValue(func() *drafter { return newDrafter(k) })
	fix := &finding.Fix{Unsafe: true} // one for all: drafts can share a place
	for fi, file := range k.Decisions {
		for hi, h := range file.Headings {
			at := heading{fi, hi}
			if !h.Semantic() || h.Intro || k.claimed(h) || k.titles[h.Key].headings[0] != at {
				continue
			}
			f := k.atHeading(at, "no entry for heading %q (H%d): add \"/when <trigger> | %s | <description>\" under \"## %s\" of %s",
				h.Title, h.Level, index.Escape(h.Title), file.Path, k.IndexPath)
			if line, renamed := k.renamed[at]; renamed {
				f.Fix = k.renames[line].fix
				f.Message += fmt.Sprintf("; line %d there seems to be its entry, under an older title", k.Index.Lines[line].Number)
			} else if !k.IndexMissing {
				drafts = append(drafts, arrival{at, drafter().entry(at), k.homeSection(fi)})
				f.Fix = fix
			}
			found = append(found, f)
		}
	}
	fix.Edits = k.insertions(drafts)
	return found
}
