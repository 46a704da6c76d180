package validate_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"whence/internal/config"
	"whence/internal/finding"
	"whence/validate"
)

var update = flag.Bool("update", false, "write the expected results of archives and documents anew")

// Each archive below testdata/checks holds a small memory, and what is to come out:
//
//	-- want --        the findings, as printed
//	-- fixed/PATH --  a file after --fix, where that changes it
//	-- unsafe/PATH -- a file after --unsafe-fixes, where that differs from fixed/PATH
//
// For every one of them the properties of a fix hold besides.
func TestChecks(t *testing.T) {
	names, err := filepath.Glob("testdata/checks/*.txtar")
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
			require.Equal(t, string(txtar.Format(archive)), string(txtar.Format(got)))
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
	found, err := validate.Run(tree, c)
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

// requireFix fixes a tree and requires what is true of every fix: the findings
// that are said to remain are those of the fixed tree, none of them could have
// been fixed, fixing again changes nothing, and no line is lost.
func requireFix(t testing.TB, tree fs.FS, c config.Config, unsafe bool) validate.Result {
	t.Helper()
	result, err := validate.Fix(tree, c, unsafe)
	require.NoError(t, err)
	after := overlay(t, tree, c, result)
	left, err := validate.Run(after, c)
	require.NoError(t, err)
	require.Equal(t, print(t, result.Left), print(t, left), "findings that remain")
	for _, f := range left {
		require.False(t, f.Fix != nil && (unsafe || !f.Fix.Unsafe), "could have been fixed: %s", f.Message)
	}
	again, err := validate.Fix(after, c, unsafe)
	require.NoError(t, err)
	require.Empty(t, again.Changes, "fixing twice")
	require.Equal(t, len(result.Changes) > 0, len(result.Fixed) > 0, "a change without a finding, or a finding without a change")
	for _, change := range result.Changes {
		requireNothingLost(t, change)
	}
	return result
}

// requireNothingLost compares the lines of a file before and after a fix, without
// regard to their order, case and blanks. A line may lack only if it stood there
// twice. A header title may be replaced by the heading's new one, a phrase beside
// the marks of its comment gets a line of its own, and of the preamble the words
// are compared, since the sentence that tells to scan the index is replaced.
func requireNothingLost(t testing.TB, change validate.Change) {
	t.Helper()
	before, after := string(change.Before), string(change.After)
	if strings.HasSuffix(change.Path, "memory-index.md") {
		var preamble, newPreamble string
		preamble, before = cutPreamble(before)
		newPreamble, after = cutPreamble(after)
		requireWordsKept(t, preamble, newPreamble)
	}
	kept := map[string]bool{}
	for line := range strings.Lines(after) {
		kept[normal(line)] = true
		kept[outerFields(normal(line))] = true
	}
	for line := range strings.Lines(before) {
		line = normal(line)
		phrase := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(line, "<!-- situations:"), "-->"))
		if !kept[line] && !kept[outerFields(line)] && !kept[phrase] {
			t.Fatalf("%s has lost the line %q", change.Path, line)
		}
	}
}

// cutPreamble cuts an index before its first section. (A "## " in a fence or a
// comment of the preamble cuts it early, which makes the comparison stricter.)
func cutPreamble(src string) (preamble, rest string) {
	src = strings.TrimPrefix(src, "\uFEFF")
	if at := strings.Index("\n"+src, "\n## "); at >= 0 {
		return src[:at], src[at:]
	}
	return src, ""
}

// requireWordsKept allows words to be lost only near an instruction to scan the
// index mentally, and no line that could be an entry of any format.
func requireWordsKept(t testing.TB, before, after string) {
	t.Helper()
	kept := map[string]bool{"": true}
	for line := range strings.Lines(after) {
		kept[normal(line)] = true
	}
	lines := strings.Split(before, "\n")
	for i, line := range lines {
		near := strings.ToLower(strings.Join(lines[max(0, i-3):min(len(lines), i+4)], "\n"))
		passive := strings.Contains(near, "scan") && strings.Contains(near, "mentally")
		if passive && !strings.HasPrefix(line, "/") && !strings.ContainsAny(line, "|—") {
			continue
		}
		if strings.Contains(strings.ToLower(line), "mentally") && !strings.HasPrefix(line, "/") {
			continue
		}
		require.True(t, kept[normal(line)], "the preamble has lost the line %q", line)
	}
}

func normal(line string) string { return strings.ToLower(strings.Join(strings.Fields(line), " ")) }

// outerFields is an entry without its header title.
func outerFields(line string) string {
	fields := strings.SplitN(line, " | ", 3)
	if len(fields) < 3 {
		return line
	}
	return fields[0] + " | " + fields[2]
}

// inputs are the files of an archive that are no results.
func inputs(archive *txtar.Archive) fstest.MapFS {
	tree := fstest.MapFS{}
	for _, f := range archive.Files {
		if f.Name != "want" && !strings.HasPrefix(f.Name, "fixed/") && !strings.HasPrefix(f.Name, "unsafe/") {
			tree[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return tree
}

func settings(t testing.TB, tree fs.FS) config.Config {
	c, err := config.Load(tree, func(string) string { return "" })
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
