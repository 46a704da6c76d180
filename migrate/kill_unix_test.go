//go:build unix

package migrate_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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
	outcome, err := migrate.Run(tree, config.Default(), nil)
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
	for n := 0; n < 80 || (kills["old"] == 0 || kills["new"] == 0) && n < 800; n++ {
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

// Killed at any moment, an agent's turn loses no answer and writes none twice: what is repeated until
// it succeeds gives what one run gives.
func TestKilledWhileWording(t *testing.T) {
	program := repotest.Build(t, t.TempDir(), "whence/migrate/memory-migrate")
	tree, answers := worded(30)
	want := wordedAtOnce(t, tree, answers)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, tree))
	duration, kills := time.Duration(0), 0
	repeat := func(stdin string, args ...string) {
		for {
			cmd := exec.Command(program, append(args, "--repo", dir)...)
			cmd.Stdin = strings.NewReader(stdin)
			begin := time.Now()
			require.NoError(t, cmd.Start())
			kill := time.AfterFunc(rand.N(max(duration, time.Millisecond)*3/2), func() { _ = cmd.Process.Kill() })
			err := cmd.Wait()
			kill.Stop()
			if err == nil {
				duration = time.Since(begin)
				return
			}
			require.Equal(t, -1, cmd.ProcessState.ExitCode(), "not killed: %v", args)
			duration += time.Millisecond
			kills++
		}
	}
	for batch := range slices.Chunk(answers, 2) {
		repeat("", "plan", "--for-agent")
		repeat(strings.Join(batch, ""), "plan", "set", "--stdin")
	}
	for _, err := os.Stat(filepath.Join(dir, "agents", "memory-index.plan.tsv")); err == nil; {
		repeat("", "apply")
		_, err = os.Stat(filepath.Join(dir, "agents", "memory-index.plan.tsv"))
	}
	require.Equal(t, want, contents(t, dir))
	t.Logf("%d kills", kills)
}
