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

// Killed before any of its writes and run again, the installation of the git hook ends where it ends
// undisturbed, and so does its removal.
func TestTheGitHookIsResumed(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	if _, err := exec.LookPath("strace"); err != nil || runtime.GOARCH != "amd64" { // elsewhere git makes the same calls
		repotest.Missing(t, "clients", "strace is not installed")
	}
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
