package validate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
)

// Merges of a decision file or of an index. want is "" for a conflict.
func TestMerges(t *testing.T) {
	const api = "# API\n\n## Paging\n\nBy cursor.\n"
	const index = "# Index\n\n## a.md\n\n/when a | A | x\n"
	const cursors = "# API\n\n## Lists\n\nOf rows.\n\n## Cursors\n\nOpaque.\n\n## Errors\n\nAs JSON.\n"
	situations := func(title string) string { return "\n## " + title + "\n\n<!-- situations:\nit is seen\n-->\n\nDone.\n" }
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	for name, c := range map[string]struct{ base, ours, theirs, want string }{
		"two decisions":     {api, api + situations("Retries"), api + situations("Errors"), api + situations("Retries") + situations("Errors")},
		"CRLF":              {crlf(api), crlf(api + situations("Retries")), crlf(api + situations("Errors")), crlf(api + situations("Retries") + situations("Errors"))},
		"BOM":               {"\uFEFF" + api, "\uFEFF" + api + situations("X"), "\uFEFF" + api + situations("Y"), "\uFEFF" + api + situations("X") + situations("Y")},
		"before another":    {cursors, strings.Replace(cursors, "## Errors", "## X\n\nx\n\n## Errors", 1), strings.Replace(cursors, "## Errors", "## Y\n\ny\n\n## Errors", 1), strings.Replace(cursors, "## Errors", "## X\n\nx\n\n## Y\n\ny\n\n## Errors", 1)},
		"the same one":      {api, api + situations("X") + situations("Y"), api + situations("X") + situations("Z"), api + situations("X") + situations("Y") + situations("Z")},
		"squashed, stacked": {api, api + situations("X") + situations("Y"), api + situations("X"), api + situations("X") + situations("Y")},
		"two successors":    {cursors, strings.Replace(cursors, "## Cursors\n\nOpaque.", "## Tokens\n\nSigned.", 1), strings.Replace(cursors, "## Cursors\n\nOpaque.", "## Offsets\n\nPlain.", 1), ""},
		"no final line end": {api, api + "\n## X\n\nx", api + "\n## Y\n\ny", api + "\n## X\n\nx\n\n## Y\n\ny\n"},
		"none in the base":  {"# API\n\n## A\n\na", "# API\n\n## A\n\na\n\n## X\n", "# API\n\n## A\n\na\n\n## Y\n", ""},
		"markers in it":     {api + "\n<<<<<<<\n=======\n", api + "\n<<<<<<<\n=======\n" + situations("X"), api + "\n<<<<<<<\n=======\n" + situations("Y"), api + "\n<<<<<<<\n=======\n" + situations("X") + situations("Y")},
		"one title, texts":  {api, api + situations("X") + "\nMore.\n", api + situations("X"), ""},
		"one title, case":   {api, api + "\n## Retry\n", api + "\n## retry\n", ""},
		"levels":            {api, api + "\n## Sizes\n\nSmall.\n", api + "\n### Sizes\n\nSmall.\n", ""},
		"other levels":      {api, api + "\n### X\n\nx\n", api + "\n## Y\n\ny\n", ""},
		"rising levels":     {api, api + "\n### X\n\n## Z\n", api + "\n### Y\n", ""},
		"twice":             {cursors, cursors + "\n## X\n\nx\n", strings.Replace(cursors, "Lists", "X", 1) + "\n## Y\n\ny\n", ""},
		"subsections":       {api, api + "\n## X\n\n### More\n\nx\n", api + "\n## Y\n\n### More\n\ny\n", api + "\n## X\n\n### More\n\nx\n\n## Y\n\n### More\n\ny\n"},
		"text and heading":  {api, api + "\nAnd so on.\n", api + "\n## Y\n", ""},
		"lead":              {api, strings.Replace(api, "\n## P", "\nOurs.\n\n## P", 1), strings.Replace(api, "\n## P", "\nTheirs.\n\n## P", 1), ""},
		"new files":         {"", "# A\n\n## X\n", "# B\n\n## Y\n", ""},
		"two titles":        {"", "# A\n\na\n", "# B\n\nb\n", ""},
		"in a fence":        {api + "\n```\n", api + "\n```\n## X\n", api + "\n```\n## Y\n", ""},
		"open fence":        {api, api + "\n## X\n\n```\n", api + "\n## Y\n\n```\n", ""},
		"open comment":      {api, api + "\n## X\n\n<!-- x\n", api + "\n## Y\n\n-->\n", ""},
		"text follows":      {api, strings.Replace(api, "By", "## X\n\nBy", 1), strings.Replace(api, "By", "## Y\n\nBy", 1), ""},
		"empty":             {"", "", "", ""},

		// A heading that one side renames, and the other removes.
		"removed, renamed":  {cursors, strings.Replace(cursors, "## Cursors\n\nOpaque.\n\n", "", 1), strings.Replace(cursors, "Cursors", "Opaque cursors", 1), ""},
		"moved, removed":    {cursors, strings.Replace(cursors, "## Cursors\n\nOpaque.\n\n", "", 1), "# API\n\n## Cursors\n\nOpaque.\n\n## Lists\n\nOf rows.\n\n## Errors\n\nAs JSON.\n", ""},
		"grouped, added":    {cursors, strings.Replace(cursors, "## Cursors", "## .Groups\n\n### Cursors", 1), strings.Replace(cursors, "## Cursors", "## Retries\n\nThree.\n\n## Cursors", 1), ""},
		"deleted, moved":    {cursors, strings.Replace(cursors, "Opaque.\n\n", "", 1), strings.Replace(cursors, "Opaque.\n", "## New\n\nOpaque.\n", 1), ""},
		"renamed, extended": {cursors, strings.Replace(cursors, "## Lists", "## Rows", 1), strings.Replace(cursors, "Of rows.\n", "Of rows.\n\nAnd more.\n", 1), ""},

		// One side moves a section to the end, where the other adds one after it has removed that.
		"moved, replaced": {cursors, "# API\n\n## Cursors\n\nOpaque.\n\n## Errors\n\nAs JSON.\n\n## Lists\n\nOf rows.\n", "# API\n\n## Cursors\n\nOpaque.\n\n## Errors\n\nAs JSON.\n\n## Rows\n\nOf cells.\n", ""},
		"moved, renamed":  {cursors, "# API\n\n## Cursors\n\nOpaque.\n\n## Errors\n\nAs JSON.\n\n## Lists\n\nOf rows.\n", "# API\n\n## Cursors\n\nOpaque.\n\n## Errors\n\nAs JSON.\n\n## Rows\n\nOf rows.\n", ""},
		"entry reworded":  {index + "/when b | B | x\n", index + "/when c | C | x\n", index + "/when bb | B | x\n", ""},
		"entry moved":     {"# Index\n\n## a.md\n\n/when b | B | x\n/when a | A | x\n", index + "/when c | C | x\n", index + "/when bb | B | x\n", ""},

		"entries":           {index, index + "/when b | B | x\n", index + "/when c | C | x\n", index + "/when b | B | x\n/when c | C | x\n"},
		"one trigger":       {index, index + "/when b | B | x\n", index + "/when b | C | x\n", ""},
		"one title":         {index, index + "/when b | B | x\n", index + "/when c | b | x\n", ""},
		"reworded, removed": {index + "/when b | B | x\n", index, index + "/when bb | B | x\n", ""},
		"prose":             {index, index + "/when b | B | x\n", index + "Some text.\n", ""},
		"one section":       {index, index + "\n## b.md\n\n/when b | B | x\n", index + "\n## b.md\n\n/when c | C | x\n", index + "\n## b.md\n\n/when b | B | x\n/when c | C | x\n"},
		"two sections":      {index, index + "\n## b.md\n\n/when b | B | x\n", index + "\n## c.md\n\n/when c | C | x\n", index + "\n## b.md\n\n/when b | B | x\n\n## c.md\n\n/when c | C | x\n"},
		"section, entry":    {index, index + "\n## b.md\n\n/when b | B | x\n", index + "/when c | C | x\n", index + "/when c | C | x\n\n## b.md\n\n/when b | B | x\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := "agents/decisions/a.md"
			if strings.Contains(c.ours, "# Index") {
				path = "agents/memory-index.md"
			}
			m := newThreeWay(t, c.base, c.ours, c.theirs, path)
			if c.want == "" && c.ours != c.theirs {
				require.NotEqual(t, cli.OK, m.status, "%s", m)
				return
			}
			require.Equal(t, cli.OK, m.status, "%s", m)
			require.Equal(t, c.want, m.merged)
		})
	}
}

// Git takes the section that one side has removed for a new one of the other, outside of its conflict: then each
// difference is a conflict.
func TestWhatIsRemovedIsNotBackBesideAConflict(t *testing.T) {
	section := func(n string) string { return "\n## Depot " + n + "\n\nIt was slow. Number " + n + ".\n" }
	base := "# API\n" + section("1") + section("10") + section("3")
	m := newThreeWay(t, base, strings.TrimSuffix(base, section("3")[1:]), "# API\n\n"+section("3")+section("13")+section("14"), "agents/decisions/a.md")
	require.NotEqual(t, cli.OK, m.status, "%s", m)
	require.Empty(t, m.baseAfter, "%s", m)
}
