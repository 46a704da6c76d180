package remember_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/index"
	"whence/internal/test/repotest"
	"whence/migrate"
	"whence/validate"
)

// memories are memories in today's format, migrated where they are in an older one, each in a folder of its own.
func memories(t *testing.T) map[string]string {
	t.Helper()
	dirs := map[string]string{}
	for name, tree := range repotest.Memories(t, "head", "dirty", "lessons", "seedformat", "seedtime") {
		outcome, err := migrate.Run(tree, config.Default())
		require.NoError(t, err)
		tree[config.DefaultIndex] = &fstest.MapFile{Data: outcome.After}
		dirs[name] = t.TempDir()
		require.NoError(t, os.CopyFS(dirs[name], tree))
	}
	return dirs
}

// remembering runs the program in a folder.
func remembering(t *testing.T, dir string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	status = program(cli.Env{
		Args: append([]string{"memory-remember"}, args...), Dir: dir, Getenv: repotest.NoHome,
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
	})
	return status, out.String(), errs.String()
}

func readIndex(t *testing.T, dir string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(config.DefaultIndex)))
	require.NoError(t, err)
	return string(src)
}

func writeIndex(t *testing.T, dir, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(config.DefaultIndex)), []byte(text), 0o644))
}

// anyExample is the text of an index without the query of an example in its preamble, and
// without what that is said to print.
func anyExample(text string) string {
	return regexp.MustCompile("`/(?:when|how) [^`]*`(?: prints \".*\")?").ReplaceAllString(text, "`/when`")
}

func sorted(text string) []string { return slices.Sorted(strings.Lines(text)) }

// count counts the findings of a memory by rule.
func count(t *testing.T, tree fs.FS) map[string]int {
	t.Helper()
	m, err := validate.Load(tree, config.Default())
	require.NoError(t, err)
	rules := map[string]int{}
	for _, f := range validate.Check(m, config.Default()) {
		rules[f.Rule]++
	}
	return rules
}

// An entry that is removed and added again is where it was, except that it may change sides
// with a foreign line. Adding it twice is like adding it once, and no edit causes a finding.
func TestRemoveAndAddGivesTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	step := 20 // one entry in so many is tried
	if repotest.Long() {
		step = 5
	}
	for name, dir := range memories(t) {
		t.Run(name, func(t *testing.T) {
			before := readIndex(t, dir)
			faults := count(t, os.DirFS(dir))
			entries := 0
			file := index.Parse([]byte(before))
			foreign := map[int]bool{} // sections that hold something else than entries
			for _, line := range file.Lines {
				foreign[line.Section] = foreign[line.Section] || line.Kind == index.Foreign || line.Kind == index.Malformed
			}
			for i, line := range file.Lines {
				if line.Kind != index.EntryLine || i%step != 0 {
					continue
				}
				entries++
				e := line.Entry
				status, stdout, stderr := remembering(t, dir, "entry", "rm", "/"+e.Operator+" "+e.Trigger.Text)
				require.Zero(t, status, stderr)
				require.Equal(t, "Removed: "+strings.TrimSpace(file.Text(line))+"\n", stdout)
				require.Equal(t, anyExample(before[:line.Start]+before[line.Next:]), anyExample(readIndex(t, dir)))
				add := []string{"entry", "add", "--header", e.Title.Text, "--trigger", e.Trigger.Text, "--description", e.Description.Text}
				if e.Operator == "how" {
					add = append(add, "--how")
				}
				status, stdout, stderr = remembering(t, dir, add...)
				require.Zero(t, status, stdout+stderr)
				if after := readIndex(t, dir); after != before && anyExample(after) == anyExample(before) {
					require.Contains(t, before[:file.Preamble().End], "`/"+e.Operator+" "+e.Trigger.Text+"`", "only an example that names the removed entry changes")
					writeIndex(t, dir, before)
				} else if after != before {
					require.True(t, foreign[line.Section], "moved: %s", stdout)
					require.Equal(t, sorted(before), sorted(readIndex(t, dir)))
					writeIndex(t, dir, before)
					continue
				}
				status, stdout, _ = remembering(t, dir, add...)
				require.Zero(t, status)
				require.Contains(t, stdout, "Already there: ")
				require.Equal(t, before, readIndex(t, dir))
			}
			require.NotZero(t, entries)
			require.Equal(t, faults, count(t, os.DirFS(dir)))
		})
	}
}

