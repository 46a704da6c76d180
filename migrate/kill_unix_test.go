//go:build unix

package migrate_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/repotest"
	"whence/migrate"
)

// Killed at any moment, the program leaves the old index or the new one, whole; and
// if the new one, the plan that holds what is no longer in it.
func TestKilledAtAnyMoment(t *testing.T) {
	program := repotest.Build(t, t.TempDir(), "whence/migrate/memory-migrate")
	tree := generated(20, 400)
	src := string(tree[config.DefaultIndex].Data) + "\n## Behavioral Rules (fragments — already loaded)\n\nNo such heading — a rule that is loaded with every session\n"
	tree[config.DefaultIndex].Data = []byte(src)
	outcome, err := migrate.Run(tree, config.Default())
	require.NoError(t, err)
	require.Empty(t, outcome.Left)
	require.Equal(t, 1, outcome.Count(migrate.Removed))

	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, tree))
	name := filepath.Join(dir, filepath.FromSlash(config.DefaultIndex))
	plan := filepath.Join(dir, "agents", "memory-index.plan.tsv")
	whole := time.Now()
	require.NoError(t, exec.Command(program, "--write", "--repo", dir).Run())
	duration := time.Since(whole)
	kills := map[string]int{}
	wanted := 20
	if repotest.Long() {
		wanted = 200
	}
	for n := 0; n < wanted || (kills["old"] == 0 || kills["new"] == 0) && n < 800; n++ {
		require.NoError(t, os.WriteFile(name, outcome.Before, 0o644))
		_ = os.Remove(plan)
		cmd := exec.Command(program, "--write", "--repo", dir)
		require.NoError(t, cmd.Start())
		time.Sleep(rand.N(duration*3/2 + 1))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		after, err := os.ReadFile(name)
		require.NoError(t, err)
		switch string(after) {
		case string(outcome.Before):
			kills["old"]++
			duration += duration / 16 // it may take longer than it did
		case string(outcome.After):
			kills["new"]++
			duration -= duration / 16
			table, err := os.ReadFile(plan)
			require.NoError(t, err)
			require.Equal(t, string(outcome.Plan.Table()), string(table))
		default:
			t.Fatalf("the index is neither the old nor the new one: %d bytes", len(after))
		}
	}
	t.Logf("%v", kills)
	require.NotZero(t, kills["old"])
	require.NotZero(t, kills["new"])
}
