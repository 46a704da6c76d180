package validate

import (
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/text"
)

// missingSuccessor reports superseded documents that lead to no document that holds.
func missingSuccessor(k *check, report func(finding.Finding)) {
	documents := k.documentFiles()
	succession := decision.Succession(documents)
	for _, file := range documents {
		if to, gone := succession[file]; gone && to == nil && file.Status().Kind == decision.Superseded {
			report(inFile(file, file.Headings[0].Line, "superseded, but names no successor that holds (%s): link to its file, as in \"Superseded by [Title](0007-title.md)\"", text.Quoted(file.Status().Text)))
		}
	}
}
