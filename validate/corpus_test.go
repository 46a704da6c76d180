package validate_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/textdiff"
	"whence/validate"
)

var update = flag.Bool("update", false, "write the expected results of archives and documents anew")

// Each archive below testdata/checks, and for the findings in docs/checks.md below testdata/rules,
// holds a small memory, and what is to come out:
//
//	-- want --        the findings, as printed
//	-- fixed/PATH --  a file after --fix, where that changes it
//	-- unsafe/PATH -- a file after --unsafe-fixes, where that differs from fixed/PATH
//
// For every one of them the properties of a fix hold besides.
func TestChecks(t *testing.T) {
	names, err := filepath.Glob("testdata/[cr]*/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			archive := txtar.Parse(src)
			got := checkArchive(t, archive)
			if *update {
				require.NoError(t, os.WriteFile(name, txtar.Format(got), 0o644))
				return
			}
			require.Empty(t, textdiff.Unified(name, txtar.Format(archive), txtar.Format(got)))
		})
	}
}

// checkArchive returns the archive with the results that the code gives.
func checkArchive(t *testing.T, archive *txtar.Archive) *txtar.Archive {
	tree := inputs(archive)
	c := settings(t, tree)
	out := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		if _, input := tree[f.Name]; input {
			out.Files = append(out.Files, f)
		}
	}
	found, err := check(tree, c)
	require.NoError(t, err)
	out.Files = append(out.Files, txtar.File{Name: "want", Data: []byte(print(t, found))})
	fixed := requireFix(t, tree, c, false)
	for _, change := range fixed.Changes {
		out.Files = append(out.Files, txtar.File{Name: "fixed/" + change.Path, Data: change.After})
	}
	for _, change := range requireFix(t, tree, c, true).Changes {
		if safe := changeOf(fixed, change.Path); safe == nil || !bytes.Equal(safe.After, change.After) {
			out.Files = append(out.Files, txtar.File{Name: "unsafe/" + change.Path, Data: change.After})
		}
	}
	return out
}

// check returns the findings in a tree.
func check(tree fs.FS, c config.Config) ([]finding.Finding, error) {
	m, err := validate.Load(tree, c)
	if err != nil {
		return nil, err
	}
	return validate.Check(m, c), nil
}

// fix makes the fixes in a tree.
func fix(tree fs.FS, c config.Config, unsafe bool) (validate.Result, error) {
	m, err := validate.Load(tree, c)
	if err != nil {
		return validate.Result{}, err
	}
	return validate.FixMemory(m, c, unsafe)
}

// requireFix fixes a tree and requires what is true of every fix: the findings that are left are those of the fixed
// tree, none of them could have been fixed, fixing again changes nothing, and no line is lost.
func requireFix(t testing.TB, tree fs.FS, c config.Config, unsafe bool) validate.Result {
	t.Helper()
	result, err := fix(tree, c, unsafe)
	require.NoError(t, err)
	after := overlay(t, tree, c, result)
	left, err := check(after, c)
	require.NoError(t, err)
	require.Equal(t, print(t, result.Left), print(t, left), "findings that remain")
	for _, f := range left {
		require.False(t, f.Fix != nil && (unsafe || !f.Fix.Unsafe), "could have been fixed: %s", f.Message)
	}
	again, err := fix(after, c, unsafe)
	require.NoError(t, err)
	require.Empty(t, again.Changes, "fixing twice")
	require.Equal(t, len(result.Changes) > 0, len(result.Fixed) > 0, "a change without a finding, or a finding without a change")
	areJoined := slices.ContainsFunc(result.Fixed, func(f finding.Finding) bool { return f.Rule == "joined-lines" })
	for _, change := range result.Changes {
		if areJoined && strings.HasSuffix(change.Path, "memory-index.md") {
			continue // see TestReflowedIndex
		}
		requireNothingLost(t, change, sectionsGone(t, result))
	}
	return result
}

// sectionsGone are the headings of index sections that name no file: removed if they were empty, replaced if the file
// has moved.
func sectionsGone(t testing.TB, result validate.Result) map[string]bool {
	gone := map[string]bool{}
	for _, f := range result.Fixed {
		if f.Rule == "unknown-file" {
			for _, line := range f.Fix.Removed {
				gone[line] = true
			}
			if strings.HasPrefix(f.Fix.Edits[0].New, "## ") {
				path, err := strconv.QuotedPrefix(strings.TrimPrefix(f.Message, "section "))
				require.NoError(t, err)
				path, err = strconv.Unquote(path)
				require.NoError(t, err)
				gone["## "+path] = true
			}
		}
	}
	return gone
}

