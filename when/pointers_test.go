package when_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/dispatch"
	"whence/internal/test/repotest"
)

// A pointer has an answer as it is printed: its query between the quotes of a shell, and the whole
// line on standard input.
func TestPointersResolveAsPrinted(t *testing.T) {
	repotest.Program(t, "sh")
	memories := memories(t)
	memories["hostile"] = repotest.Tree(map[string]string{
		"agents/decisions/a.md": "# A\n\n## It's `$(a)`\n\nText.\n\n## \"B\" \\\n\nText.\n\n## (C)  (d)\n\nText.\n",
		"agents/memory-index.md": "# Memory Index\n\n## agents/decisions/a.md\n\n/when the user's token 'is' $(touch x) `touch x` | It's `$(a)` | x\n" +
			"/how to quote \"b\" <b> \\ ! | \"B\" \\ | x\n/when reading c (d) | (C)  (d) | x\n",
	})
	for name, tree := range memories {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, tree))
			var lines, arguments, want []string
			for e, file := range entries(tree) {
				line := dispatch.Pointer("/"+e.Operator+" "+e.Trigger.Text, e.Title.Text)
				query, _, _ := strings.Cut(strings.TrimPrefix(line, "- "), "  (")
				lines, arguments = append(lines, line), append(arguments, "'"+query+"'")
				want = append(want, file+": "+strings.ToLower(e.Title.Text))
			}
			read := func(script, stdin string) (got []string) {
				cmd := exec.Command("sh", "-c", script)
				cmd.Env = append(os.Environ(), "WHENCE_HOME="+os.DevNull)
				cmd.Dir, cmd.Stdin, cmd.Stderr = dir, strings.NewReader(stdin), os.Stderr
				out, err := cmd.Output()
				require.NoError(t, err)
				var printed struct {
					Answers []struct{ File, Header string }
				}
				require.NoError(t, json.NewDecoder(bytes.NewReader(out)).Decode(&printed))
				for _, a := range printed.Answers {
					got = append(got, a.File+": "+strings.ToLower(a.Header))
				}
				return got
			}
			var got []string
			for some := range slices.Chunk(arguments, 100) {
				got = append(got, read("memory-when --quiet --format json "+strings.Join(some, " "), "")...)
			}
			require.Equal(t, want, got)
			require.Equal(t, want, read("memory-when --quiet --format json -", strings.Join(lines, "\n")))
		})
	}
}
