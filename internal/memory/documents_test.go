package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/memory"
)

func TestDocuments(t *testing.T) {
	layout := memory.Layout{Index: "index.md", Decisions: []string{"agents/*.md"}, Documents: []string{"adr/**/*.md", "special/README.md"}}
	m, err := memory.Open(tree("agents/README.md", "agents/a.md", "adr/0001-a.md", "adr/sub/0001-b.md", "adr/README.md", "adr/index.md",
		"adr/template.md", "adr/adr-template.md", "adr/0000-template.md", "adr/TEMPLATE_long.md", "adr/adr-template-bare-minimal.md", "adr/templates-are-html.md", "adr/readme-driven.md",
		"adr/0000-adr-template.md", "adr/ADR-000-template.md", "adr/_template.md", "adr/_README.md", "adr/template-adr.md", "adr/adr-template-nygard.md",
		"adr/README-de.md", "adr/YYYY-MM-DD-title.md", "adr/0000-title-of-decision.md", "adr/decision-record-template-for-business-case.md", "adr/index-of-decisions.md",
		"adr/architecture-decision-record-template.md", "adr/nnnn-template.md", "adr/0002-template-engine.md", "adr/0004-use-templates.md",
		"adr/0003-index-everything.md", "adr/ADR-INDEX.md", "adr/ADR_INDEX.md", "adr/000-index.md", "adr/adr-log.md", "adr/SUMMARY.md",
		"adr/overview.md", "adr/_sidebar.md", "adr/table-of-contents.md", "adr/CONTRIBUTING.md", "adr/GUIDE.md", "adr/NNNN-title.md", "adr/ADR-XXX-title.md", "adr/0000-example.md",
		"adr/ADRTemplate.md", "adr/AGENTS.md", "adr/0010-agents.md", "adr/0000-adr-template-de.md", "adr/rfc-000-template.md", "adr/vorlage.md", "adr/0008-search-index.md", "adr/0009-log-everything.md", "special/README.md", "special/b.md"), layout)
	require.NoError(t, err)
	require.Equal(t, []string{"adr/0001-a.md", "adr/0002-template-engine.md", "adr/0003-index-everything.md", "adr/0004-use-templates.md", "adr/0008-search-index.md", "adr/0009-log-everything.md", "adr/0010-agents.md", "adr/readme-driven.md", "adr/sub/0001-b.md", "adr/templates-are-html.md",
		"agents/README.md", "agents/a.md", "special/README.md"}, decisionPaths(m))
	sections := map[string]bool{}
	for _, f := range m.Files {
		require.Equal(t, f.Document, f.Path != f.Section())
		sections[f.Section()] = true
		require.True(t, layout.Holds(f.Path))
	}
	require.Equal(t, map[string]bool{"adr/": true, "adr/sub/": true, "agents/README.md": true, "agents/a.md": true, "special/": true}, sections)
	require.False(t, layout.Holds("adr/README.md"))
}
