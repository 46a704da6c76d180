package migrate_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/test/repotest"
	"whence/migrate"
	"whence/validate"
)

// worded makes up an index in an old format, and an answer for each of its entries.
func worded(entries int) (fstest.MapFS, []string) {
	g := &generator{Rand: rand.New(rand.NewPCG(1, 2))}
	var answers []string
	var index strings.Builder
	tree := fstest.MapFS{}
	line := 1
	for n := 0; n < entries; {
		name := fmt.Sprintf("agents/decisions/file%02d.md", len(tree))
		fmt.Fprintf(&index, "## %s\n", name)
		src := "# " + g.word() + "\n"
		line++
		for range min(7, entries-n) {
			trigger := g.phrase(2)
			src += "\n## When " + trigger + "\n" + g.phrase(9) + ".\n"
			fmt.Fprintf(&index, "/when %s | %s\n", trigger, g.phrase(4))
			answer := map[string]any{"line": line, "trigger": g.phrase(3), "description": g.phrase(3), "situations": []string{g.phrase(4), g.phrase(3) + " | " + g.word()}}
			json, _ := json.Marshal(answer)
			answers = append(answers, string(json)+"\n")
			line++
			n++
		}
		tree[name] = &fstest.MapFile{Data: []byte(src)}
	}
	tree[config.DefaultIndex] = &fstest.MapFile{Data: []byte(index.String())}
	return tree, answers
}

// run runs memory-migrate in a folder.
func run(t *testing.T, dir, stdin string, args ...string) {
	t.Helper()
	var stdout, stderr strings.Builder
	status := migrate.Main(cli.Env{
		Args: append([]string{"memory-migrate"}, args...), Dir: dir, Getenv: func(string) string { return "" },
		Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr,
	})
	require.Equal(t, cli.OK, status, stdout.String()+stderr.String())
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

// wordedAtOnce returns what a memory becomes if all answers are one batch.
func wordedAtOnce(t *testing.T, tree fstest.MapFS, answers []string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, tree))
	run(t, dir, "", "plan", "--for-agent")
	run(t, dir, strings.Join(answers, ""), "plan", "set", "--stdin")
	run(t, dir, "", "apply")
	m, err := validate.Load(os.DirFS(dir), config.Default())
	require.NoError(t, err)
	require.Empty(t, validate.Check(m, config.Default()))
	all := contents(t, dir)
	require.Len(t, all, len(tree), "the plan is gone")
	for _, answer := range answers {
		var a struct{ Situations []string }
		require.NoError(t, json.Unmarshal([]byte(answer), &a))
		for _, phrase := range a.Situations {
			require.Equal(t, 1, strings.Count(strings.Join(slices.Collect(maps.Values(all)), ""), phrase+"\n"), phrase)
		}
	}
	return all
}

// In any order, in any batches, some of them sent again, the answers give the same memory.
func TestWordedInAnyOrder(t *testing.T) {
	tree, answers := worded(40)
	want := wordedAtOnce(t, tree, answers)
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 1))
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, tree))
		run(t, dir, "", "plan", "--for-agent", "--all", "--max", fmt.Sprint(seed))
		left := slices.Clone(answers)
		r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		for len(left) > 0 {
			n := 1 + r.IntN(len(left))
			run(t, dir, strings.Join(left[:n], ""), "plan", "set", "--stdin")
			if r.IntN(3) > 0 {
				left = left[n:]
			}
			run(t, dir, "", "plan", "--for-agent", "--all")
		}
		run(t, dir, "", "apply")
		require.Equal(t, want, contents(t, dir), "seed %d", seed)
	}
}

// Several agents that word one plan lose nothing.
func TestWordedAtTheSameTime(t *testing.T) {
	tree, answers := worded(24)
	want := wordedAtOnce(t, tree, answers)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, tree))
	program := repotest.Build(t, t.TempDir(), "whence/migrate/memory-migrate")
	start := func(stdin string, args ...string) {
		cmd := exec.Command(program, append(args, "--repo", dir)...)
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, string(out))
	}
	var agents sync.WaitGroup
	for batch := range slices.Chunk(answers, 3) {
		agents.Go(func() {
			start("", "plan", "--for-agent")
			for _, answer := range batch {
				start(answer, "plan", "set", "--stdin")
			}
		})
	}
	agents.Wait()
	run(t, dir, "", "apply")
	require.Equal(t, want, contents(t, dir))
}
