package repotest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// MergeFunc is a merge of three versions of a file.
type MergeFunc func(base, ours, theirs []byte, markerSize int) (text []byte, conflicts int)

// Merges runs the archives of a folder, each with the files base, ours, theirs and want. Merging
// the other way round finds as many conflicts.
func Merges(t *testing.T, dir string, merge MergeFunc) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			files := map[string][]byte{}
			for _, f := range archive.Files {
				files[f.Name] = f.Data
			}
			got, conflicts := merge(files["base"], files["ours"], files["theirs"], 7)
			if update := flag.Lookup("update"); update != nil && update.Value.String() == "true" {
				archive.Files = append(archive.Files[:3:3], txtar.File{Name: "want", Data: got})
				require.NoError(t, os.WriteFile(name, txtar.Format(archive), 0o644))
				return
			}
			require.Equal(t, string(files["want"]), string(got))
			require.Equal(t, strings.Count(string(got), "<<<<<<< ours\n")-strings.Count(string(files["ours"]), "<<<<<<< ours\n"), conflicts)
			_, back := merge(files["base"], files["theirs"], files["ours"], 7)
			require.Equal(t, conflicts, back, "the other way round")
		})
	}
}

// RequireMerge holds a merge to what is true of any: a side that changed nothing, or the same,
// leaves the other one as it is.
func RequireMerge(t *testing.T, merge MergeFunc, base, ours, theirs string) {
	t.Helper()
	for _, c := range [][4]string{{base, base, theirs, theirs}, {base, ours, base, ours}, {base, ours, ours, ours}} {
		got, conflicts := merge([]byte(c[0]), []byte(c[1]), []byte(c[2]), 7)
		require.Zero(t, conflicts)
		require.Equal(t, c[3], string(got))
	}
	got, conflicts := merge([]byte(base), []byte(ours), []byte(theirs), 7)
	require.LessOrEqual(t, conflicts, strings.Count(string(got), "<<<<<<< ours"))
	RequireKept(t, base, ours, theirs, string(got))
}

// RequireKept finds each line that a side has added in the result. Of an entry or a heading that
// each side has changed in another way, only the fields that are new have to be there.
func RequireKept(t testing.TB, base, ours, theirs, got string) {
	t.Helper()
	before, after := countLines(base), countLines(got)
	for _, side := range []string{ours, theirs} {
		for line, n := range countLines(side) {
			if after[line] < n-before[line] && !hasFields(line, base, got) {
				t.Fatalf("the line %q is lost:\n--- base\n%s--- ours\n%s--- theirs\n%s--- merged\n%s", line, base, ours, theirs, got)
			}
		}
	}
}

// countLines counts the lines of a text that say something.
func countLines(text string) map[string]int {
	count := map[string]int{}
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		if line = strings.TrimSpace(line); line != "" {
			count[line]++
		}
	}
	return count
}

// hasFields reports whether all that is new in an entry or a heading is in the result.
func hasFields(line, base, got string) bool {
	fields := strings.Split(line, " | ")
	switch {
	case strings.HasPrefix(line, "#"):
		fields = []string{strings.TrimSpace(strings.TrimLeft(line, "#"))}
	case strings.HasPrefix(line, "/"):
		operator, trigger, _ := strings.Cut(fields[0], " ")
		fields = append(fields[1:], operator, trigger)
	default:
		return false
	}
	for _, field := range fields {
		if !strings.Contains(base, field) && !strings.Contains(got, field) {
			return false
		}
	}
	return true
}
