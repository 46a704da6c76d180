package remember

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/validate"
	"whence/when"
)

const file = "agents/decisions/api.md"

func lead(trigger, title string) when.Lead {
	return when.Lead{Operator: "when", Trigger: trigger, Title: title, File: file}
}

// known returns a checker that knows an entry with a situation.
func known(t *testing.T) *wordingChecker {
	t.Helper()
	m, err := validate.Load(fstest.MapFS{
		config.DefaultIndex: {Data: []byte("## " + file + "\n\n/when retrying uploads | Retries | jitter\n")},
		file:                {Data: []byte("# A\n\n## Retries\n<!-- situations:\nthe upload hangs\n-->\nThree.\n\n## Cursors over offsets\nOpaque.\n")},
	}, config.Default())
	require.NoError(t, err)
	return newChecker(validate.NewEditor(m, config.Default()), config.Default())
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
		"trigger of another":          {trigger("retrying uploads"), "", "", `trigger "retrying uploads" has the words of "retrying uploads", the trigger of "Retries" in agents/decisions/api.md: write one that only this decision has`},
		"its words":                   {trigger("upload retrying"), "", "", `trigger "upload retrying" has the words of "retrying uploads", the trigger of "Retries"`},
		"a blank description":         {answer{Description: " "}, "", "", "the description is blank, has a line break or another control character"},
		"two lines":                   {answer{Description: "opaque tokens,\nstable order"}, "", "", "the description is blank, has a line break or another control character"},
		"too few words":               {answer{Description: "tokens"}, "", "", "title and description have 7 words together, allowed are 8 to 20: write a description of 2 to 14 words"},
		"too many words":              {answer{Description: strings.Repeat("token ", 15)}, "", "", "title and description have 21 words together, allowed are 8 to 20: write a description of 2 to 14 words"},
		"situations alone":            {situation("which limit does the list take?"), "", "which limit does the list take?", ""},
		"a situation of one word":     {situation("pager.go"), "", "pager.go", ""},
		"a situation of 21 words":     {situation(strings.TrimSpace(strings.Repeat("row ", 21))), "", "", `row" has 21 words: write at most 20, what someone types, does or sees`},
		"an empty situation":          {situation(" "), "", "", ""},
		"the same situation":          {situation("Page 2  again"), "", "", ""},
		"the end of a comment":        {situation("rows --> skipped"), "", "", `situation "rows --> skipped" has -->, which would end the comment: remove it`},
		"control characters":          {situation("rows \x1b[2J skipped"), "", "", `situation "rows \x1b[2J skipped" has control characters: remove them`},
		"a NUL":                       {situation("rows\x00"), "", "", `has control characters: remove them`},
		"the situation of another":    {situation("The upload hangs"), "", "", `situation "The upload hangs" is one of "Retries" in agents/decisions/api.md already: write what only this decision is about`},
		"spaces around the situation": {situation("  rows are\tskipped  "), "", "rows are skipped", ""},
	} {
		p, reasons := known(t).check(was, c.answer)
		if c.wantReason == "" {
			require.Empty(t, reasons, name)
		} else {
			require.Len(t, reasons, 1, name)
			require.Contains(t, reasons[0], c.wantReason, name)
		}
		if c.wantTrigger == "" {
			c.wantTrigger = was.Command()
		}
		require.Equal(t, c.wantTrigger, p.Command(), name)
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
}

// All that is wrong is said together, and what is good beside it is kept. What was kept of one entry, no
// other may have.
func TestCheckKeepsWhatIsGood(t *testing.T) {
	checker := known(t)
	was := proposal{Lead: lead("cursors", "Cursors over offsets"), Header: "Cursors over offsets", Description: "opaque tokens, stable order under inserts"}
	p, reasons := checker.check(was, answer{Trigger: "rows", Description: "opaque pages, stable order under inserts", Situations: []string{"y -->", "page 2 again", "the upload hangs"}})
	require.Len(t, reasons, 3)
	require.Equal(t, proposal{Lead: was.Lead, Header: was.Header, Description: "opaque pages, stable order under inserts", Situations: []string{"page 2 again"}}, p)

	p, reasons = checker.check(was, answer{Trigger: "paging through rows", Description: strings.Repeat("token ", 15)})
	require.Len(t, reasons, 1)
	require.Contains(t, reasons[0], "write a description of 2 to 14 words")
	require.Equal(t, "/when paging through rows", p.Command(), "a description that is too long takes no trigger along")
	require.Equal(t, was.Description, p.Description)

	_, reasons = checker.check(proposal{Lead: lead("retrying uploads", "Retries"), Header: "Retries", Description: "jitter"}, answer{Situations: []string{"Page 2 again"}})
	require.Len(t, reasons, 1)
	require.Contains(t, reasons[0], `situation "Page 2 again" is one of "Cursors over offsets"`)
}

func memory(t *testing.T) *when.Library {
	t.Helper()
	m, err := validate.Load(fstest.MapFS{
		config.DefaultIndex: {Data: []byte("## " + file + "\n\n/when paging through rows | Cursors | opaque tokens\n/when retrying uploads | Retries | jitter\n")},
		file:                {Data: []byte("# A\n\n## Cursors\n<!-- situations:\nrows are skipped\nthe upload hangs\n-->\nStable.\n\n## Retries\n<!-- situations:\nthe upload hangs and hangs\nthe upload hangs at the end\n-->\nThree.\n")},
	}, config.Default())
	require.NoError(t, err)
	return when.Of(m)
}

func TestWithoutAstray(t *testing.T) {
	f, checker := memory(t), known(t)
	was := proposal{Lead: lead("retries", "Retries"), Header: "Retries", Description: "jitter, and which calls may be sent twice"}
	good := was
	good.Lead, good.Situations = lead("retrying uploads", "Retries"), []string{"the upload hangs and hangs"}
	kept, reasons := checker.withoutAstray(f, was, good)
	require.Empty(t, reasons)
	require.Equal(t, good, kept)

	bad := was
	bad.Lead, bad.Situations = lead("paging through rows", "Retries"), []string{"rows are skipped", "the upload hangs and hangs", "how is it"}
	kept, reasons = checker.withoutAstray(f, was, bad)
	require.Equal(t, []string{
		`situation "rows are skipped" leads to "/when paging through rows" first ("Cursors" in agents/decisions/api.md): write what only this decision is about`,
		`situation "how is it" leads to no entry: write words that say something`,
		`trigger "paging through rows" leads to "/when paging through rows" first ("Cursors" in agents/decisions/api.md): write what only this decision is about`,
	}, reasons)
	want := was
	want.Situations = []string{"the upload hangs and hangs"}
	require.Equal(t, want, kept)
}

func TestNeighbours(t *testing.T) {
	require.Equal(t, []string{"/when retrying uploads (Retries)"}, neighbours(memory(t), lead("", "cursors"), "upload"))
	require.Equal(t, []string{"/when paging through rows (Cursors)"}, neighbours(memory(t), when.Lead{File: "other.md"}, "Skipped rows"))
}
