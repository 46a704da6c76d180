package decision_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/test/repotest"
)

func TestStatus(t *testing.T) {
	type status = decision.Status
	chapter := func(body string) string {
		return "# A\n\n## Status\n\n" + body + "\n\n## Context\n\nStatus: rejected\n"
	}
	for name, c := range map[string]struct {
		src  string
		want status
	}{
		"none":                        {"# A\n\nSome text.\n", status{}},
		"a chapter":                   {chapter("Accepted"), status{Kind: decision.Accepted, Text: "Accepted"}},
		"an empty chapter":            {chapter(""), status{}},
		"a chapter with a comment":    {chapter("<!-- proposed\nrejected -->\nAccepted."), status{Kind: decision.Accepted, Text: "Accepted."}},
		"a line":                      {"# A\n\n* Status: accepted\n* Date: x\n", status{Kind: decision.Accepted, Text: "accepted"}},
		"a bold line":                 {"# A\n\n**Status:** ✅ Approved on 2021-02-03\n", status{Kind: decision.Accepted, Text: "✅ Approved on 2021-02-03"}},
		"a bold word":                 {"# A\n\n- **Status**: draft\n", status{Kind: decision.Proposed, Text: "draft"}},
		"a line above the H1":         {"Status: draft\n\n# A\n", status{Kind: decision.Proposed, Text: "draft"}},
		"front matter":                {"---\nstatus: \"deprecated\"\n---\n# A\n\n## Status\n\nAccepted\n", status{Kind: decision.Superseded, Text: "deprecated"}},
		"another word":                {chapter("Lunar"), status{Text: "Lunar"}},
		"on hold":                     {chapter("on hold"), status{Kind: decision.Proposed, Text: "on hold"}},
		"rejected":                    {chapter("**Rejected**, too slow"), status{Kind: decision.Rejected, Text: "Rejected, too slow"}},
		"a link":                      {chapter("Superseded by [5. Use Bun](0005-use-bun.md#decision)"), status{Kind: decision.Superseded, Text: "Superseded by 5. Use Bun", Successors: []string{"0005-use-bun.md"}}},
		"after accepted":              {chapter("Accepted\n\nSuperseded by [5. Use Bun](../adr/0005-use-bun.md)"), status{Kind: decision.Superseded, Text: "Accepted; Superseded by 5. Use Bun", Successors: []string{"../adr/0005-use-bun.md"}}},
		"in one line":                 {chapter("Accepted, superseded by ADR-0005 and ADR-12"), status{Kind: decision.Superseded, Text: "Accepted, superseded by ADR-0005 and ADR-12", Successors: []string{"0005", "12"}}},
		"a number":                    {chapter("superseded by 5"), status{Kind: decision.Superseded, Text: "superseded by 5", Successors: []string{"5"}}},
		"a wiki link":                 {chapter("replaced by [[0005-use-bun|Bun]]"), status{Kind: decision.Superseded, Text: "replaced by [[0005-use-bun|Bun]]", Successors: []string{"0005-use-bun"}}},
		"deprecated in favour of":     {chapter("Deprecated in favour of [x](x%20y.md)"), status{Kind: decision.Superseded, Text: "Deprecated in favour of x", Successors: []string{"x y.md"}}},
		"in part":                     {chapter("Partially superseded by [x](x.md)"), status{Text: "Partially superseded by x"}},
		"amended":                     {chapter("Accepted\nAmended by [x](x.md)"), status{Kind: decision.Accepted, Text: "Accepted Amended by x"}},
		"supersedes":                  {chapter("Accepted\n\nSupersedes [4. Use npm](0004-use-npm.md)"), status{Kind: decision.Accepted, Text: "Accepted", Supersedes: []string{"0004-use-npm.md"}}},
		"supersedes, among the links": {"# A\n\n## Links\n\n- Supersedes [x](x.md)\n- Replaces the 3 queues\n- Replaces 3 queues\n- Supersedes part of [y](y.md)\n", status{Supersedes: []string{"x.md"}}},
		"supersedes in part":          {"# A\n\nThis ADR in part supersedes [3](0003-x.md).\n", status{}},
	} {
		require.Equal(t, c.want, decision.ParseDocument("docs/adr/0001-a.md", []byte(c.src)).Status(), name)
	}
}

