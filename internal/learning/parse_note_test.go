package learning_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/test/repotest"
	"whence/internal/text"
)

func TestParseNote(t *testing.T) {
	type part struct{ section, name, description, why string }
	for name, c := range map[string]struct {
		note, file string
		maxChars   int
		want       []part
	}{
		"a note of an agent": {
			note: "---\nname: feedback_database\ndescription: \"Integration tests use a real database\"\nmetadata: \n  node_type: memory\n  type: feedback\n---\n\nNever mock the database in integration tests.\n\n**Why:** a mock hid a broken migration.\n\n**How to apply:** start the container first.\n",
			want: []part{{"", "Integration tests use a real database", "Integration tests use a real database\n\nNever mock the database in integration tests.\n\n\n**How to apply:** start the container first.", "a mock hid a broken migration."}},
		},
		"its name is written for people": {note: "---\nname: How we test\ndescription: never mock the database\n---\nNever mock the database!", want: []part{{"", "How we test", "Never mock the database!", ""}}},
		"the title of the front matter":  {note: "---\ntitle: 'It''s late'\n---\n# Other\nThe bus is late on Mondays.", want: []part{{"", "It's late", "The bus is late on Mondays.", ""}}},
		"the heading":                    {note: "\n# Bus **times** #\n\nThe bus is late.", want: []part{{"", "Bus **times**", "The bus is late.", ""}}},
		"the file":                       {note: "The bus is late.", file: "bus_times-2.md", want: []part{{"", "bus times 2", "The bus is late.", ""}}},
		"front matter that never ends":   {note: "---\ntitle: x\nThe bus is late.", file: "a.md", want: []part{{"", "", "---\ntitle: x\nThe bus is late.", ""}}},
		"nothing but front matter":       {note: "---\ntitle: Bus\n---\n", want: nil},
		"nothing but a description":      {note: "---\ntitle: Bus\ndescription: >-\n  The bus\n  is late.\nx: 1\n---\n", want: []part{{"", "Bus", "The bus is late.", ""}}},
		"sections": {
			note: "# Bus\nIntro.\n## Times\nLate.\n### Mondays\nLater.\n```\n## no heading\n```\n## Fares\n\n## Times\nEarly.\n", maxChars: 5,
			want: []part{{"", "Bus", "Intro.", ""}, {"Times", "Bus: Times", "Late.", ""}, {"Times › Mondays", "Bus: Mondays", "Later.\n```\n## no heading\n```", ""}, {"Times", "Bus: Times", "Early.", ""}},
		},
		"sections that are short stay together": {
			note: "# Bus\n## Times\nLate.\n### Mondays\nLater.\n## Fares\nFree of charge.\n", maxChars: 25,
			want: []part{{"Times", "Bus: Times", "Late.\n### Mondays\nLater.", ""}, {"Fares", "Bus: Fares", "Free of charge.", ""}},
		},
		"two headings of level 1 are sections": {
			note: "# Bus\nLate.\n# Train\nEarly.\n", maxChars: 5, file: "x.md",
			want: []part{{"Bus", "Bus", "Late.", ""}, {"Train", "Train", "Early.", ""}},
		},
		"deeper headings in front": {
			note: "### Deep\nOne.\n## Less\nTwo.\n", maxChars: 5, file: "x.md",
			want: []part{{"Deep", "Deep", "One.", ""}, {"Less", "Less", "Two.", ""}},
		},
		"labels on lines of their own": {
			note: "# Pools\n**What**: the pool is closed on exit\n**Why**: it leaked\nconnections\n**Where**: db.go",
			want: []part{{"", "Pools", "**What**: the pool is closed on exit\n**Where**: db.go", "it leaked\nconnections"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			maxChars := c.maxChars
			if maxChars == 0 {
				maxChars = learning.MaxNoteChars
			}
			var got []part
			entries := map[string]bool{}
			for _, p := range learning.ParseNote(c.note, c.file, maxChars) {
				got = append(got, part{p.Section, p.Name, p.Description, p.Reasoning})
				require.False(t, entries[p.Entry], "entries of parts differ")
				entries[p.Entry] = true
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestParseNoteFields(t *testing.T) {
	day := func(s string) time.Time { at, _ := time.Parse(time.DateOnly, s); return at }
	for name, c := range map[string]struct {
		front    string
		keywords []string
		created  time.Time
		updated  time.Time
	}{
		"lists":              {"tags:\n  - '#bus'\n  - Late\n  - bus\ndate: 2024-05-06", []string{"bus", "late"}, day("2024-05-06"), time.Time{}},
		"a list in brackets": {`tags: ["bus", late,code]` + "\ncreated: '2024-05-06'\nupdated: 2024-06-07", []string{"bus", "late"}, day("2024-05-06"), day("2024-06-07")},
		"a text":             {"Tags: bus, late\ndate: yesterday", []string{"bus", "late"}, time.Time{}, time.Time{}},
		"a mapping":          {"type: user\nmetadata:\n  type: project\n  modified: 2024-06-07T00:00:00.000Z", nil, time.Time{}, day("2024-06-07")},
		"comments":           {"# tags: bus\ntags: late", []string{"late"}, time.Time{}, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			parts := learning.ParseNote("---\n"+c.front+"\n---\nThe bus is late.", "a.md", learning.MaxNoteChars)
			require.Len(t, parts, 1)
			p := parts[0]
			require.Equal(t, []any{c.keywords, c.created, c.updated}, []any{p.Keywords, p.Created, p.Updated})
		})
	}
}

// Time is linear in fences that are never closed.
func TestParseNoteOfFences(t *testing.T) {
	repotest.RequireLinear(t, 16_000, func(n int) func() {
		text := strings.Repeat("````x\n```y\n```\n~~~a\n", n)
		return func() { learning.ParseNote(text, "a.md", learning.MaxNoteChars) }
	})
}

func FuzzParseNote(f *testing.F) {
	f.Add("---\nname: a\nmetadata:\n  type: x\n  - y\n: z\ntags: [a, ']\n...\n# T\n## A\n**Why:** b\n", "a.md")
	f.Add("---\n|\n - >\n\"\n---", "")
	f.Add("#\n######\n####### x\n```\n# y", ".md")
	f.Fuzz(func(t *testing.T, note, file string) {
		for _, maxChars := range []int{0, 40, learning.MaxNoteChars} {
			for _, p := range learning.ParseNote(note, file, maxChars) {
				require.Equal(t, text.Clean(p.Description), p.Description)
				require.NotEmpty(t, p.Description)
				require.LessOrEqual(t, utf8.RuneCountInString(p.Name), learning.MaxNameChars)
				require.Equal(t, learning.ID(p.Description), p.ID)
			}
		}
		learning.IsBank([]byte(note))
	})
}

func TestIsBank(t *testing.T) {
	for markdown, want := range map[string]bool{
		"# Knowledge Bank\n": true, "\ufeff# Knowledge Bank\n": true, "x\n### Pattern: y\n": true, "- Observation count: 3": true,
		"### Patterns\n- Observation": false, "": false,
	} {
		require.Equal(t, want, learning.IsBank([]byte(markdown)), markdown)
	}
}
