package validate_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// If the installation of the git hook is killed before any of its writes and run again, it ends as if undisturbed. So
// does its removal.
func TestTheGitHookIsResumed(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("elsewhere git makes the same calls by other names")
	}
	repotest.Program(t, "strace")
	program := repotest.Build(t, t.TempDir(), "whence/validate/memory-validate")
	top := t.TempDir()
	dir, saved := filepath.Join(top, "repository"), filepath.Join(top, "saved")
	run := func(prefix []string, args ...string) error {
		args = append(append(prefix, program), args...)
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOMAXPROCS=1", "WHENCE_HOME="+filepath.Join(top, "store"))
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState.ExitCode() >= 0 {
			t.Logf("%v: %s", args, out)
		}
		return err
	}
	begin := func(from string) {
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, exec.Command("cp", "-a", from, dir).Run())
	}
	kills, step := 0, 3
	if repotest.Long() {
		step = 1
	}
	install, uninstall := []string{"install-git-hook", "--merge-driver"}, []string{"uninstall-git-hook"}
	before := filepath.Join(top, "before")
	require.NoError(t, exec.Command("git", "init", "-q", before).Run())
	begin(before)
	none := hooksIn(t, dir)
	require.NoError(t, run(nil, install...))
	installed := hooksIn(t, dir)
	require.NoError(t, os.RemoveAll(saved))
	require.NoError(t, exec.Command("cp", "-a", dir, saved).Run())
	require.NoError(t, run(nil, uninstall...))
	require.Equal(t, none, hooksIn(t, dir))
	for _, call := range []string{"mkdirat", "renameat", "unlinkat"} {
		for from, args := range map[string][]string{before: install, saved: uninstall} {
			want := installed
			if from == saved {
				want = none
			}
			for n := 1; ; n += step {
				begin(from)
				if run([]string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, n)}, args...) == nil {
					break
				}
				kills++
				require.NoError(t, run(nil, args...), "%v before %s %d", args, call, n)
				require.Equal(t, want, hooksIn(t, dir), "%v, killed before %s %d", args, call, n)
			}
		}
	}
	require.Positive(t, kills)
}

// If a fix of a commit and the worktree is killed at any of its steps and run again, it ends as if undisturbed, even
// for a file that is not checked out.
func TestAFixOfACommitIsResumed(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("elsewhere git makes the same calls by other names")
	}
	repotest.Program(t, "strace")
	program := repotest.Build(t, t.TempDir(), "whence/validate/memory-validate")
	const heading = "## Mooring\n\nBoats moor with the bow to the sea.\n"
	for name, sparse := range map[string]bool{"checked out": false, "sparse": true} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			dir, before := filepath.Join(top, "repository"), filepath.Join(top, "before")
			require.NoError(t, os.CopyFS(before, repotest.Tree(map[string]string{
				"agents/memory-index.md":    "# Memory Index\n\n## agents/decisions/boats.md\n\n/when  Mooring a boat|Mooring|bow, sea, berth, rope, harbour, wind, swell\n",
				"agents/decisions/boats.md": heading,
			})))
			git := func(in string, args ...string) string {
				cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@b.c"}, args...)...)
				cmd.Dir = in
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, string(out))
				return string(out)
			}
			git(before, "init", "-q")
			git(before, "add", "-A")
			if sparse {
				git(before, "update-index", "--skip-worktree", "agents/memory-index.md")
			}
			wrapper := t.TempDir() // holds a git that kills its caller after a number of commands
			real, err := exec.LookPath("git")
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(wrapper, "git"), []byte("#!/bin/sh\nn=$(cat \""+wrapper+"/left\")\necho $((n - 1)) >\""+wrapper+"/left\"\n"+
				real+" \"$@\"\nstatus=$?\n[ $n = 1 ] && kill -9 $PPID\nexit $status\n"), 0o755))
			run := func(gitCommands int, prefix ...string) bool {
				require.NoError(t, os.WriteFile(filepath.Join(wrapper, "left"), fmt.Append(nil, gitCommands), 0o644))
				args := append(prefix, program, "--stage", "--quiet")
				cmd := exec.Command(args[0], args[1:]...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOMAXPROCS=1", "GIT_INDEX_FILE=.git/index", "PATH="+wrapper+string(filepath.ListSeparator)+os.Getenv("PATH"), "WHENCE_HOME="+filepath.Join(top, "store"))
				out, _ := cmd.CombinedOutput()
				require.Contains(t, []int{-1, 0, 1}, cmd.ProcessState.ExitCode(), string(out))
				return cmd.ProcessState.ExitCode() >= 0
			}
			outcome := func() string {
				text := git(dir, "ls-files", "-t", "--stage")
				for _, file := range []string{"agents/memory-index.md", "agents/decisions/boats.md"} {
					src, err := os.ReadFile(filepath.Join(dir, file))
					require.NoError(t, err)
					text += string(src)
				}
				return text
			}
			begin := func() {
				require.NoError(t, os.RemoveAll(dir))
				require.NoError(t, exec.Command("cp", "-a", before, dir).Run())
			}
			begin()
			untouched := outcome()
			require.True(t, run(0))
			want := outcome()
			require.NotEqual(t, untouched, want)
			kills := 0
			kill := func(gitCommands int, prefix ...string) (killed bool) {
				begin()
				if run(gitCommands, prefix...) {
					return false
				}
				kills++
				require.True(t, run(0))
				require.Equal(t, want, outcome(), "killed after %d commands of git, %v", gitCommands, prefix)
				return true
			}
			for n := 1; kill(n); n++ {
			}
			for n := 1; kill(0, "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat", "-e", fmt.Sprintf("inject=renameat:signal=KILL:when=%d", n)); n++ {
			}
			require.Greater(t, kills, 3)
		})
	}
}

// hooksIn returns the files that an installation changes, with their texts or targets.
func hooksIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		short := name[len(dir):]
		switch {
		case err != nil || strings.HasSuffix(name, ".sample") || strings.HasPrefix(short, "/.git/objects") || strings.HasPrefix(short, "/.git/refs"):
			return err
		case entry.IsDir():
			all[short+"/"] = ""
			return nil
		case entry.Type()&fs.ModeSymlink != 0:
			all[short], err = os.Readlink(name)
			return err
		}
		text, err := os.ReadFile(name)
		info, _ := entry.Info()
		all[short] = fmt.Sprint(info.Mode(), " ", string(text))
		return err
	}))
	return all
}
