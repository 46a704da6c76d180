package notes

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"whence/internal/corpus"
)

// decisionRecord applies to files that hold decisions: those of the memory, and
// architecture decision records in their usual places. A change of one is a decision, and a new
// heading names it.
func decisionRecord(v *eventRun, c fileChange) (details []string, applies bool) {
	if !isDecision(v.config.Decisions, c.path) {
		return nil, false
	}
	for _, title := range newHeadings(c.Old, c.New) {
		details = append(details, "“"+title+"”")
	}
	return details, true
}

// isDecision reports whether a path names a decision file.
func isDecision(globs []string, name string) bool {
	if (corpus.Layout{Decisions: globs}).Holds(name) {
		return true
	}
	lower := strings.ToLower(name)
	base := path.Base(lower)
	if !slices.Contains([]string{".md", ".adoc", ".rst", ".txt"}, path.Ext(base)) {
		return false
	}
	for part := range strings.SplitSeq(path.Dir(lower), "/") {
		if slices.Contains([]string{"adr", "adrs", "decisions", "decision-records"}, part) {
			return true
		}
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	return strings.HasSuffix(stem, ".adr") || strings.HasPrefix(stem, "adr-") || stem == "decisions"
}

// atxHeading matches a heading of Markdown.
var atxHeading = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^#{1,6}[ \t]+(.+?)[ \t#]*\r?$`) })

// maxHeadings limits the titles in the line of a change.
const maxHeadings = 3

// newHeadings returns the headings that a text did not have before.
func newHeadings(before, after string) (titles []string) {
	if !strings.Contains(after, "#") {
		return nil
	}
	for _, m := range atxHeading().FindAllStringSubmatch(beginning(after, maxSourceBytes), -1) {
		if len(titles) < maxHeadings && !strings.Contains(before, m[1]) && !slices.Contains(titles, m[1]) {
			titles = append(titles, m[1])
		}
	}
	return titles
}
