package record_test

import (
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"whence/internal/decision"
	"whence/internal/record"
)

var day = time.Date(2026, 1, 31, 23, 0, 0, 0, time.UTC)

// Each archive is a folder of records; the last file is what is written next.
func TestTheNextRecordLooksLikeTheOthers(t *testing.T) {
	archives, err := txtar.ParseFile("testdata/records.txtar")
	require.NoError(t, err)
	folders := map[string][]txtar.File{}
	for _, file := range archives.Files {
		folders[path.Dir(file.Name)] = append(folders[path.Dir(file.Name)], file)
	}
	require.NotEmpty(t, folders)
	for folder, files := range folders {
		t.Run(folder, func(t *testing.T) {
			want := files[len(files)-1]
			var names []string
			var records []*decision.File
			for _, f := range files[:len(files)-1] {
				names = append(names, path.Base(f.Name))
				records = append(records, decision.ParseDocument(f.Name, f.Data))
			}
			d := record.Decision{Title: "Don't share caches", Text: "Each tenant has its own.\n"}
			if strings.Contains(string(want.Data), "Supersedes") {
				d.Supersedes = records[len(records)-1].Path
			}
			name := record.NextName(names, d.Title, day)
			require.Equal(t, path.Base(want.Name), name)
			src := record.Write(path.Join(folder, name), records, d, day)
			require.Equal(t, string(want.Data), string(src))

			written := decision.ParseDocument(path.Join(folder, name), src)
			require.True(t, written.Status().Holds())
			if d.Supersedes != "" {
				require.Contains(t, string(written.Source), "Supersedes "+decision.Link(d.Supersedes))
			}
		})
	}
}

func TestNamesFollowTheOthers(t *testing.T) {
	for _, c := range []struct{ last, title, want string }{
		{"0007-use-bun.md", "Use Deno", "0008-use-deno.md"},
		{"7-use-bun.md", "Use Deno", "8-use-deno.md"},
		{"099-a.md", "B", "100-b.md"},
		{"999-a.md", "B", "1000-b.md"},
		{"ADR-0007-Use-Bun.md", "Use the REST API", "ADR-0008-Use-the-REST-API.md"},
		{"adr_0007_use_bun.md", "Use C++, not C", "adr_0008_use_c_not_c.md"},
		{"0007.md", "Use Deno", "0008-use-deno.md"},
		{"use-bun.md", "Use Deno", "use-deno.md"},
		{"2025-12-24-a.md", "B", "2026-01-31-b.md"},
		{"20251224-a.md", "B", "20260131-b.md"},
		{"2025_12_24_a.md", "B", "2026_01_31_b.md"},
		{"0001-ersetze-cvs.md", "Größe «prüfen» – Äpfel", "0002-größe-prüfen-äpfel.md"},
		{"0001-一.md", "缓存不共享", "0002-缓存不共享.md"},
		{"0001-a.md", strings.Repeat("longer ", 20), "0002-longer-longer-longer-longer-longer-longer-longer-longer.md"},
		{"0001-a.md", "../../etc/passwd", "0002-etc-passwd.md"},
	} {
		require.Equal(t, c.want, record.NextName([]string{c.last}, c.title, day), c.last)
	}
	require.Equal(t, "0001-use-deno.md", record.NextName(nil, "Use Deno", day))
	require.Equal(t, "0012-b.md", record.NextName([]string{"0002-z.md", "0011-a.md", "notes.md"}, "B", day))
}

