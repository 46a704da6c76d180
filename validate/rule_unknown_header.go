package validate

import (
	"fmt"

	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/text"
)

// unknownHeader reports entries whose header title matches no heading. If the heading seems
// to be renamed, an unsafe fix writes its new title.
func unknownHeader(k *check, report func(finding.Finding)) {
	for _, i := range k.unique {
		title := k.Index.Lines[i].Entry.Title
		if k.conflicts(k.section(k.Index.Lines[i]).Path) != nil {
			continue
		}
		if _, known := k.target(i); known || len(k.structuralOf(title.Text)) > 0 || len(k.joined.Named(title.Text)) > 0 {
			continue
		}
		message := fmt.Sprintf("no heading %q in the decision files", title.Text)
		var fix *finding.Fix
		if r, renamed := k.renames[i]; renamed {
			now := k.heading(r.heading)
			message += fmt.Sprintf(": renamed to %q (%s)? --unsafe-fixes writes that title", now.Title, k.position(r.heading))
			fix = r.fix
		} else {
			section := k.sectionPath(k.Index.Lines[i])
			if _, refused := corpus.WhyNot(k.Tree, section); refused && k.config.Layout().Holds(section) {
				continue // unknown-file says why
			}
			message += ": write the title of the heading it leads to, or delete the entry: memory-remember entry rm " + text.ShellQuote("/"+k.Index.Lines[i].Entry.Operator+" "+k.Index.Lines[i].Entry.Trigger.Text)
		}
		f := k.atOffset(i, title.Start, "%s", message)
		f.Fix = fix
		report(f)
	}
}
