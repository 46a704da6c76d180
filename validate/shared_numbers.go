package validate

import (
	"fmt"

	"whence/internal/cli"
	"whence/internal/decision"
	"whence/internal/memory"
	"whence/internal/shell"
)

// SharedNumbers returns a note that records of one folder share a number, or "" if none do. Two branches often take the
// same one.
func SharedNumbers(m *memory.Memory, t shell.Typed) string {
	var documents []*decision.File
	for _, f := range m.Files {
		if f.Document {
			documents = append(documents, f)
		}
	}
	pairs := decision.SharedNumbers(documents)
	if len(pairs) == 0 {
		return ""
	}
	return fmt.Sprintf("%s by two records, such as %s and %s: a record that names such a number may mean either, so rename one of them, and link to files",
		cli.Count(len(pairs), "number is taken", "numbers are taken"), t.Path(pairs[0][0]), t.Path(pairs[0][1]))
}
