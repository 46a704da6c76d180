package validate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/test/repotest"
	"whence/validate"
)

// runIn runs memory-validate in a folder.
func runIn(dir string, args ...string) (status int, out string) {
	var text strings.Builder
	status = validate.Main(cli.Env{
		Args: append([]string{"memory-validate"}, args...), Dir: dir, Getenv: repotest.NoHome,
		Stdin: strings.NewReader(""), Stdout: &text, Stderr: &text,
	})
	return status, text.String()
}

// oddMemory is a folder with a decision file of any name.
func oddMemory(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, "agents", "decisions")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "agents", "memory-index.md"), []byte("# Memory Index\n"), 0o644))
	text := "# Pumps\n\n## Priming The Pump\n\nOpen the valve first, then start the motor.\n"
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
		t.Skip("no such name here: ", err)
	}
	return dir
}

// A name that cannot be the heading of a section is an error that says so, and no fix
// writes anything.
func TestNamesThatNoSectionCanHave(t *testing.T) {
	for _, name := range []string{"a\nb.md", "a\r\nb.md", "a\rb.md", "a\n## b.md", "\x1b[31m.md", "a\u202eb.md", "a\u0085b.md", "a\u2028b.md", "tab\there.md", "-->.md", "caf\xe9.md"} {
		t.Run(strings.ToValidUTF8(name, ""), func(t *testing.T) {
			dir := oddMemory(t, name)
			glob := "agents/decisions/*"
			for _, args := range [][]string{{}, {"--fix"}, {"--unsafe-fixes"}, {"--fix"}} {
				status, out := runIn(dir, append(args, "--decisions", glob)...)
				require.Equal(t, cli.Found, status, out)
				require.Contains(t, out, "has a name that cannot be the heading of a section: rename it")
				require.NotContains(t, out, "\x1b")
			}
			src, err := os.ReadFile(filepath.Join(dir, "agents", "memory-index.md"))
			require.NoError(t, err)
			require.Equal(t, "# Memory Index\n", string(src))
		})
	}
}

// With any other name of a decision file, fixing twice is the same as fixing once.
func TestNamesThatASectionCanHave(t *testing.T) {
	for _, name := range []string{
		"a | b.md", "# a.md", "## x.md", "#.md", "a #.md", " a.md", "a.md ", "/when a | b | c.md", "``` .md", "<!-- a.md", "a  b.md", "[a](b).md", "ü 日.md", "a\u200db.md", "a ## b.md", "x ##", "##",
	} {
		t.Run(name, func(t *testing.T) {
			dir := oddMemory(t, name)
			index := filepath.Join(dir, "agents", "memory-index.md")
			var texts []string
			for range 3 {
				status, out := runIn(dir, "--unsafe-fixes", "--decisions", "agents/decisions/*")
				if status == cli.Failed {
					require.Contains(t, out, "has a name that cannot be the heading of a section: rename it")
				}
				src, err := os.ReadFile(index)
				require.NoError(t, err)
				texts = append(texts, string(src))
			}
			require.Equal(t, texts[0], texts[1])
			require.Equal(t, texts[0], texts[2])
			require.Less(t, strings.Count(texts[0], "\n"), 20)
		})
	}
}

// Even the worst patterns that are allowed are answered soon.
func TestNoGlobHangs(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "agents"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "agents", "memory-index.md"), []byte("# Memory Index\n"), 0o644))
	at := dir
	for range 20 {
		at = filepath.Join(at, strings.Repeat("a", 20))
		require.NoError(t, os.Mkdir(at, 0o755))
		for i := range 100 {
			require.NoError(t, os.WriteFile(filepath.Join(at, strings.Repeat("a", 100)+string(rune('a'+i%26))+strings.Repeat("c", i/26)), nil, 0o644))
		}
	}
	for _, glob := range []string{
		"**/**/**/**/**/**/**/*a*a*a*a*b.md",
		strings.Repeat("**/*a*a*a*a*a*a*a/", 8) + "*a*a*a*a*a*a*a*b",
		strings.Repeat("**/*/", 8) + "{a,b,c,d,e,f,g,h}{*,?,a*,b*,*a,*b,c*,d*}.md",
		"**/*" + strings.Repeat("a", 90) + "b.md",
	} {
		status, out := runIn(dir, "--decisions", glob)
		if status == cli.Failed {
			require.Contains(t, out, "it takes too long to find the files")
		}
	}
}
