package validate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/test/repotest"
)

// Each operation of git that merges treats a file as the driver does, with the version that is checked out as ours.
func TestGitMergesByTheDriver(t *testing.T) {
	repotest.Program(t, "sh")
	operations := [][]string{
		{"merge", "-q", "theirs"}, {"rebase", "-q", "ours", "theirs"}, {"cherry-pick", "--allow-empty", "--keep-redundant-commits", "theirs"},
		{"revert", "--no-edit", "undone"}, {"stash", "pop", "-q"},
	}
	pairs := 30
	if repotest.Long() {
		pairs = 500
	}
	dir := t.TempDir()
	git := func(args ...string) error {
		command := exec.Command("git", args...)
		command.Dir = dir
		command.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.c", "GIT_EDITOR=:", "GIT_CONFIG_GLOBAL="+os.DevNull)
		return command.Run()
	}
	must := func(args ...string) { t.Helper(); require.NoError(t, git(args...), strings.Join(args, " ")) }
	must("init", "-q", "-b", "main")
	must("commit", "-q", "--allow-empty", "-m", "first")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "agents", "decisions"), 0o755))
	program := repotest.Build(t, t.TempDir(), "whence/validate/memory-validate")
	install := exec.Command(program, "install-git-hook", "--merge-driver", "--no-hook")
	install.Dir = dir
	require.NoError(t, install.Run())
	count, clean := map[string]int{}, map[string]int{}
	n := 0
	generate(2*pairs, func(isIndex bool, path, base, ours, theirs string) {
		if n >= pairs || base == ours || base == theirs || ours == theirs {
			return
		}
		operation := operations[n%len(operations)]
		n++
		commit := func(text, branch string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600))
			must("add", path)
			must("commit", "-q", "--allow-empty", "-m", branch)
			must("branch", "-f", branch)
		}
		must("checkout", "-q", "--detach")
		if operation[0] == "revert" { // it undoes the change from theirs to base
			commit(theirs, "before")
			commit(base, "undone")
		} else {
			commit(base, "start")
			commit(theirs, "theirs")
			must("reset", "-q", "--hard", "start")
		}
		if operation[0] == "stash" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, path), []byte(theirs), 0o600))
			must("stash", "-q")
		}
		commit(ours, "ours")
		status := git(operation...)
		m := newThreeWay(t, base, ours, theirs, path)
		m.requireSound(t, isIndex)
		unmerged := exec.Command("git", "ls-files", "-u")
		unmerged.Dir = dir
		left, err := unmerged.Output()
		require.NoError(t, err)
		count[operation[0]]++
		if m.status == cli.OK {
			clean[operation[0]]++
			require.Empty(t, string(left), "%s\n%s", operation, m)
			require.Equal(t, m.merged, readFile(t, dir, path), operation)
		} else {
			require.Error(t, status)
			require.NotEmpty(t, left, "%s\n%s", operation, m)
			require.Contains(t, readFile(t, dir, path), "\n>>>>>>> theirs\n")
		}
		_ = git(operation[0], "--abort")
		_ = git(operation[0], "--quit")
		must("reset", "-q", "--hard")
		must("stash", "clear")
	})
	t.Logf("operations: %v, of which clean: %v", count, clean)
	require.Equal(t, pairs, n)
}
