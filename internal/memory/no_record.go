package memory

import (
	"regexp"
	"sync"
)

// A folder of records also holds templates, indexes and descriptions. They are left out unless a glob without
// wildcards names them.

// noRecord matches the names of templates, indexes and descriptions of a folder: "template.md",
// "adr-template-nygard.md", "0000-adr-template.md", "NNNN-title.md", "_README.de.md", "ADR-INDEX.md", "toc.md",
// "CONTRIBUTING.md". A record may be about them, as in "0002-template-engine.md" and "0008-search-index.md".
var noRecord = sync.OnceValue(func() *regexp.Regexp {
	const (
		about    = `(m?adr|architect\w+|decisions?|records?|draft)`
		kind     = `(` + about + `|\d+|n+|x+|y+m+d+|y+-m+-d+)`
		list     = `(` + kind + `[-_. ])*(readme|index|toc|table[-_ ]of[-_ ]contents|contents|changelog)([-_][a-z]{2})?`
		guide    = `(m?adr[-_. ])?(summary|overview|sidebar|glossary|roadmap|license|contributing|guide|guidelines|how[-_ ]?to)|m?adr[-_. ](log|list)|(index|list)[-_ ]of[-_ ](adr|decision|record)s`
		variant  = `(m?adr|decision|record|bare|minimal|short|long|full|simple|basic|nygard|alexandrian|planguage|example)`
		template = `(` + kind + `[-_. ])*(m?adr)?(template|tmpl|example|sample|skeleton|vorlage|plantilla|mod[eè]le)([-_. ]` + variant + `)*|(` + about + `[-_. ])+template[-_. ].*`
		numbered = `(m?adr[-_. ])?(n{3,}|x{3,}|y+[-_]?m+[-_]?d+)[-_. ][^.]*|0+[-_. ]title([-_. ][^.]*)?`
	)
	return regexp.MustCompile(`(?i)^[-_]*(` + list + `|` + guide + `|` + template + `|` + numbered + `)(\.\w+)?\.\w+$`)
})
