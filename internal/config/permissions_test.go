package config_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/repotest"
	"whence/internal/worktree"
)

// world is a repository, or a folder outside of any, and a home.
type world struct {
	t         *testing.T
	dir, home string
}

func newWorld(t *testing.T, git bool) *world {
	w := &world{t, t.TempDir(), repotest.Home(t)}
	if git {
		w.git("init", "-q")
	}
	return w
}

func (w *world) git(args ...string) {
	w.t.Helper()
	out, err := exec.Command("git", append([]string{"-C", w.dir, "-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)...).CombinedOutput()
	require.NoError(w.t, err, string(out))
}

func (w *world) write(name, text string) {
	w.t.Helper()
	name = filepath.Join(w.dir, filepath.FromSlash(name))
	require.NoError(w.t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(w.t, os.WriteFile(name, []byte(text), 0o644))
}

// asks lists what the files of a folder ask for and are not allowed.
func (w *world) asks(dir string) (asks []string) {
	w.t.Helper()
	tree, err := worktree.Open(dir)
	require.NoError(w.t, err)
	defer tree.Close()
	c, err := config.Load(tree, func(name string) string { return map[string]string{"WHENCE_HOME": w.home}[name] })
	require.NoError(w.t, err)
	for _, a := range c.Asks {
		asks = append(asks, a.File+" "+a.String())
	}
	return asks
}

const silent = "memory_model_capture_mode: silent\n"

// A file that git tracks is the repository's; one that it does not track is the user's own.
func TestWhatGitTracksNeedsPermission(t *testing.T) {
	for _, version := range []string{"2", "4"} {
		w := newWorld(t, true)
		w.git("config", "index.version", version)
		w.write(config.LocalFile, "---\n"+silent+"---\n")
		w.write(config.ProjectFile, "memory_notes_enabled: true\n")
		require.Empty(t, w.asks(w.dir), "nothing has been added yet")
		w.write(".whence.yaml.orig", "x")
		w.git("add", ".whence.yaml.orig")
		require.Empty(t, w.asks(w.dir))
		w.git("add", config.ProjectFile)
		require.Equal(t, []string{".whence.yaml memory_notes_enabled: true"}, w.asks(w.dir))
		w.git("add", "-A")
		w.git("commit", "-q", "-m", "all")
		require.Equal(t, []string{".whence.yaml memory_notes_enabled: true", ".claude/whence.local.md memory_model_capture_mode: silent"}, w.asks(w.dir))
		clone := filepath.Join(t.TempDir(), "clone")
		w.git("clone", "-q", w.dir, clone)
		require.Len(t, w.asks(clone), 2)
		w.git("rm", "-q", "--cached", config.ProjectFile)
		require.Equal(t, []string{".claude/whence.local.md memory_model_capture_mode: silent"}, w.asks(w.dir))
	}
}

// Neither a link, nor the case of letters, nor a folder of its own makes a file that comes
// with a clone the user's own.
func TestTheRepositorysFilesDoNotPassForTheUsers(t *testing.T) {
	w := newWorld(t, true)
	w.write("other/whence.local.md", "---\n"+silent+"---\n")
	if err := os.Symlink("other", filepath.Join(w.dir, ".claude")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	w.write("sub/"+config.ProjectFile, silent)
	w.git("add", "-A")
	require.Len(t, w.asks(w.dir), 1)
	require.Len(t, w.asks(filepath.Join(w.dir, "sub")), 1)

	w = newWorld(t, true)
	w.write(config.ProjectFile, silent)
	w.git("add", "-A")
	w.git("mv", config.ProjectFile, ".Whence.YAML")
	w.write(config.ProjectFile, silent) // as a system does that takes both names for one
	require.Len(t, w.asks(w.dir), 1)

	require.NoError(t, os.WriteFile(filepath.Join(w.dir, ".git", "index"), []byte("DIRC damaged"), 0o600))
	require.Len(t, w.asks(w.dir), 1, "if git cannot say, it is not the user's own")
}

// What comes with a submodule, with an index that is missing, or in a folder below the root is
// not the user's own either.
func TestFilesThatComeOtherwise(t *testing.T) {
	sub := newWorld(t, true)
	sub.write("whence.local.md", "---\n"+silent+"---\n")
	sub.git("add", "-A")
	sub.git("commit", "-q", "-m", "all")
	w := newWorld(t, true)
	w.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.dir, ".claude")
	w.git("commit", "-q", "-m", "all")
	clone := filepath.Join(t.TempDir(), "clone")
	w.git("-c", "protocol.file.allow=always", "clone", "-q", "--recurse-submodules", w.dir, clone)
	require.Len(t, w.asks(clone), 1)

	w = newWorld(t, true)
	w.write(config.ProjectFile, silent)
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "all")
	bare := filepath.Join(t.TempDir(), "bare")
	w.git("clone", "-q", "--no-checkout", w.dir, bare)
	require.NoError(t, os.WriteFile(filepath.Join(bare, config.ProjectFile), []byte(silent), 0o600))
	require.Len(t, w.asks(bare), 1)

	w = newWorld(t, true)
	w.write("node_modules/x/"+config.ProjectFile, silent)
	require.Len(t, w.asks(filepath.Join(w.dir, "node_modules", "x")), 1)
}

// A .git that names a repository of the user's inherits neither its permissions nor its name.
func TestAGitFileOfAnotherInheritsNothing(t *testing.T) {
	w := newWorld(t, true)
	require.NoError(t, config.Allow(w.home, config.RepositoryOf(w.dir), []string{strings.TrimSpace(silent)}, time.Now()))
	for name, plant := range map[string]func(dir string) error{
		"file": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+filepath.Join(w.dir, ".git")+"\n"), 0o600)
		},
		"link": func(dir string) error { return os.Symlink(filepath.Join(w.dir, ".git"), filepath.Join(dir, ".git")) },
		"common directory": func(dir string) error {
			if err := exec.Command("git", "init", "-q", dir).Run(); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, ".git", "commondir"), []byte(filepath.Join(w.dir, ".git")+"\n"), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			require.NoError(t, err)
			require.NoError(t, plant(dir))
			require.Equal(t, filepath.Join(dir, ".git"), config.RepositoryOf(dir))
		})
	}
	sub := newWorld(t, true)
	sub.write("x", "x")
	sub.git("add", "-A")
	sub.git("commit", "-q", "-m", "all")
	w.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.dir, "sub")
	real, err := filepath.EvalSymlinks(filepath.Join(w.dir, ".git", "modules", "sub"))
	require.NoError(t, err)
	require.Equal(t, real, config.RepositoryOf(filepath.Join(w.dir, "sub")), "a submodule points back")
}

