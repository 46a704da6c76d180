package textdiff_test

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/textdiff"
)

// numbered returns the lines "1" to "n", those that are named changed.
func numbered(n int, changed ...int) string {
	marks := map[int]string{}
	for _, i := range changed {
		marks[i] = " changed"
	}
	var out strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&out, "%d%s\n", i, marks[i])
	}
	return out.String()
}

func TestUnified(t *testing.T) {
	const noEnd = "\\ No newline at end of file\n"
	for _, c := range []struct{ name, before, after, want string }{
		{"equal texts have no difference", "a\nb", "a\nb", ""},
		{"empty texts have no difference", "", "", ""},
		{"change", "a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		{"change of the only line", "a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"},
		{"three lines of context", numbered(9), numbered(9, 5), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+5 changed\n 6\n 7\n 8\n"},
		{"insertion at the start", "a\nb\n", "x\na\nb\n", "@@ -1,2 +1,3 @@\n+x\n a\n b\n"},
		{"insertion at the end", "a\nb\n", "a\nb\nx\n", "@@ -1,2 +1,3 @@\n a\n b\n+x\n"},
		{"deletion", "a\nb\nc\n", "a\nc\n", "@@ -1,3 +1,2 @@\n a\n-b\n c\n"},
		{"deletion at the start", "a\nb\n", "b\n", "@@ -1,2 +1 @@\n-a\n b\n"},
		{"deletion at the end", "a\nb\n", "a\n", "@@ -1,2 +1 @@\n a\n-b\n"},
		{"empty before", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"empty after", "a\n", "", "@@ -1 +0,0 @@\n-a\n"},
		{"no final newline before", "a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n" + noEnd + "+b\n"},
		{"no final newline after", "a\nb\n", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n" + noEnd},
		{"no final newline on both sides", "a\nb", "x\nb", "@@ -1,2 +1,2 @@\n-a\n+x\n b\n" + noEnd},
		{"no final newline on both sides, last line changed", "a\nb", "a\nx", "@@ -1,2 +1,2 @@\n a\n-b\n" + noEnd + "+x\n" + noEnd},
		{"line ends are part of the line", "a\r\nb\r\n", "a\r\nb\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n"},
		{"CRLF on both sides stays", "a\r\nb\r\n", "a\r\nx\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+x\r\n"},
		{"a lone carriage return ends no line", "a\rb\n", "a\rc\n", "@@ -1 +1 @@\n-a\rb\n+a\rc\n"},
		{"six unchanged lines between: one hunk", numbered(12), numbered(12, 3, 10),
			"@@ -1,12 +1,12 @@\n 1\n 2\n-3\n+3 changed\n 4\n 5\n 6\n 7\n 8\n 9\n-10\n+10 changed\n 11\n 12\n"},
		{"seven unchanged lines between: two hunks", numbered(12), numbered(12, 3, 11),
			"@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+3 changed\n 4\n 5\n 6\n" +
				"@@ -8,5 +8,5 @@\n 8\n 9\n 10\n-11\n+11 changed\n 12\n"},
		{"the second hunk counts what the first has added", numbered(20), "0\n" + numbered(20, 15),
			"@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n" +
				"@@ -12,7 +13,7 @@\n 12\n 13\n 14\n-15\n+15 changed\n 16\n 17\n 18\n"},
		{"lines that look like a diff", "--- a/x\n@@ -1 +1 @@\n", "+++ b/x\n@@ -1 +1 @@\n", "@@ -1,2 +1,2 @@\n---- a/x\n++++ b/x\n @@ -1 +1 @@\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want != "" {
				c.want = "--- a/dir/f.md\n+++ b/dir/f.md\n" + c.want
			}
			require.Equal(t, c.want, textdiff.Unified("dir/f.md", []byte(c.before), []byte(c.after)))
		})
	}
}

// apply hands a patch to a program that works on the files of a folder.
func apply(t *testing.T, dir, patch, program string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip("not installed: ", program)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(patch)
	// Neither a repository around the folder nor the user's settings count.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func gitApply(t *testing.T, dir, patch string) {
	t.Helper()
	apply(t, dir, patch, "git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-")
}

// The diffs of all pairs are one patch, as a run that fixes many files prints it.
func TestGitApplyTurnsTheOldTextIntoTheNew(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewSource(1))
	var patch strings.Builder
	want := map[string]string{}
	for i := range 300 {
		name := fmt.Sprintf("%03d ü.md", i) // a space and a non-ASCII letter are common in names
		before, after := pair(random)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(before), 0o644))
		patch.WriteString(textdiff.Unified(name, []byte(before), []byte(after)))
		want[name] = after
	}
	gitApply(t, dir, patch.String())
	for name, after := range want {
		got, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, after, string(got), name)
	}
}

