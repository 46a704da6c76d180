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

// RequireKept finds each line that a side has added in the result. One of the result may have
// come of two, of which each has changed a part.
func RequireKept(t testing.TB, base, ours, theirs, got string) {
	t.Helper()
	count := func(text string) map[string]int {
		n := map[string]int{}
		for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
			if line = strings.TrimSpace(line); line != "" {
				n[line]++
			}
		}
		return n
	}
	before, after := count(base), count(got)
	a, b := count(ours), count(theirs)
	for i, side := range []map[string]int{a, b} {
		other := []map[string]int{b, a}[i]
		for line, n := range side {
			if n > before[line] && before[line] == 0 && after[line] == 0 && other[line] == 0 && !composed(line, before, after) {
				t.Fatalf("the line %q is lost:\n--- base\n%s--- ours\n%s--- theirs\n%s--- merged\n%s", line, base, ours, theirs, got)
			}
		}
	}
}

// composed reports whether a line of the result has what a line says: each of its fields, or a
// heading's title or level.
func composed(line string, before, after map[string]int) bool {
	for merged := range after {
		if before[merged] > 0 {
			continue
		}
		if strings.HasPrefix(line, "#") && (strings.TrimLeft(line, "#") == strings.TrimLeft(merged, "#") || strings.HasPrefix(merged, line[:strings.IndexFunc(line+" ", func(r rune) bool { return r != '#' })])) {
			return true
		}
		if strings.HasPrefix(line, "/") && strings.HasPrefix(merged, "/") {
			shared := 0
			for field := range strings.SplitSeq(line, " | ") {
				if strings.Contains(merged, field) {
					shared++
				}
			}
			if shared > 0 {
				return true
			}
		}
	}
	return false
}