// Outside of any repository a file may come with an archive.
func TestOutsideOfARepository(t *testing.T) {
	w := newWorld(t, false)
	w.write(config.ProjectFile, silent+"memory_notes_enabled: true\n")
	require.Equal(t, []string{".whence.yaml memory_model_capture_mode: silent", ".whence.yaml memory_notes_enabled: true"}, w.asks(w.dir))
	require.NoError(t, config.Allow(w.home, config.RepositoryOf(w.dir), []string{strings.TrimSpace(silent)}, time.Now()))
	require.Len(t, w.asks(w.dir), 1)
}

// What is allowed holds for the repository, in all of its worktrees, with that value, until it
// is revoked.
func TestAllow(t *testing.T) {
	w := newWorld(t, true)
	w.write(config.ProjectFile, silent)
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "all")
	tree := filepath.Join(t.TempDir(), "tree")
	w.git("worktree", "add", "-q", tree)
	clone := filepath.Join(t.TempDir(), "clone")
	w.git("clone", "-q", w.dir, clone)
	repository := config.RepositoryOf(w.dir)
	require.Equal(t, repository, config.RepositoryOf(tree))
	require.NoError(t, config.Allow(w.home, repository, []string{strings.TrimSpace(silent)}, time.Now()))
	require.Empty(t, w.asks(w.dir))
	require.Empty(t, w.asks(tree))
	require.Len(t, w.asks(clone), 1, "a clone is another repository")
	info, err := os.Stat(filepath.Join(w.home, "allowed.json"))
	require.NoError(t, err)
	require.True(t, info.Mode().Perm() == 0o600 || runtime.GOOS == "windows")

	w.write(config.ProjectFile, silent+"memory_silent_capture_budget: 1000\n")
	require.Equal(t, []string{".whence.yaml memory_silent_capture_budget: 1000"}, w.asks(w.dir), "what it asks for later is asked for anew")
	revoked, err := config.Revoke(w.home, repository)
	require.NoError(t, err)
	require.True(t, revoked)
	require.Len(t, w.asks(w.dir), 2)
	revoked, err = config.Revoke(w.home, repository)
	require.NoError(t, err)
	require.False(t, revoked)
}

// A list that cannot be read allows nothing, and is never replaced in silence.
func TestADamagedList(t *testing.T) {
	w := newWorld(t, true)
	w.write(config.ProjectFile, silent)
	w.git("add", "-A")
	require.NoError(t, config.Allow(w.home, config.RepositoryOf(w.dir), []string{strings.TrimSpace(silent)}, time.Now()))
	name := filepath.Join(w.home, "allowed.json")
	require.NoError(t, os.WriteFile(name, []byte(`{"repositories": [`), 0o600))
	require.Len(t, w.asks(w.dir), 1)
	require.ErrorContains(t, config.Allow(w.home, "x", nil, time.Now()), "move it away")
	src, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, `{"repositories": [`, string(src))

	require.NoError(t, os.Remove(name))
	if err := os.Symlink("nowhere", name); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	require.ErrorContains(t, config.Allow(w.home, "x", nil, time.Now()), "is a symbolic link that cannot be followed")
	require.Len(t, w.asks(w.dir), 1)
}
