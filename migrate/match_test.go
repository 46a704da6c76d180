package migrate

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/index"
	"whence/validate"
)

// memoryOf is a memory of one index section and one decision file.
func memoryOf(lines, headings string) fstest.MapFS {
	return fstest.MapFS{
		config.DefaultIndex:     {Data: []byte("Run /when § x.\n\n## agents/decisions/a.md\n\n" + lines)},
		"agents/decisions/a.md": {Data: []byte("# A\n\n" + headings)},
	}
}

func planOf(t testing.TB, tree fstest.MapFS) []migrateRow {
	t.Helper()
	m, err := validate.Load(tree, config.Default())
	require.NoError(t, err)
	return plan(m, config.Default())
}

// readingsOf reads the lines of an index as old entries: "title → description", one for
// each way to read a line.
func readingsOf(lines string) (found [][]string) {
	f := index.Parse([]byte("## a.md\n" + lines))
	for _, e := range legacyEntries(f) {
		var read []string
		for _, r := range e.readings {
			read = append(read, "/"+e.operator+" "+e.trigger+": "+r.title+" → "+r.description)
		}
		found = append(found, read)
	}
	return found
}

func TestEmDash(t *testing.T) {
	for line, want := range map[string][]string{
		"Mock patching — where used, not defined":     {"/when : Mock patching → where used, not defined"},
		"  Blanks around  —  and within\t":            {"/when : Blanks around → and within"},
		"Two — dashes — in it":                        {"/when : Two → dashes — in it", "/when : Two — dashes → in it"},
		"A — b — c — d":                               {"/when : A → b — c — d", "/when : A — b → c — d", "/when : A — b — c → d"},
		"Next — — to each other":                      {"/when : Next → — to each other"},
		"One | pipe — is none of the newest format":   {"/when : One | pipe → is none of the newest format"},
		"Größe → Höhe — Unicode":                      {"/when : Größe → Höhe → Unicode"},
		"when written without the slash — like a key": {"/when : when written without the slash → like a key"},
	} {
		require.Equal(t, [][]string{want}, readingsOf(line), line)
	}
	for _, line := range []string{
		"No dash at all", "A hyphen - is none", "An en dash – is none", "No—blanks", "Nothing behind —", "— nothing before",
		"**Bold** — is the author's", "- item — of a list", "1. item — of a list", "# Heading — deeper", "> quote — of another", "| table — row |",
		"/when a | B | a description — with a dash", "",
	} {
		require.Empty(t, readingsOf(line), line)
	}
}

func TestTwoField(t *testing.T) {
	for line, want := range map[string]string{
		"/when writing mock tests | mock patch, test doubles": "/when writing mock tests: When writing mock tests → mock patch, test doubles",
		"/how encode paths | slash to dash":                   "/how encode paths: How to encode paths → slash to dash",
		"/when without keywords":                              "/when without keywords: When without keywords → ",
		"/how without keywords |":                             "/how without keywords: How to without keywords → ",
		"\t/when  blanks\taround | x  ":                       "/when blanks\taround: When blanks\taround → x",
		`/when a\|b | c`:                                      "/when a|b: When a|b → c",
		"/when a|b":                                           "/when a|b: When a|b → ",
		"/when a dash — is no matter":                         "/when a dash — is no matter: When a dash — is no matter → ",
	} {
		require.Equal(t, [][]string{{want}}, readingsOf(line), line)
	}
	for _, line := range []string{"/when", "/when | no trigger", "/what else | x", "/when a | b | c", "/when a | b |", "/when a | | c", "when a | b"} {
		require.Empty(t, readingsOf(line), line)
	}
}

