package hooks

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/test/repotest"
)

// install --agents-md and uninstall --agents-md leave each file as it was, with its mode. A file that is
// not text is refused.
func TestRulesFilesAreRestored(t *testing.T) {
	for _, c := range oddFiles {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, defaultRulesFile)
			require.NoError(t, os.WriteFile(name, []byte(c.src), 0o600))
			before, err := os.Stat(name)
			require.NoError(t, err)
			run := func(verb string) int {
				var out bytes.Buffer
				return Main(cli.Env{
					Args: []string{programName, verb, "--agents-md"}, Dir: dir, Stdin: &out, Stdout: &out, Stderr: &out,
					Getenv: func(variable string) string {
						return map[string]string{"HOME": dir, "WHENCE_HOME": repotest.ClaimHome(t, dir)}[variable]
					},
				})
			}
			requireFile := func(want string) {
				t.Helper()
				got, err := os.ReadFile(name)
				require.NoError(t, err)
				require.Equal(t, want, string(got))
				after, err := os.Stat(name)
				require.NoError(t, err)
				require.Equal(t, before.Mode(), after.Mode())
			}
			if !utf8.ValidString(c.src) {
				require.Equal(t, cli.Failed, run("install"))
				requireFile(c.src)
				return
			}
			for range 2 {
				require.Equal(t, cli.OK, run("install"))
				requireFile(c.want)
			}
			for range 2 {
				require.Equal(t, cli.OK, run("uninstall"))
				requireFile(c.src)
			}
		})
	}
}