// Paths that end at a space, or that need quotes, are written as git does.
func TestPathsInTheHead(t *testing.T) {
	const before, after = "a\n", "b\n"
	plain := map[string]string{
		"a.md":          "--- a/a.md\n+++ b/a.md\n",
		"über/日.md":     "--- a/über/日.md\n+++ b/über/日.md\n",
		"a b.md":        "--- a/a b.md\t\n+++ b/a b.md\t\n",
		"my notes/x.md": "--- a/my notes/x.md\t\n+++ b/my notes/x.md\t\n",
	}
	quoted := map[string]string{
		"a\tb.md":      `--- "a/a\tb.md"` + "\n" + `+++ "b/a\tb.md"` + "\n",
		"a\nb.md":      `--- "a/a\nb.md"` + "\n" + `+++ "b/a\nb.md"` + "\n",
		"a\rb.md":      `--- "a/a\rb.md"` + "\n" + `+++ "b/a\rb.md"` + "\n",
		`a\b.md`:       `--- "a/a\\b.md"` + "\n" + `+++ "b/a\\b.md"` + "\n",
		`the "日" x.md`: `--- "a/the \"日\" x.md"` + "\n" + `+++ "b/the \"日\" x.md"` + "\n",
	}
	run := func(heads map[string]string, program func(t *testing.T, dir, patch string)) func(t *testing.T) {
		return func(t *testing.T) {
			dir := t.TempDir()
			var patch strings.Builder
			for path, head := range heads {
				diff := textdiff.Unified(path, []byte(before), []byte(after))
				require.Equal(t, head+"@@ -1 +1 @@\n-a\n+b\n", diff)
				patch.WriteString(diff)
				name := filepath.Join(dir, path)
				require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
				if err := os.WriteFile(name, []byte(before), 0o644); err != nil {
					t.Skip("no such names here: ", err)
				}
			}
			program(t, dir, patch.String())
			for path := range heads {
				got, err := os.ReadFile(filepath.Join(dir, path))
				require.NoError(t, err)
				require.Equal(t, after, string(got), path)
			}
		}
	}
	t.Run("git apply", run(plain, gitApply))
	t.Run("git apply, quoted", run(quoted, gitApply))
	t.Run("patch", run(plain, func(t *testing.T, dir, patch string) { apply(t, dir, patch, "patch", "-p1") }))
}

// pair makes a text of few different lines, so that many are equal, and one that
// differs from it in some places.
func pair(random *rand.Rand) (before, after string) {
	alphabet := []string{"a\n", "b\n", "\n", "ü 日\n", "x\r\n", "a\rb\n", " a\n", "-a\n", "+a\n", "-- y\n", "@@ -1 +1 @@\n", "\\ No newline at end of file\n", "\xff\n"}
	line := func() string { return alphabet[random.Intn(len(alphabet))] }
	var old, changed []string
	for range random.Intn(60) {
		old = append(old, line())
	}
	for _, l := range old {
		switch random.Intn(12) {
		case 0: // deleted
		case 1:
			changed = append(changed, line())
		case 2:
			changed = append(changed, l, line())
		default:
			changed = append(changed, l)
		}
	}
	cut := func(lines []string) string {
		text := strings.Join(lines, "")
		if random.Intn(3) == 0 {
			text = strings.TrimSuffix(text, "\n")
		}
		return text
	}
	return cut(old), cut(changed)
}
