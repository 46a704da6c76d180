//go:build unix

package repo_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

// Agents let a repository set environment variables. None of them makes git run a program, write a
// file, read settings in the work tree, or become another program.
func TestGitRunsInAnEnvironmentOfOurMaking(t *testing.T) {
	isolate(t)
	dir := realPath(t, start(t))
	program, marker, trace := filepath.Join(dir, "bin", "git"), filepath.Join(t.TempDir(), "ran"), filepath.Join(t.TempDir(), "trace")
	require.NoError(t, os.MkdirAll(filepath.Dir(program), 0o755))
	require.NoError(t, os.WriteFile(program, fmt.Appendf(nil, "#!/bin/sh\necho \"$0 $*\" >>'%s'\n", marker), 0o755))
	settings := "[core]\n\tfsmonitor = " + program + "\n[diff]\n\texternal = " + program + "\n[filter \"x\"]\n\tclean = " + program + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitconfig"), []byte(settings), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("* filter=x\n"), 0o644))
	for name, value := range map[string]string{
		"HOME": dir, "XDG_CONFIG_HOME": dir, "GIT_CONFIG_GLOBAL": filepath.Join(dir, ".gitconfig"), "GIT_CONFIG_COUNT": "1",
		"GIT_CONFIG_KEY_0": "filter.x.clean", "GIT_CONFIG_VALUE_0": program, "GIT_EXTERNAL_DIFF": program, "GIT_PAGER": program,
		"GIT_EXEC_PATH": filepath.Dir(program), "GIT_TRACE": trace, "GIT_TRACE2_EVENT": trace, "GIT_TRACE_SETUP": trace,
		"GIT_DIR": filepath.Join(dir, "elsewhere"), "GIT_SSH_COMMAND": program, "PAGER": program, "EDITOR": program,
	} {
		t.Setenv(name, value)
	}
	r, err := repo.Open(dir, dir, none)
	require.NoError(t, err)
	_, err = r.Staged()
	require.NoError(t, err)
	_, err = r.Files(t.Context(), dir, nil, false)
	require.NoError(t, err)
	require.NoFileExists(t, marker)
	require.NoFileExists(t, trace)

	// The settings in another home folder, which git reads before those of the command line, make it write nothing either.
	elsewhere := t.TempDir()
	lines := fmt.Sprintf("[trace2]\n\tnormalTarget = %[1]s\n\tperfTarget = %[1]s\n\teventTarget = %[1]s\n\tconfigParams = user.*\n[user]\n\tname = x\n", trace)
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, ".gitconfig"), []byte(lines), 0o644))
	t.Setenv("HOME", elsewhere)
	r, err = repo.Open(dir, dir, none)
	require.NoError(t, err)
	_, err = r.Files(t.Context(), dir, nil, false)
	require.NoError(t, err)
	require.NoFileExists(t, trace)

	path := os.Getenv("PATH")
	t.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+path)
	r, err = repo.Open(dir, dir, none)
	require.NoError(t, err)
	_, err = r.Files(t.Context(), dir, nil, false)
	require.NoError(t, err, "the next one on the PATH is run")
	require.NoFileExists(t, marker, "a git in the repository never is")

	// Nor does the user's own git find a program there, as a script does that env starts.
	real, err := exec.LookPath("/usr/bin/git")
	if err != nil {
		t.Skip("git is elsewhere")
	}
	shims := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(shims, "git"), []byte("#!/usr/bin/env sh\nexec "+real+" \"$@\"\n"), 0o755))
	require.NoError(t, os.Rename(program, filepath.Join(filepath.Dir(program), "sh")))
	t.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+shims+string(os.PathListSeparator)+"/usr/bin:/bin")
	r, err = repo.Open(dir, dir, none)
	require.NoError(t, err)
	_, err = r.Files(t.Context(), dir, nil, false)
	require.NoError(t, err)
	require.NoFileExists(t, marker)
}
