package when_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/test/repotest"
	"whence/when"
)

// repository writes a tree into a folder of its own.
func repository(t *testing.T, tree fstest.MapFS) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, tree))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".git", "HEAD"), 0o755))
	return dir
}

// moment is an event in a repository.
func moment(t *testing.T, dir, home string) *dispatch.Request {
	t.Helper()
	repotest.ClaimHome(t, home)
	env := cli.Env{Dir: dir, Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": home}[name] }}
	m, err := dispatch.Open(env, agent.Event{Cwd: dir}, time.Now())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

// find finds all that has anything in common with a text.
func find(t *testing.T, r *dispatch.Request, text string) []dispatch.Item {
	t.Helper()
	found, err := when.Find(t.Context(), r, text, dispatch.Limits{Items: 20})
	require.NoError(t, err)
	return found
}

// A text always has the same answer, whatever was asked before or runs at the same time.
func TestOneTextHasOneAnswer(t *testing.T) {
	tree := os.DirFS(filepath.Join(repotest.Root(t), "examples", "ferry"))
	open := func() *when.Lookup {
		l, err := when.Open(tree, config.Default())
		require.NoError(t, err)
		return l
	}
	used := open()
	documents := used.Documents()
	var texts []string
	for _, d := range documents {
		texts = append(texts, d.Description, strings.Join(d.Situations, " "))
	}
	texts = texts[:200]
	answers := make([][]when.Recalled, len(texts))
	for i, text := range texts {
		answers[i] = used.Recall(text, 5)
	}
	var busy sync.WaitGroup
	for worker := range 4 {
		busy.Go(func() {
			fresh := open()
			for i := worker; i < len(texts); i += 4 {
				found := fresh.Recall(texts[i], 5)
				require.Equal(t, answers[i], found, texts[i])
			}
		})
	}
	busy.Wait()
}