// Each case has an index, headings, and for each row what it leads to: its header, and the beginning of its reason.
func TestMatch(t *testing.T) {
	for name, c := range map[string]struct {
		lines, headings string
		want            []string
	}{
		"by title, without regard to case and blanks": {
			"pAGE  size — x", "## Page Size\n",
			[]string{"Page Size"}},
		"the second dash, if the first gives no heading": {
			"Page size — how big — x", "## Page size — how big\n",
			[]string{"Page size — how big"}},
		"the first dash, if both give one": {
			"Page size — how big — x", "## Page size — how big\n## Page size\n",
			[]string{"Page size"}},
		"of two fields": {
			"/when paging | x\n/how encode paths | x", "## When Paging\n## How to Encode Paths\n",
			[]string{"When Paging", "How to Encode Paths"}},
		"by words": {
			"Upload retry policy — x", "## Retry of mails\n## Upload retry rules\n",
			[]string{"Upload retry rules matched to the heading \"Upload retry rules\" by the words of its title"}},
		"exact beats words, even from below": {
			"Retry policy old — x\nRetry policy — x", "## Retry policy\n",
			[]string{"- no heading \"Retry policy old\"; candidates: \"Retry policy\" (agents/decisions/a.md:3)", "Retry policy"}},
		"no heading twice by title": {
			"Paging — x\nPaging — y", "## Paging\n",
			[]string{"Paging", "- line 5 leads to the heading \"Paging\" already"}},
		"a line that repeats another goes": {
			"Paging — x\nPaging — x", "## Paging\n",
			[]string{"Paging", "- it repeats another line"}},
		"no heading twice by words": {
			"Retry policy old — x\nRetry policy new — x", "## Retry policy\n",
			[]string{"- no heading \"Retry policy old\"", "- no heading \"Retry policy new\""}},
		"not the heading of a line with three fields": {
			"/when paging | Paging | x\nPaging — x\nPaging size — x", "## Paging\n",
			[]string{"- line 5 leads to the heading \"Paging\" already", "- no heading \"Paging size\"; candidates: \"Paging\""}},
		"ambiguous": {
			"Retry policy — x", "## Retry policy for uploads\n## Retry policy for mails\n",
			[]string{"- no heading \"Retry policy\"; candidates: \"Retry policy for uploads\" (agents/decisions/a.md:3), \"Retry policy for mails\" (agents/decisions/a.md:4)"}},
		"too little in common": {
			"Retry policy — x", "## Retry uploads forever\n",
			[]string{"- no heading \"Retry policy\"; candidates: \"Retry uploads forever\" (agents/decisions/a.md:3)"}},
		"nothing in common": {
			"Paging — x", "## Fonts\n",
			[]string{"- no heading \"Paging\""}},
		"a structural heading is none": {
			"Errors — x", "## .Errors\n### Problem documents\n",
			[]string{"- \"Errors\" (agents/decisions/a.md:3) only groups other headings"}},
		"the title of the file is no heading": {
			"A — x", "## B\n",
			[]string{"- no heading \"A\""}},
		"a heading in the intro by its title only": {
			"Reading this — x\nThis writing — x", "### Reading this\n### Writing this\n## B\n",
			[]string{"Reading this", "- no heading \"This writing\"; candidates: \"Writing this\""}},
	} {
		t.Run(name, func(t *testing.T) {
			tree := memoryOf(c.lines, c.headings)
			rows := planOf(t, tree)
			require.Len(t, rows, len(c.want))
			for i, r := range rows {
				header := r.header
				if header == "" {
					header = "-"
				}
				got := strings.TrimSpace(header + " " + r.why)
				require.True(t, strings.HasPrefix(got, c.want[i]), "%s\nwant %s", got, c.want[i])
			}
		})
	}
}

// The file of the section comes first. An entry in a section without a file may lead to any file, but only to headings
// that the other entries leave.
func TestMatchAcrossFiles(t *testing.T) {
	m, err := validate.Load(fstest.MapFS{
		config.DefaultIndex: {Data: []byte(`Run /when § x.

## Technical Decisions

Upload retry policy — x
Fonts — x

## agents/decisions/b.md

Paging — x
Retry of the uploads — x

## agents/decisions/a.md

Paging — y
Mail retry policy — x
`)},
		"agents/decisions/a.md": {Data: []byte("## Paging\n## Retry policy of mail\n")},
		"agents/decisions/b.md": {Data: []byte("## Paging\n## Uploads retry\n## Fonts\n## Policy of upload retry\n")},
	}, config.Default())
	require.NoError(t, err)
	entries := legacyEntries(m.Index)
	var got []string
	for i, found := range newPlanner(m, config.Default()).match(entries) {
		got = append(got, m.Index.Text(m.Index.Lines[entries[i].line])+" → "+found.heading.File.Path+" "+found.heading.Title)
	}
	require.Equal(t, []string{
		"Upload retry policy — x → agents/decisions/b.md Policy of upload retry",
		"Fonts — x → agents/decisions/b.md Fonts",
		"Paging — x → agents/decisions/b.md Paging",
		"Retry of the uploads — x → agents/decisions/b.md Uploads retry",
		"Paging — y → agents/decisions/a.md Paging",
		"Mail retry policy — x → agents/decisions/a.md Retry policy of mail",
	}, got)
}
