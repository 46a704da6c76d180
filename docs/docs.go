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
	head := "\n## " + rule + "\n"
	_, section, found := strings.Cut(checks, head)
	if !found {
		return "", false
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return head[1:] + section, true
}
