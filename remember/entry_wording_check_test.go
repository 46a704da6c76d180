package remember

import (
	"cmp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/shell"
	"whence/validate"
	"whence/when"
)

const file = "agents/decisions/api.md"

func lead(trigger, title string) when.Lead {
	return when.Lead{Operator: "when", Trigger: trigger, Title: title, File: file}
}

func TestCheck(t *testing.T) {
	was := proposal{Lead: lead("cursors over offsets", "Cursors over offsets"), Header: "Cursors over offsets", Description: "opaque tokens, stable order under inserts"}
	trigger := func(text string) answer { return answer{Trigger: text} }
	situation := func(text string) answer { return answer{Situations: []string{"page 2 again", text}} }
	kept := []string{"page 2 again"}
	for name, c := range map[string]struct {
		answer                     answer
		wantTrigger, wantSituation string // as they are afterwards; "" for as before, and for none beside the first
		wantReason                 string // "" for none
	}{
		"a trigger":                   {trigger("Paging  through rows"), "/when paging through rows", "", ""},
		"with a slash":                {trigger("fixing /api routes"), "/when fixing /api routes", "", ""},
		"the other operator":          {trigger("/how retrying uploads"), "/how retrying uploads", "", ""},
		"without spaces":              {trigger("处理支付回调"), "/when 处理支付回调", "", ""},
		"signs in the trigger":        {trigger("paging: rows"), "", "", `trigger "paging: rows": write lower-case words of letters, digits and - ' / . _ # +`},
		"one word":                    {trigger("paging"), "", "", `trigger "paging" has 1 word: write 2 to 8`},
		"nine words":                  {trigger("paging through all of the rows of a table"), "", "", `trigger "paging through all of the rows of a table" has 9 words: write 2 to 8`},
		"a blank description":         {answer{Description: " "}, "", "", "the description is blank, or has a line break or other control character"},
		"two lines":                   {answer{Description: "opaque tokens,\nstable order"}, "", "", "the description is blank, or has a line break or other control character"},
		"too few words":               {answer{Description: "tokens"}, "", "", "title and description have 7 words together, but 8 to 20 are allowed: write a description of 2 to 14 words"},
		"too many words":              {answer{Description: strings.Repeat("token ", 15)}, "", "", "title and description have 21 words together, but 8 to 20 are allowed: write a description of 2 to 14 words"},
		"situations alone":            {situation("which limit does the list take?"), "", "which limit does the list take?", ""},
		"a situation of one word":     {situation("pager.go"), "", "pager.go", ""},
		"a situation of 21 words":     {situation(strings.TrimSpace(strings.Repeat("row ", 21))), "", "", `row" has 21 words: write at most 20, what someone types, does or sees`},
		"an empty situation":          {situation(" "), "", "", ""},
		"the same situation":          {situation("Page 2  again"), "", "", ""},
		"the end of a comment":        {situation("rows --> skipped"), "", "", `situation "rows --> skipped" has -->, which would end the comment, or control characters: remove them`},
		"control characters":          {situation("rows \x1b[2J skipped"), "", "", `situation "rows \x1b[2J skipped" has -->, which would end the comment, or control characters`},
		"a NUL":                       {situation("rows\x00"), "", "", `or control characters: remove them`},
		"spaces around the situation": {situation("  rows are\tskipped  "), "", "rows are skipped", ""},
	} {
		p, reasons := check(was, c.answer, config.Default().WordCount)
		if c.wantReason != "" {
			require.Len(t, reasons, 1, name)
			require.Contains(t, reasons[0], c.wantReason, name)
			continue
		}
		require.Empty(t, reasons, name)
		require.Equal(t, cmp.Or(c.wantTrigger, was.Command()), p.Command(), name)
		require.Equal(t, was.Description, p.Description, name)
		want := kept
		switch {
		case c.answer.Situations == nil:
			want = nil
		case c.wantSituation != "":
			want = append(want, c.wantSituation)
		}
		require.Equal(t, want, p.Situations, name)
	}
	_, reasons := check(was, answer{Trigger: "rows", Description: "opaque pages", Situations: []string{"y -->"}}, config.Default().WordCount)
	require.Len(t, reasons, 3, "all that is wrong is said together")

	full := was
	full.Description = "opaque tokens, stable order under inserts, pages of one screen, next and previous links, no count"
	p, reasons := check(full, trigger("paging through all rows"), config.Default().WordCount)
	require.Empty(t, reasons, "a description that is kept makes room for the trigger")
	require.Equal(t, "opaque tokens, stable order under inserts, pages of one screen, next and previous", p.Description)
	p, reasons = check(full, situation("which limit?"), config.Default().WordCount)
	require.Empty(t, reasons)
	require.Equal(t, full.Description, p.Description)
}

func worded(t *testing.T) *when.Lookup {
	t.Helper()
	m, err := validate.Load(fstest.MapFS{
		config.DefaultIndex: {Data: []byte("## " + file + "\n\n/when paging through rows | Cursors | opaque tokens\n/when retrying uploads | Retries | jitter\n")},
		file:                {Data: []byte("# A\n\n## Cursors\n<!-- situations:\nrows are skipped\nthe upload hangs\n-->\nStable.\n\n## Retries\n<!-- situations:\nthe upload hangs and hangs\nthe upload hangs at the end\n-->\nThree.\n")},
	}, config.Default())
	require.NoError(t, err)
	return when.New(m, shell.Typed{})
}

func TestAstray(t *testing.T) {
	was := proposal{Lead: lead("retries", "Retries"), Header: "Retries"}
	now := was
	now.Lead, now.Situations = lead("retrying uploads", "Retries"), []string{"the upload hangs and hangs"}
	require.Empty(t, astray(worded(t), was, now))
	now.Lead, now.Situations = lead("paging through rows", "Retries"), []string{"rows are skipped", "the upload hangs and hangs", "how is it"}
	require.Equal(t, []string{
		`trigger "paging through rows" leads to "/when paging through rows" first ("Cursors" in agents/decisions/api.md): write what only this decision is about`,
		`situation "rows are skipped" leads to "/when paging through rows" first ("Cursors" in agents/decisions/api.md): write what only this decision is about`,
		`situation "how is it" leads to no entry: write words that say something`,
	}, astray(worded(t), was, now))
}

func TestNeighbours(t *testing.T) {
	require.Equal(t, []string{"/when retrying uploads (Retries)"}, neighbours(worded(t), lead("", "cursors"), "upload"))
	require.Equal(t, []string{"/when paging through rows (Cursors)"}, neighbours(worded(t), when.Lead{File: "other.md"}, "Skipped rows"))
}
