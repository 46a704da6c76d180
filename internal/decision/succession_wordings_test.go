package decision_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"whence/internal/decision"
)

// Each wording, as people and tools write them, makes 0002-use-bun.md the successor of a record.
func TestWordingsOfSuccessors(t *testing.T) {
	chapter := func(s string) string { return "# A\n\n## Status\n\n" + s + "\n\n## Context\n\nSince 3 years.\n" }
	line := func(s string) string { return "# A\n\n" + s + "\n\n## Context\n\nSince 3 years.\n" }
	front := func(s string) string { return "---\n" + s + "\n---\n# A\n\nSince 3 years.\n" }
	for name, src := range map[string]string{
		"adr-tools":                   chapter("Superseded by [2. Use Bun](0002-use-bun.md)"),
		"MADR 2":                      line("* Status: superseded by [ADR-0002](0002-use-bun.md) <!-- optional -->\n* Date: 2020-03-04"),
		"MADR 4":                      front("status: \"superseded by ADR-0002\"\ndate: 2020-03-04"),
		"log4brains":                  line("- Status: superseded by [0002-use-bun](0002-use-bun.md)"),
		"in brackets":                 chapter("Superseded (see ADR 0002)"),
		"bare file":                   chapter("Superseded by 0002-use-bun.md."),
		"path from the root":          chapter("Superseded by [ADR 2](/docs/adr/0002-use-bun.md)"),
		"without extension":           chapter("Superseded by [ADR 2](./0002-use-bun)"),
		"a URL":                       chapter("Superseded by https://github.com/o/r/blob/main/docs/adr/0002-use-bun.md"),
		"a link to a URL":             chapter("Superseded by [Use Bun](https://github.com/o/r/blob/main/docs/adr/0002-use-bun.md#decision)"),
		"a link to a page":            chapter("Superseded by [Use Bun](https://o.github.io/docs/adr/0002-use-bun/)"),
		"a reference link":            chapter("Superseded by [ADR-0002][bun]\n\n[bun]: https://adr.example.org/r/2"),
		"a footnote of a link":        chapter("Superseded by [ADR-0002]."),
		"a wiki link":                 chapter("Superseded by [[0002-use-bun]]"),
		"a title after":               chapter("Superseded by ADR-0002: Use Bun"),
		"with a date":                 chapter("Superseded on 2020-03-04 by ADR-0002"),
		"crossed out":                 chapter("~~Accepted~~ Superseded by ADR-0002"),
		"deprecated in favour of":     chapter("Deprecated in favour of [Bun](0002-use-bun.md)"),
		"wrapped":                     chapter("Superseded for the assembly at runtime by\n[ADR-0063](0002-use-bun.md)"),
		"see":                         chapter("Superseded. See\nADR 0002."),
		"a list":                      chapter("* Superseded by:\n  * [Use Bun](0002-use-bun.md)"),
		"a table":                     line("| Status | Superseded by [ADR-0002](0002-use-bun.md) |\n| --- | --- |\n| Date | 2020-03-04 |"),
		"rows of a table":             line("| Field | Value |\n| --- | --- |\n| Status | Superseded |\n| Superseded by | ADR-0002 |"),
		"a line of its own":           line("* Status: Superseded\n* Superseded by: [ADR-0002](0002-use-bun.md)"),
		"a line of its own, accepted": line("- Status: Accepted\n- Superseded-by: 0002-use-bun.md"),
		"supersededBy":                front("status: accepted\nsupersededBy: ADR-0002"),
		"superseded_by, a number":     front("status: superseded\nsuperseded_by: 2"),
		"superseded-by, a file":       front("superseded-by: 0002-use-bun.md"),
		"superseded-by, a list":       front("status: superseded\nsuperseded-by:\n  - 0002-use-bun.md"),
		"superseded_by, a slug":       front("superseded_by: 'docs/adr/0002-use-bun'"),
		"replaced_by":                 front("status: deprecated\nreplaced_by: \"0002\""),
		"TOML":                        "+++\nstatus = \"superseded\"\nsuperseded_by = 2\n+++\n# A\n",
		"JSON":                        "{\"status\": \"superseded\", \"supersededBy\": [\"ADR-0002\"]}\n# A\n",
		"Chinese":                     chapter("已被 ADR-0002 取代"),
		"Chinese, another word":       chapter("已由 [使用 Bun](0002-use-bun.md) 替代"),
		"Chinese, without spaces":     chapter("已被0002-use-bun.md取代"),
		"Japanese":                    chapter("廃止（ADR-0002 に置き換え）"),
		"Japanese, the record first":  chapter("ADR-2に置き換え済み"),
		"Korean, the record first":    chapter("ADR-2에 의해 대체됨"),
		"German, the record first":    chapter("Durch [ADR 2](0002-use-bun.md) ersetzt"),
		"Russian":                     chapter("Заменено на [ADR 2](0002-use-bun.md)"),
		"Ukrainian":                   chapter("Замінено на ADR-0002"),
		"Polish":                      chapter("Zastąpiony przez ADR-0002"),
		"Swedish":                     chapter("Ersatt av ADR 2"),
		"as the folder numbers":       chapter("Superseded by 0002"),
		"a number, and nothing else":  chapter("Superseded by 2."),
		"an earlier status":           chapter("Accepted on 2020-01-01. Superseded by [Bun](0002-use-bun.md) on 2021-01-01."),
		"a history":                   chapter("* 2020-01-01 proposed\n* 2020-02-01 accepted\n* 2021-01-01 superseded by [Bun](0002-use-bun.md)"),
		"what it replaces, too":       chapter("Superseded by ADR-2, supersedes [3](0003-use-deno.md)"),
		"and see":                     chapter("Superseded by [gone](0099-gone.md) and ADR-2, see also ADR-3"),
		"a table in the chapter":      chapter("| State | Date |\n| --- | --- |\n| Superseded by ADR-2 | 2021-01-01 |"),
		"a quote above":               line("> **Superseded by [Use Bun](0002-use-bun.md)**\n\nStatus: Accepted"),
		"a sentence above":            line("> ⚠️ **This ADR has been superseded by ADR-002**. It stays for the record.\n\n**Status:** Superseded"),
	} {
		assert.Equal(t, "docs/adr/0002-use-bun.md", successorOf(src), name)
	}
}

