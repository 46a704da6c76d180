package decision_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
)

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
		"adr/2024-01-02-y.md": "# Y\n",
		"adr/0025-o\u0308.md": "# Z\n\nStatus: superseded by [ä](A\u0308.md)\n",
		"adr/ä.md":            "# Ä\n\nSupersedes [ö](0026-ö.md)\n",
		"adr/0026-o\u0308.md": "# ö\n",
		"adr/0024-z.md":       "# Z\n\nStatus: superseded by ADR-2024\n",
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
		got[from.File.Path] = ""
		if to.File != nil {
			got[from.File.Path] = to.File.Path
		}
	}
	require.Equal(t, map[string]string{
		"adr/0001-a.md": "adr/0003-c.md", "adr/0002-b.md": "adr/0003-c.md", "adr/0004-d.md": "", "adr/0005-e.md": "", "adr/0006-f.md": "",
		"adr/0011-k.md": "", "adr/20200101-l.md": "other/20210101-m.md", "adr/0024-z.md": "",
		"adr/0025-o\u0308.md": "adr/ä.md",
		"adr/0013-n.md":       "other/0001-a.md", "adr/0015-p.md": "adr/0003-c.md", "adr/0021-v.md": "adr/0003-c.md", "adr/0016-q.md": "adr/0003-c.md",
	}, got)
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
