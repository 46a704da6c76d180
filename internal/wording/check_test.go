package wording_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/wording"
	"whence/validate"
	"whence/when"
)

const file = "agents/decisions/api.md"

func lead(trigger, title string) when.Lead {
	return when.Lead{Operator: "when", Trigger: trigger, Title: title, File: file}
}

// known returns a checker that knows an entry with a situation, and one that is proposed.
func known(t *testing.T) *wording.Checker {
	t.Helper()
	m, err := validate.Load(fstest.MapFS{
		config.DefaultIndex: {Data: []byte("## " + file + "\n\n/when retrying uploads | Retries | jitter\n")},
		file:                {Data: []byte("# A\n\n## Retries\n<!-- situations:\nthe upload hangs\n-->\nThree.\n")},
	}, config.Default())
	require.NoError(t, err)
	checker := wording.NewChecker(validate.NewEditor(m, config.Default()), config.Default())
	checker.Add(wording.Proposal{Lead: lead("listing odd rows", "Cursors over offsets"), Situations: []string{"rows are skipped after an insert"}})
	return checker
}

func TestCheck(t *testing.T) {
	good := wording.Proposal{
		Lead: lead("paging through rows", "Cursors over offsets"), Description: "opaque tokens, stable order under inserts",
		Situations: []string{"rows are skipped after an insert", "which limit does the list take?"},
	}
	for name, c := range map[string]struct {
		change func(p *wording.Proposal)
		want   string // the reason, or "" for none
	}{
		"good":                        {func(*wording.Proposal) {}, ""},
		"its own trigger":             {func(p *wording.Proposal) { p.Trigger = "listing odd rows" }, ""},
		"the other operator":          {func(p *wording.Proposal) { p.Operator, p.Trigger = "how", "retrying uploads" }, ""},
		"no operator":                 {func(p *wording.Proposal) { p.Operator = "what" }, `operator "what": write when or how`},
		"no trigger":                  {func(p *wording.Proposal) { p.Trigger = "" }, `trigger "": write lower-case words of letters, digits and - ' / . _ # +`},
		"signs in the trigger":        {func(p *wording.Proposal) { p.Trigger = "paging: rows" }, `trigger "paging: rows": write lower-case words of letters, digits and - ' / . _ # +, as in "paging rows"`},
		"capitals":                    {func(p *wording.Proposal) { p.Trigger = "Paging rows" }, `trigger "Paging rows": write lower-case words of letters, digits and - ' / . _ # +, as in "paging rows"`},
		"one word":                    {func(p *wording.Proposal) { p.Trigger = "paging" }, `trigger "paging" has 1 word: write 2 to 6`},
		"seven words":                 {func(p *wording.Proposal) { p.Trigger = "paging through the rows of a table" }, `trigger "paging through the rows of a table" has 7 words: write 2 to 6`},
		"trigger of another":          {func(p *wording.Proposal) { p.Trigger = "retrying uploads" }, `trigger "retrying uploads" is that of "Retries" in agents/decisions/api.md: write one that only this decision has`},
		"its words":                   {func(p *wording.Proposal) { p.Trigger = "upload retrying" }, `trigger "upload retrying" has the words of "retrying uploads", which is that of "Retries" in agents/decisions/api.md: write one that only this decision has`},
		"no description":              {func(p *wording.Proposal) { p.Description = " " }, "the description is empty: write the words by which one would search for the decision"},
		"two lines":                   {func(p *wording.Proposal) { p.Description = "opaque tokens,\nstable order" }, "the description has a line break or another control character: write it on one line"},
		"too few words":               {func(p *wording.Proposal) { p.Description = "tokens" }, "trigger, header and description have 7 words together, allowed are 8 to 20: write a description of 2 to 14 words"},
		"too many words":              {func(p *wording.Proposal) { p.Description = strings.Repeat("token ", 15) }, "trigger, header and description have 21 words together, allowed are 8 to 20: write a description of 2 to 14 words"},
		"no situations":               {func(p *wording.Proposal) { p.Situations = nil }, ""},
		"a situation of one word":     {func(p *wording.Proposal) { p.Situations[0] = "paging" }, `situation "paging" has 1 word: write 2 to 20, what someone types, does or sees`},
		"a situation of 21 words":     {func(p *wording.Proposal) { p.Situations[0] = strings.TrimSpace(strings.Repeat("row ", 21)) }, `row" has 21 words: write 2 to 20, what someone types, does or sees`},
		"an empty situation":          {func(p *wording.Proposal) { p.Situations[0] = " " }, "an empty situation: leave it out"},
		"the same situation":          {func(p *wording.Proposal) { p.Situations[1] = "Rows are  skipped after an insert" }, `a duplicate of situation "Rows are skipped after an insert": leave it out`},
		"the end of a comment":        {func(p *wording.Proposal) { p.Situations[0] = "rows --> skipped" }, `situation "rows --> skipped" has -->, which would end the comment: remove it`},
		"control characters":          {func(p *wording.Proposal) { p.Situations[0] = "rows \x1b[2J skipped" }, `situation "rows \x1b[2J skipped" has control characters, or is not UTF-8: remove them`},
		"the trigger as a situation":  {func(p *wording.Proposal) { p.Situations[0] = "page through rows" }, `situation "page through rows" has the words of the trigger: write it in other words`},
		"the situation of another":    {func(p *wording.Proposal) { p.Situations[0] = "The upload hangs" }, `situation "The upload hangs" is one of "Retries" in agents/decisions/api.md already: write what only this decision is about`},
		"blanks around the situation": {func(p *wording.Proposal) { p.Situations[0] = "  rows are\tskipped  " }, ""},
	} {
		checker := known(t)
		p := good
		p.Situations = append([]string(nil), good.Situations...)
		c.change(&p)
		reasons := checker.Check(&p, when.Lead{})
		if c.want == "" {
			require.Empty(t, reasons, name)
			continue
		}
		require.Len(t, reasons, 1, name)
		require.Contains(t, reasons[0], c.want, name)
	}

	// Everything that is wrong is said together; the entry that is replaced does not count.
	checker, old := known(t), lead("retrying uploads", "Retries")
	p := wording.Proposal{Lead: lead("retrying uploads", "Backoff"), Description: "x", Situations: []string{"one", "y -->"}}
	require.Len(t, checker.Check(&p, when.Lead{}), 4)
	require.Len(t, checker.Check(&p, old), 3)
}