func TestSuccession(t *testing.T) {
	texts := map[string]string{
		"adr/0001-a.md":       "# A\n\nStatus: superseded by ADR-2\n",
		"adr/0002-b.md":       "# B\n\nStatus: superseded by [c](0003-c.md)\n",
		"adr/0003-c.md":       "# C\n\nStatus: accepted\n",
		"adr/0004-d.md":       "# D\n\nStatus: rejected\n",
		"adr/0005-e.md":       "# E\n\nStatus: superseded by 6\n",
		"adr/0006-f.md":       "# F\n\nStatus: superseded by 5\n",
		"adr/0007-g.md":       "# G\n\nStatus: accepted\n",
		"adr/0008-h.md":       "# H\n\nStatus: accepted\n\nSupersedes ADR-7\n",
		"adr/0009-i.md":       "# I\n\nStatus: accepted\n",
		"adr/0010-j.md":       "# J\n\nStatus: proposed\n\nSupersedes ADR-9\n",
		"adr/0011-k.md":       "# K\n\nStatus: superseded by 99\n",
		"adr/20200101-l.md":   "# L\n\nStatus: superseded by [m](../other/20210101-m.md)\n",
		"other/0001-a.md":     "# A\n",
		"other/20210101-m.md": "# M\n",
		"adr/0013-n.md":       "# N\n\nStatus: superseded by [a](../other/0001-a.md)\n",
		"adr/0015-p.md":       "---\nsuperseded-by: 0003-c.md\n---\n# P\n",
		"adr/0017-r.md":       "# R\n\n**Status**: Accepted (supersedes ADR-018)\n",
		"adr/0018-s.md":       "# S\n\nStatus: Accepted\n",
		"adr/0019-t.md":       "# T\n\n## Status\n\nAccepted, supersedes ADR-0020\n",
		"adr/0020-u.md":       "# U\n\nStatus: Accepted\n",
		"adr/0021-v.md":       "# V\n\nStatus: Superseded (see ADR 0003)\n",
		"adr/0022-w.md":       "# W\n\nStatus: Accepted\n",
		"adr/0023-x.md":       "# X\n\nStatus: akzeptiert\n\n- Ersetzt [W](0022-w.md)\n",
		"adr/0016-q.md":       "# Q\n\nStatus: superseded by [a](0001-a.md#b), [rejected](0004-d.md) and [m](<../other/20210101-m.md>)\n",
	}
	var documents []*decision.File
	byPath := map[string]*decision.File{}
	for name, src := range texts {
		f := decision.ParseDocument(name, []byte(src))
		documents, byPath[name] = append(documents, f), f
	}
	got := map[string]string{}
	for from, to := range decision.Succession(documents) {
		got[from.Path] = ""
		if to != nil {
			got[from.Path] = to.Path
		}
	}
	require.Equal(t, map[string]string{
		"adr/0001-a.md": "adr/0003-c.md", "adr/0002-b.md": "adr/0003-c.md", "adr/0004-d.md": "", "adr/0005-e.md": "", "adr/0006-f.md": "",
		"adr/0007-g.md": "adr/0008-h.md", "adr/0011-k.md": "", "adr/20200101-l.md": "other/20210101-m.md",
		"adr/0013-n.md": "other/0001-a.md", "adr/0015-p.md": "adr/0003-c.md", "adr/0018-s.md": "adr/0017-r.md", "adr/0020-u.md": "adr/0019-t.md", "adr/0021-v.md": "adr/0003-c.md", "adr/0022-w.md": "adr/0023-x.md", "adr/0016-q.md": "adr/0003-c.md",
	}, got)
}

// The records of four projects that do not hold, as a person reads them, and what holds instead.
func TestStatusOfRealRecords(t *testing.T) {
	for folder, want := range map[string]map[string]string{
		"govuk-aws/docs/architecture/decisions": {"0004-dns-definitions-for-hosts-and-services.md": "0015-dns-infrastructure.md"},
		"madr/docs/decisions":                   {},
		"log4brains/docs/adr":                   {"20200926-use-the-adr-number-as-its-unique-id.md": "20201016-use-the-adr-slug-as-its-unique-id.md"},
		"log4brains-edge-cases/packages/core/integration-tests/ro-project/docs/adr": {
			"20201028-superseded-adr.md": "20201029-superseder.md", "20201029-rejected-adr.md": "",
		},
	} {
		names, err := filepath.Glob(filepath.Join(repotest.Shared(t, "corpora/adr/"+folder), "*.md"))
		require.NoError(t, err)
		require.NotEmpty(t, names)
		var documents []*decision.File
		for _, name := range names {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			documents = append(documents, decision.ParseDocument(filepath.ToSlash(name), src))
		}
		got := map[string]string{}
		for from, to := range decision.Succession(documents) {
			got[filepath.Base(from.Path)] = ""
			if to != nil {
				got[filepath.Base(from.Path)] = filepath.Base(to.Path)
			}
		}
		require.Equal(t, want, got, folder)
	}
}

// A folder of records that replace one another takes linear time.
func TestManySuccessions(t *testing.T) {
	records := func(n int) (documents []*decision.File) {
		for n := range n {
			src := fmt.Sprintf("# A\n\n* Status: superseded by %d\n", n+2)
			if n%50 == 49 {
				src = "# A\n"
			}
			documents = append(documents, decision.ParseDocument(fmt.Sprintf("adr/%05d-a.md", n+1), []byte(src)))
		}
		return documents
	}
	repotest.RequireLinear(t, 10_000, func(n int) func() {
		documents := records(n)
		return func() { decision.Succession(documents) }
	})
	documents := records(10_000)
	succession := decision.Succession(documents)
	require.Len(t, succession, 9800)
	require.Equal(t, documents[49], succession[documents[0]])
	require.Equal(t, documents[9999], succession[documents[9998]])
}

func FuzzStatus(f *testing.F) {
	f.Add("---\nstatus: x\n---\n# A\n\n## Status\n\nSuperseded by [5](0005-x.md)\n")
	for _, s := range []string{
		"---\nstatus: [a, \"b\"]\nsuperseded-by: x\n---\n# A\n## Status\nSuperseded by [a](b.md \"c\") [[d|e]] ~~f~~ ![g](h) <!-- i -->\n",
		"* Status: superseded_by ADR-5 | 5 → [x](<y>)\n", "# A\n| Status | not yet accepted |\n```\n~~~\n", "## Status: [[](((\n[x] - - > >\nReplaces ADR-5",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		d := decision.ParseDocument("docs/adr/0001-a.md", []byte(src))
		require.NotContains(t, d.Status().Text, "\n")
		decision.Succession([]*decision.File{d, decision.ParseDocument("docs/adr/0005-x.md", []byte(src))})
		require.NotPanics(t, func() { _ = d.Record() })
	})
}