func TestSections(t *testing.T) {
	for _, c := range []struct{ name, before, title, after string }{
		{"a file", "# API\n\n## Paging\n\nCursors.\n", "New", "# API\n\n## Paging\n\nCursors.\n\n## New\n\nText.\n"},
		{"no line end", "# API\n\n## Paging\n\nCursors.", "New", "# API\n\n## Paging\n\nCursors.\n\n## New\n\nText.\n"},
		{"deeper", "# API\n\n### Paging\n\nCursors.\n\n#### More\n", "New", "# API\n\n### Paging\n\nCursors.\n\n#### More\n\n## New\n\nText.\n"},
		{"below a group", "# API\n\n## .Lists\n\n### Paging\n\nCursors.\n", "New", "# API\n\n## .Lists\n\n### Paging\n\nCursors.\n\n### New\n\nText.\n"},
		{"empty", "", "New", "## New\n\nText.\n"},
		{"title alone", "# API\n", "New", "# API\n\n## New\n\nText.\n"},
		{"CRLF", "# API\r\n\r\n## Paging\r\n", "New", "# API\r\n\r\n## Paging\r\n\r\n## New\r\n\r\nText.\r\n"},
		{"a log", "# Log\n\n## 2025-01-02: A\n\nx\n\n## 2025-02-03: B\n\ny\n", "2026-01-31: New", "# Log\n\n## 2025-01-02: A\n\nx\n\n## 2025-02-03: B\n\ny\n\n## 2026-01-31: New\n\nText.\n"},
		{"a log, newest first", "# Log\n\n## 2025-02-03 – B\n\ny\n\n## 2025-01-02 – A\n\nx\n", "2026-01-31 – New", "# Log\n\n## 2026-01-31 – New\n\nText.\n\n## 2025-02-03 – B\n\ny\n\n## 2025-01-02 – A\n\nx\n"},
		{"no log", "# Log\n\n## 2025-02-03: B\n\n## A\n", "New", "# Log\n\n## 2025-02-03: B\n\n## A\n\n## New\n\nText.\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			title, src := record.Section(decision.Parse("x.md", []byte(c.before)), record.Decision{Title: "New", Text: "Text."}, day)
			require.Equal(t, c.title, title)
			require.Equal(t, c.after, string(src))
		})
	}
	before := decision.Parse("x.md", []byte("# API\n\n## Old\n\nx\n\n## Other\n\ny\n"))
	after := record.Instead(before, before.Headings[1], record.Decision{Title: "New", Text: "Text."})
	require.Equal(t, "# API\n\n## New\n\nText.\n\n## Other\n\ny\n", string(after))
}

func TestWhatCannotBeADecision(t *testing.T) {
	for _, title := range []string{"", ".Group", "Use #", "two\nlines", " "} {
		require.Error(t, record.CheckTitle(title), "%q", title)
	}
	for _, title := range []string{"Use C#", "Pin `x` | y", "Größe", "缓存", "1. First", "[a](b)"} {
		require.NoError(t, record.CheckTitle(title), "%q", title)
	}
	for _, text := range []string{"", " \n", "## x", "a\n===", "```\nx", "<!-- x", "<!-- situations:\nx\n-->", "<<<<<<< a\n=======\n>>>>>>> b\n"} {
		require.Error(t, record.CheckText(text), "%q", text)
	}
	for _, text := range []string{"x", "```\n# x\n```", "> # x", "- a\n- b", "<!-- x -->", "a\n\n---\n\nb"} {
		require.NoError(t, record.CheckText(text), "%q", text)
	}
}

// Whatever is accepted is read back as it was written, and nothing else in the file changes.
func FuzzSection(f *testing.F) {
	f.Add("# API\n\n## Paging\n\nCursors.\n", "New", "Text")
	f.Add("x\n```\n## y\n```\n", "C#", "```\n# no\n```")
	f.Add("## 2025-01-01: A\r\n\r\nx", "B", "> # q")
	f.Fuzz(func(t *testing.T, before, title, text string) {
		file := decision.Parse("x.md", []byte(before))
		end := decision.Parse("x.md", []byte(before+"\n\n## end\n")).Headings // an open fence hides it
		if record.CheckTitle(title) != nil || record.CheckText(text) != nil || strings.ContainsAny(before+text, "\r") || len(end) == len(file.Headings) {
			return
		}
		title, src := record.Section(file, record.Decision{Title: title, Text: text}, day)
		after := decision.Parse("x.md", src)
		var had, has []string
		for _, h := range file.Headings {
			had = append(had, h.Title)
		}
		for _, h := range after.Headings {
			has = append(has, h.Title)
		}
		require.Contains(t, has, title)
		at := slices.Index(has, title)
		if slices.Contains(had, title) {
			return
		}
		require.ElementsMatch(t, had, slices.Delete(slices.Clone(has), at, at+1))
		require.Contains(t, string(after.Body(at)), strings.Trim(text, "\r\n"))
	})
}
