// Package docs holds the manual pages that programs print.
package docs

import (
	_ "embed"
	"strings"
)

//go:embed checks.md
var checks string

// Check returns the section of checks.md that is about a rule of memory-validate.
func Check(rule string) (text string, found bool) {
	var out strings.Builder
	inside, fenced := false, false
	for line := range strings.Lines(checks) {
		fenced = fenced != strings.HasPrefix(line, "```")
		if !fenced && strings.HasPrefix(line, "## ") {
			inside = line == "## "+rule+"\n"
		}
		if inside {
			out.WriteString(line)
		}
	}
	return out.String(), out.Len() > 0
}
