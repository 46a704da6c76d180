package corpus

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"whence/internal/decision"
	"whence/internal/worktree"
)

// A folder of records also holds templates, indexes and descriptions. They are left out unless a glob without
// wildcards names them.

// Section returns the path of the index section with the entries of a decision file.
func (l Layout) Section(name string) string {
	if l.isDocument(name) {
		return decision.DocumentSection(name)
	}
	return name
}

// Folders returns the documents among decision files by section, in their order.
func (l Layout) Folders(names []string) map[string][]string {
	folders := map[string][]string{}
	for _, pattern := range l.Documents {
		g, err := worktree.ParseGlob(pattern)
		if err != nil {
			continue
		}
		for _, name := range names {
			if g.Match(name) && !hidden(pattern, name) {
				section := decision.DocumentSection(name)
				folders[section] = append(folders[section], name)
			}
		}
	}
	for section, documents := range folders {
		slices.Sort(documents)
		folders[section] = slices.Compact(documents)
	}
	return folders
}

func (l Layout) isDocument(name string) bool { return matches(l.Documents, name) }

// skips reports whether a file is left out, by an exception or as a document by its name.
func (l Layout) skips(name string) bool {
	return l.Excepts(name) || len(l.Documents) > 0 && noRecord().MatchString(path.Base(name)) && !matches(l.Decisions, name) &&
		!slices.Contains(l.Documents, name)
}

// Excepts reports whether an exception, a glob that begins with !, names a file.
func (l Layout) Excepts(name string) bool {
	for _, pattern := range slices.Concat(l.Decisions, l.Documents) {
		if rest, found := strings.CutPrefix(pattern, exception); found && matches([]string{rest}, name) {
			return true
		}
	}
	return false
}

// noRecord matches the names of templates, indexes and descriptions of a folder: "template.md",
// "adr-template-nygard.md", "0000-adr-template.md", "_README.de.md", "index.md", "toc.md". A record may be
// about templates, as in "0002-template-engine.md".
var noRecord = sync.OnceValue(func() *regexp.Regexp {
	const (
		list     = `(readme|index|toc|contents|changelog)`
		kind     = `(m?adr|architect\w+|decision|record|\d+|n+|x+)`
		variant  = `(m?adr|decision|record|bare|minimal|short|long|full|simple|basic|nygard|alexandrian|planguage|example)`
		template = `(` + kind + `[-_. ])*template([-_. ]` + variant + `)*`
	)
	return regexp.MustCompile(`(?i)^[-_]*(` + list + `|` + template + `)(\.\w+)?\.\w+$`)
})