// After the drafts are written, each heading has an entry, except those that seem to be
// renamed, and there are no new findings.
func TestDraftsLeaveNoHeadingWithoutEntry(t *testing.T) {
	for name, dir := range memories(t) {
		t.Run(name, func(t *testing.T) {
			before := readIndex(t, dir)
			faults := count(t, os.DirFS(dir))
			status, stdout, stderr := remembering(t, dir, "entry", "draft", "--write")
			require.Zero(t, status, stdout+stderr)
			require.Equal(t, faults["missing-entry"], strings.Count(stdout, "Added: "))
			delete(faults, "missing-entry")
			require.Equal(t, faults, count(t, os.DirFS(dir)))
			after := readIndex(t, dir)
			for line := range strings.Lines(before) {
				require.Contains(t, after, line)
			}
			_, stdout, _ = remembering(t, dir, "entry", "draft", "--write")
			require.Empty(t, stdout)
			require.Equal(t, after, readIndex(t, dir))
		})
	}
}

// An index that is emptied and drafted anew has an entry for each heading, in order.
func TestDraftOfAWholeMemory(t *testing.T) {
	for name, dir := range memories(t) {
		t.Run(name, func(t *testing.T) {
			writeIndex(t, dir, "")
			_, stdout, stderr := remembering(t, dir, "entry", "draft", "--write")
			require.Contains(t, stdout, "Added: ", stderr)
			found := count(t, os.DirFS(dir))
			delete(found, "word-count")        // sections without enough words
			delete(found, "duplicate-heading") // a fault of the decision files
			require.Empty(t, found)
		})
	}
}

// If situations are added to all entries at once, all lines and headings stay, there are no
// new findings, and each entry has situations. Doing it twice is like doing it once.
func TestSituationsForAll(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	for name, dir := range memories(t) {
		t.Run(name, func(t *testing.T) {
			faults := count(t, os.DirFS(dir))
			before := repotest.MarkdownTree(t, dir)
			var batch strings.Builder
			for _, line := range index.Parse([]byte(readIndex(t, dir))).Lines {
				if line.Kind == index.EntryLine {
					text, err := json.Marshal(map[string]any{"entry": "/" + line.Entry.Operator + " " + line.Entry.Trigger.Text, "situations": []string{"first of " + line.Entry.Trigger.Text, "## second of " + line.Entry.Title.Text}})
					require.NoError(t, err)
					batch.Write(append(text, '\n'))
				}
			}
			set := func() {
				var out, errs strings.Builder
				status := program(cli.Env{
					Args: []string{"memory-remember", "entry", "set", "--stdin"}, Dir: dir, Getenv: repotest.NoHome,
					Stdin: strings.NewReader(batch.String()), Stdout: &out, Stderr: &errs,
				})
				require.LessOrEqual(t, status, cli.Found, errs.String())
			}
			set()
			require.Equal(t, faults, count(t, os.DirFS(dir)))
			after := repotest.MarkdownTree(t, dir)
			for path, file := range before {
				rest := string(after[path].Data)
				for line := range strings.Lines(string(file.Data)) {
					_, behind, found := strings.Cut(rest, line)
					require.True(t, found, "%s: %q", path, line)
					rest = behind
				}
			}
			_, stdout, _ := remembering(t, dir, "entry", "drafts")
			require.Empty(t, stdout)
			set()
			require.Equal(t, after, repotest.MarkdownTree(t, dir))
		})
	}
}