// requireNothingLost compares a file before and after a fix. In an index, lines that are not entries stay in order,
// byte for byte. Entries may move, and only duplicates may be removed; a trigger may change in case and spaces, a title
// to that of a renamed heading. In a decision file, only situations comments change.
func requireNothingLost(t testing.TB, change validate.Change, gone map[string]bool) {
	t.Helper()
	if !strings.HasSuffix(change.Path, "memory-index.md") {
		requireLinesKept(t, change)
		return
	}
	before, after := index.Parse(change.Before), index.Parse(change.After)
	requireWordsKept(t, preambleOf(before), preambleOf(after))
	rest := otherLines(after)
	for _, line := range otherLines(before) {
		if gone[normalHeading(line)] {
			continue
		}
		at := slices.Index(rest, line)
		require.GreaterOrEqual(t, at, 0, "the line %q is lost, changed or in another order", line)
		rest = rest[at+1:]
	}
	kept, count := map[string]bool{}, 0
	for _, text := range entryLines(after) {
		kept[unescaped(text)], kept[unescaped(outerFields(normal(text)))] = true, true
		count++
	}
	distinct := map[string]bool{}
	for _, text := range entryLines(before) {
		distinct[text] = true
		require.True(t, kept[unescaped(text)] || kept[unescaped(outerFields(normal(text)))], "the entry %q is lost", text)
	}
	require.GreaterOrEqual(t, count, len(distinct), "entries are lost that do not stand there twice")
}

// normalHeading is a heading of a section as it is printed.
func normalHeading(line string) string {
	if f := index.Parse([]byte(line)); len(f.Sections) == 1 && f.Sections[0].Path != "" {
		return "## " + f.Sections[0].Path
	}
	return line
}

func preambleOf(f *index.File) string {
	span := f.Preamble()
	return string(f.Source[span.Start:span.End])
}

// otherLines are the lines of the sections that are neither blank nor entries.
func otherLines(f *index.File) []string {
	var lines []string
	for _, l := range f.Lines {
		if l.Section >= 0 && l.Kind != index.EntryLine && l.Kind != index.Blank {
			lines = append(lines, f.Text(l))
		}
	}
	return lines
}

func entryLines(f *index.File) []string {
	var lines []string
	for _, l := range f.Lines {
		if l.Kind == index.EntryLine {
			lines = append(lines, f.Text(l))
		}
	}
	return lines
}

// requireLinesKept compares the lines of a decision file.
func requireLinesKept(t testing.TB, change validate.Change) {
	t.Helper()
	kept := map[string]bool{}
	for line := range strings.Lines(string(change.After)) {
		kept[normal(line)] = true
	}
	for line := range strings.Lines(string(change.Before)) {
		line = normal(line)
		phrase := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(line, "<!-- situations:"), "-->"))
		require.True(t, kept[line] || kept[phrase], "%s has lost the line %q", change.Path, line)
	}
}

// exampleQuery is a query of a preamble with what it is said to print: the only words of
// an example that may change.
var exampleQuery = regexp.MustCompile("`/(?:when|how) [^`]*`(?: prints \".*\")?")

// requireWordsKept requires that each line of a preamble is kept, except for the query of an
// example, and a line that holds an instruction to scan the index mentally, or to read referenced files.
func requireWordsKept(t testing.TB, before, after string) {
	t.Helper()
	lines := func(text string) []string {
		return strings.Split(strings.ReplaceAll(exampleQuery.ReplaceAllString(text, "`/when`"), "\r\n", "\n"), "\n")
	}
	rest := lines(after) // a last line without an end may get one
	for _, line := range lines(before) {
		lower := normal(line)
		if strings.Contains(lower, "scan") && strings.Contains(lower, "mentally") || strings.Contains(lower, "referenced file") || strings.TrimSpace(line) == "" {
			continue
		}
		at := slices.Index(rest, line)
		require.GreaterOrEqual(t, at, 0, "the preamble has lost the line %q", line)
		rest = rest[at+1:]
	}
}

func normal(line string) string { return strings.ToLower(strings.Join(strings.Fields(line), " ")) }

// unescaped is normal without the backslashes of pipes: one that a fix puts right is escaped.
func unescaped(line string) string { return strings.ReplaceAll(normal(line), `\|`, "|") }

// outerFields is an entry without its header title.
func outerFields(line string) string {
	fields := strings.SplitN(line, " | ", 3)
	if len(fields) < 3 {
		return line
	}
	return fields[0] + " | " + fields[2]
}

// inputs are the files of an archive except the results.
func inputs(archive *txtar.Archive) fstest.MapFS {
	tree := fstest.MapFS{}
	for _, f := range archive.Files {
		if f.Name != "want" && !strings.HasPrefix(f.Name, "fixed/") && !strings.HasPrefix(f.Name, "unsafe/") && !strings.HasPrefix(f.Name, "merged/") {
			tree[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return tree
}

func settings(t testing.TB, tree fs.FS) config.Config {
	c, err := config.LoadFrom(tree, config.User{Getenv: func(string) string { return "" }})
	require.NoError(t, err)
	return c
}

// overlay is the memory of a tree, and what else of it is in memory, with the
// changes made.
func overlay(t testing.TB, tree fs.FS, c config.Config, result validate.Result) fs.FS {
	after := fstest.MapFS{}
	require.NoError(t, fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == ".git" {
			return err
		}
		data, err := fs.ReadFile(tree, name)
		after[name] = &fstest.MapFile{Data: data}
		return err
	}))
	for _, change := range result.Changes {
		after[change.Path] = &fstest.MapFile{Data: change.After}
	}
	return after
}

func changeOf(result validate.Result, path string) *validate.Change {
	for i := range result.Changes {
		if result.Changes[i].Path == path {
			return &result.Changes[i]
		}
	}
	return nil
}

func print(t testing.TB, findings []finding.Finding) string {
	var out strings.Builder
	require.NoError(t, finding.Write(&out, "text", finding.Report{Findings: findings}, false))
	return out.String()
}