// successorOf returns the record that holds in place of one with a text.
func successorOf(src string) string {
	documents := []*decision.File{decision.ParseDocument("docs/adr/0007-a.md", []byte(src))}
	for _, name := range []string{"adr/0002-use-bun.md", "adr/0003-use-deno.md", "adr/0004-use-node.md", "adr/0012-use-go.md", "rfc/0002-other.md"} {
		documents = append(documents, decision.ParseDocument("docs/"+name, []byte("# B\n")))
	}
	return successorIn(documents)
}

// What a record says that it replaces counts for nothing: the other one may hold for the rest.
func TestWhatARecordReplacesHolds(t *testing.T) {
	for _, src := range []string{
		"# B\n\nStatus: accepted\n\nThis design replaces 1–3 hand-written cron jobs.\n", // R3
		"# B\n\nStatus: accepted\n\nReplaces 1–3 hand-written cron jobs.\n",
		"# B\n\nStatus: accepted\n\nThis replaces what [1](0001-a.md) says.\n",
		"# B\n\n**Status**: Accepted (supersedes ADR-001)\n",
		"# B\n\n* Status: accepted\n* Supersedes: [1](0001-a.md)\n",
		"# B\n\n## Status\n\nAkzeptiert, ersetzt ADR-1\n",
		"---\nstatus: accepted\nsupersedes: 0001\n---\n# B\n",
	} {
		a, b := decision.ParseDocument("adr/0001-a.md", []byte("# A\n")), decision.ParseDocument("adr/0002-b.md", []byte(src))
		assert.Empty(t, decision.Succession([]*decision.File{a, b}), src)
	}
}

// A record that is superseded in part, later or not at all holds, and what is no record supersedes none.
func TestNoSuccessors(t *testing.T) {
	for _, s := range []string{
		"# A\n\n## Status\n\nAccepted\n\nAmended by [ADR-0002](0002-use-bun.md), the earlier framing is\nsuperseded for this layer.\n",
		"# A\n\n## Status\n\nAccepted\n\nAmended by [ADR-0002](0002-use-bun.md). The choice of a library was\nsuperseded by [3](0003-use-deno.md) for the web only.\n",
		"# A\n\n## Status\n\nAccepted. The section on queues is deprecated, see ADR-2.\n",
		"# A\n\n* Status: accepted, with parts\n  superseded by ADR-2\n",
		"# A\n\n## Status\n\nAccepted\n\nIn 2020 this was discussed;\nrejected alternatives are in ADR-2.\n",
		"# A\n\n## Status\n\nAccepted. Deprecated flags are listed in [2](0002-use-bun.md).\n",
		"# A\n\n## Status\n\nAccepted (not superseded by ADR-2)\n",
		"---\nstatus: accepted\nsuperseded_by: none\n---\n# A\n",
		"---\nstatus: accepted\nsuperseded_by: []\n---\n# A\n",
		"---\nstatus: accepted\nsuperseded-by: \"\"\ndate: 2020-01-02\n---\n# A\n",
		"# A\n\nStatus: Accepted\nSuperseded by: N/A\n",
		"# A\n\nStatus: Accepted\nSuperseded by: -\n",
		"# A\n\nDeprecated [flags](0002-use-bun.md) stay for a year.\n",
		"# A\n\n## Status\n\nAccepted\n\nSupersedes [3](0003-use-deno.md), deprecated since 2019.\n",
		"# A\n\nStatus: Accepted (will be superseded by ADR-2)\n",
		"# A\n\nStatus: Accepted; to be replaced by ADR 2 next year\n",
		"# A\n\nReplaced by-products are burnt.\n",
	} {
		assert.Equal(t, "holds", successorOf(s), s)
	}
	for _, s := range []string{
		"# A\n\nStatus: superseded by #2\n", "# A\n\nStatus: superseded by ADR-0\n", "# A\n\nStatus: superseded by PR-2\n", "# A\n\nStatus: superseded by 2 others\n", "# A\n\nStatus: superseded by v0002\n",
		"# A\n\nStatus: superseded by 2020-03-04\n", "# A\n\n## Status\n\nSuperseded 4 weeks ago\n", "# A\n\n## Status\n\nSuperseded in release 3\n", "# A\n\n## Status\n\nSuperseded by the 4 new ones\n",
		"# A\n\n## Status\n\nSuperseded by [issue #2](https://github.com/o/r/issues/2)\n",
	} {
		assert.Equal(t, "unknown", successorOf(s), s)
	}
}
