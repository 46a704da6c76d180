package remember_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/repotest"
	"whence/validate"
)

// draftedMemory makes a folder with a memory of drafts, and returns a line for entry set for each of them.
func draftedMemory(t *testing.T, program string, entries int) (dir string, lines []string) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "agents/decisions"), 0o700))
	for n := 0; n < entries; n += 5 {
		src := fmt.Sprintf("# File %d\n", n)
		for i := n; i < min(n+5, entries); i++ {
			src += fmt.Sprintf("\n## Alpha%d beta%d\nGamma%d is what delta%d does in the end, always.\n", i, i, i, i)
			line, err := json.Marshal(map[string]any{
				"entry": fmt.Sprintf("/when alpha%d beta%d", i, i), "trigger": fmt.Sprintf("doing epsilon%d with zeta%d", i, i),
				"description": fmt.Sprintf("eta%d theta%d, and more of iota%d", i, i, i),
				"situations":  []string{fmt.Sprintf("kappa%d is seen", i), fmt.Sprintf("lambda%d | mu%d", i, i)},
			})
			require.NoError(t, err)
			lines = append(lines, string(line)+"\n")
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("agents/decisions/file%02d.md", n)), []byte(src), 0o600))
	}
	require.NoError(t, setProcess(program, dir, "", "entry", "draft", "--write").Run())
	return dir, lines
}

// setProcess is a process of memory-remember on a folder.
func setProcess(program, dir, stdin string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, append(args, "--repo", dir)...)
	cmd.Env = append(os.Environ(), "WHENCE_HOME="+os.DevNull)
	cmd.Stdin = strings.NewReader(stdin)
	return cmd
}

// contents returns the texts of all files in a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := os.ReadFile(filepath.Join(dir, name))
		found[name] = string(src)
		return err
	}))
	return found
}

// wordedAtOnce returns what a memory becomes if all lines are one batch.
func wordedAtOnce(t *testing.T, program string, entries int) map[string]string {
	t.Helper()
	dir, lines := draftedMemory(t, program, entries)
	out, err := setProcess(program, dir, strings.Join(lines, ""), "entry", "set", "--stdin").CombinedOutput()
	require.NoError(t, err, string(out))
	m, err := validate.Load(os.DirFS(dir), config.Default())
	require.NoError(t, err)
	require.Empty(t, validate.Check(m, config.Default()))
	require.Equal(t, validate.WordingCount{All: entries}, validate.CountWording(m, config.Default()))
	all := contents(t, dir)
	for i := range entries {
		found := 0
		for _, text := range all {
			found += strings.Count(text, fmt.Sprintf("kappa%d is seen\nlambda%d | mu%d\n", i, i, i)) + strings.Count(text, fmt.Sprintf("/when doing epsilon%d with zeta%d | Alpha%d beta%d | eta%d ", i, i, i, i, i))
		}
		require.Equal(t, 2, found)
	}
	return all
}

// In any order, in any batches, some of them sent again, the lines give the same memory.
func TestWordedInAnyOrder(t *testing.T) {
	program := repotest.Build(t, t.TempDir(), "whence/remember/memory-remember")
	want := wordedAtOnce(t, program, 30)
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		dir, left := draftedMemory(t, program, 30)
		r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		for len(left) > 0 {
			n := 1 + r.IntN(len(left))
			out, err := setProcess(program, dir, strings.Join(left[:n], ""), "entry", "set", "--stdin").CombinedOutput()
			require.NoError(t, err, string(out))
			if r.IntN(3) > 0 {
				left = left[n:]
			}
		}
		require.Equal(t, want, contents(t, dir), "seed %d", seed)
	}
}

// Several agents that word one memory lose nothing.
func TestWordedAtTheSameTime(t *testing.T) {
	program := repotest.Build(t, t.TempDir(), "whence/remember/memory-remember")
	want := wordedAtOnce(t, program, 24)
	dir, lines := draftedMemory(t, program, 24)
	var agents sync.WaitGroup
	for batch := range slices.Chunk(lines, 3) {
		agents.Go(func() {
			for _, line := range batch {
				out, err := setProcess(program, dir, line, "entry", "set", "--stdin").CombinedOutput()
				assert.NoError(t, err, string(out))
			}
		})
	}
	agents.Wait()
	require.Equal(t, want, contents(t, dir))
}

// A process that is killed at any moment loses nothing and writes nothing twice: repeated until it succeeds,
// it gives the result of one run.
func TestKilledWhileWording(t *testing.T) {
	program := repotest.Build(t, t.TempDir(), "whence/remember/memory-remember")
	want := wordedAtOnce(t, program, 30)
	dir, lines := draftedMemory(t, program, 30)
	duration, kills := time.Duration(0), 0
	for batch := range slices.Chunk(lines, 2) {
		for {
			cmd := setProcess(program, dir, strings.Join(batch, ""), "entry", "set", "--stdin")
			begin := time.Now()
			require.NoError(t, cmd.Start())
			kill := time.AfterFunc(rand.N(max(duration, time.Millisecond)*3/2), func() { _ = cmd.Process.Kill() })
			err := cmd.Wait()
			kill.Stop()
			if err == nil {
				duration = time.Since(begin)
				break
			}
			require.Equal(t, -1, cmd.ProcessState.ExitCode(), "not killed: %s", batch)
			duration += time.Millisecond
			kills++
		}
	}
	got := contents(t, dir)
	for name := range got { // what a killed process was writing
		if strings.HasPrefix(filepath.Base(name), ".") {
			delete(got, name)
		}
	}
	require.Equal(t, want, got)
	t.Logf("%d kills", kills)
}