func memory(t *testing.T) *when.Finder {
	t.Helper()
	m, err := validate.Load(fstest.MapFS{
		config.DefaultIndex: {Data: []byte("## " + file + "\n\n/when paging through rows | Cursors | opaque tokens\n/when retrying uploads | Retries | jitter\n")},
		file:                {Data: []byte("# A\n\n## Cursors\n<!-- situations:\nrows are skipped\nthe upload hangs\n-->\nStable.\n\n## Retries\n<!-- situations:\nthe upload hangs and hangs\nthe upload hangs at the end\n-->\nThree.\n")},
	}, config.Default())
	require.NoError(t, err)
	f, err := when.FinderOf(m)
	require.NoError(t, err)
	return f
}

func TestAstray(t *testing.T) {
	f := memory(t)
	require.Empty(t, wording.Astray(f, wording.Proposal{Lead: lead("retrying uploads", "retries"), Situations: []string{"the upload hangs and hangs"}}))
	require.Equal(t, []string{
		`trigger "retrying uploads" leads to "/when retrying uploads" first ("Retries" in agents/decisions/api.md): write what only this decision is about`,
		`situation "how is it" leads to no entry: write words that say something`,
	}, wording.Astray(f, wording.Proposal{Lead: lead("retrying uploads", "Cursors"), Situations: []string{"rows are skipped", "how is it"}}))
}

func TestNeighbours(t *testing.T) {
	require.Equal(t, []string{"/when retrying uploads (Retries)"}, wording.Neighbours(memory(t), wording.Entry{File: file, Header: "cursors"}))
	require.Equal(t, []string{"/when paging through rows (Cursors)"}, wording.Neighbours(memory(t), wording.Entry{File: "other.md", Header: "Skipped rows"}))
}
