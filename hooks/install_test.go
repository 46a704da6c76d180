package hooks_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
)

// Installations at once leave what one leaves.
func TestInstallAtOnce(t *testing.T) {
	for _, before := range []string{"", "{\n  \"model\": \"opus\"\n}\n"} {
		var want []byte
		for _, times := range []int{1, 8} {
			home := t.TempDir()
			name := filepath.Join(home, ".claude", "settings.json")
			if before != "" {
				require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
				require.NoError(t, os.WriteFile(name, []byte(before), 0o644))
			}
			var group sync.WaitGroup
			for range times {
				group.Go(func() {
					exit, out := install(home)
					require.Equal(t, cli.OK, exit, out)
				})
			}
			group.Wait()
			got, err := os.ReadFile(name)
			require.NoError(t, err)
			if want == nil {
				want = got
			}
			require.Equal(t, string(want), string(got))
			rest, err := os.ReadDir(filepath.Dir(name))
			require.NoError(t, err)
			require.Len(t, rest, 1, "no temporary file is left")
		}
	}
}
