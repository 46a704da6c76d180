package config_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/repotest"
	"whence/internal/worktree"
)

// world is a home and a repository, or a folder outside any repository.
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

// asks lists what the files of a folder ask for beyond what the user has set.
func (w *world) asks(dir string) (asks []string) {
	w.t.Helper()
	for _, a := range w.load(dir).Asks {
		asks = append(asks, a.Source+" "+a.String())
	}
	return asks
}

func (w *world) load(dir string) config.Config {
	w.t.Helper()
	tree, err := worktree.Open(dir)
	require.NoError(w.t, err)
	defer tree.Close()
	c, err := config.Load(tree, func(name string) string { return map[string]string{"WHENCE_HOME": w.home}[name] })
	require.NoError(w.t, err)
	return c
}

const (
	silent  = "memory_model_capture_mode: silent\n"
	isLocal = ".claude/whence.local.md:2 memory_model_capture_mode: silent"
)

// The local file is the user's own unless git tracks it; the project's file never is.
func TestWhatGitTracksMayOnlyAskForLess(t *testing.T) {
	for _, version := range []string{"2", "4"} {
		w := newWorld(t, true)
		w.git("config", "index.version", version)
		w.write(config.LocalFile, "---\n"+silent+"---\n")
		w.write(config.ProjectFile, "memory_notes_enabled: true\n")
		const project = ".whence.yaml:1 memory_notes_enabled: true"
		require.Equal(t, []string{project}, w.asks(w.dir), "nothing has been added yet")
		w.write("x", "x")
		w.git("add", "x")
		require.Equal(t, []string{project}, w.asks(w.dir))
		w.git("add", "-A")
		w.git("commit", "-q", "-m", "all")
		require.Equal(t, []string{project, isLocal}, w.asks(w.dir))
		clone := filepath.Join(t.TempDir(), "clone")
		w.git("clone", "-q", w.dir, clone)
		require.Equal(t, []string{project, isLocal}, w.asks(clone))
		w.git("rm", "-q", "--cached", config.LocalFile)
		require.Equal(t, []string{project}, w.asks(w.dir))
		w.write(config.LocalFile, "---\nmemory_notes_enabled: true\n---\n")
		require.Empty(t, w.asks(w.dir), "the user has decided")
		require.True(t, w.load(w.dir).Notes)
	}
}

// No link, no letter case and no folder of its own makes a file that comes with a clone the user's own.
func TestTheRepositorysFilesDoNotPassForTheUsers(t *testing.T) {
	w := newWorld(t, true)
	w.write("other/whence.local.md", "---\n"+silent+"---\n")
	if err := os.Symlink("other", filepath.Join(w.dir, ".claude")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	w.write("sub/"+config.LocalFile, silent)
	w.git("add", "-A")
	require.Len(t, w.asks(w.dir), 1)
	require.Len(t, w.asks(filepath.Join(w.dir, "sub")), 1)

	w = newWorld(t, true)
	w.write(config.LocalFile, silent)
	w.git("add", "-A")
	w.git("mv", config.LocalFile, ".claude/Whence.local.MD")
	w.write(config.LocalFile, silent) // as a system does that takes both names for one
	require.Len(t, w.asks(w.dir), 1)

	require.NoError(t, os.WriteFile(filepath.Join(w.dir, ".git", "index"), []byte("DIRC damaged"), 0o600))
	require.Len(t, w.asks(w.dir), 1, "if git cannot say, it is not the user's own")
}

// A file that comes with a submodule, without an index, in a folder below the root or outside any repository is not the
// user's own either.
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
	w.write(config.LocalFile, silent)
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "all")
	bare := filepath.Join(t.TempDir(), "bare")
	w.git("clone", "-q", "--no-checkout", w.dir, bare)
	require.NoError(t, os.Mkdir(filepath.Join(bare, ".claude"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(bare, config.LocalFile), []byte(silent), 0o600))
	require.Len(t, w.asks(bare), 1)

	w = newWorld(t, true)
	w.write("node_modules/x/"+config.LocalFile, silent)
	require.Len(t, w.asks(filepath.Join(w.dir, "node_modules", "x")), 1)

	w = newWorld(t, false)
	w.write(config.LocalFile, silent)
	require.Len(t, w.asks(w.dir), 1)
}

// A folder with settings of its own may only ask for less than the folders that hold it in the same repository.
func TestAFolderMayOnlyAskForLess(t *testing.T) {
	w := newWorld(t, true)
	w.write(config.LocalFile, "memory_turn_capture: false\nmemory_notes_enabled: true\n")
	w.write(config.ProjectFile, "memory_model_capture_mode: off\nindex: top.md\n")
	w.write("pkg/"+config.ProjectFile, "memory_turn_capture: true\nmemory_model_capture_mode: ask-first\n")
	w.write("pkg/deep/"+config.DefaultIndex, "")
	for _, dir := range []string{"pkg", "pkg/deep"} {
		c := w.load(filepath.Join(w.dir, dir))
		require.Equal(t, []any{false, "off", true, config.DefaultIndex}, []any{c.TurnCapture, c.CaptureMode, c.Notes, c.Index}, dir)
	}
	require.Len(t, w.asks(filepath.Join(w.dir, "pkg")), 2)
	w.write(config.ProjectFile, "memory-turn-capture: false\n")
	require.NoError(t, os.Remove(filepath.Join(w.dir, config.LocalFile)))
	tree, err := worktree.Open(filepath.Join(w.dir, "pkg", "deep"))
	require.NoError(t, err)
	defer tree.Close()
	c, err := config.Load(tree, func(string) string { return "" })
	require.ErrorContains(t, err, "did you mean memory_turn_capture?")
	require.False(t, c.TurnCapture)
	w.write("other/x", "")
	outer := w.dir
	w.dir = filepath.Join(w.dir, "other")
	w.git("init", "-q")
	require.True(t, w.load(w.dir).TurnCapture, "another repository in "+outer)
}

// A linked worktree without a local file uses that of the main worktree.
func TestTheLocalFileOfALinkedWorktree(t *testing.T) {
	w := newWorld(t, true)
	w.write("x", "x")
	w.git("add", "x")
	w.git("commit", "-q", "-m", "all")
	linked := filepath.Join(t.TempDir(), "linked")
	w.git("worktree", "add", "-q", linked)
	w.write(config.LocalFile, "---\n"+silent+"memory_turn_capture: false\n---\n")
	require.Equal(t, []any{"silent", false}, []any{w.load(linked).CaptureMode, w.load(linked).TurnCapture})

	require.NoError(t, os.MkdirAll(filepath.Join(linked, ".claude"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(linked, config.LocalFile), []byte("memory_notes_enabled: true\n"), 0o600))
	require.Equal(t, []any{"ask-first", true, true}, []any{w.load(linked).CaptureMode, w.load(linked).TurnCapture, w.load(linked).Notes}, "its own goes first")
	git := w.dir
	w.dir = linked
	w.git("add", "-A")
	w.dir = git
	require.Equal(t, []any{"silent", false, false}, []any{w.load(linked).CaptureMode, w.load(linked).TurnCapture, w.load(linked).Notes}, "it comes with a branch")
	w.dir = linked
	w.git("rm", "-q", "-f", config.LocalFile)
	w.dir = git
	w.git("add", "-A")
	require.Equal(t, []string{isLocal}, w.asks(linked), "git tracks it there")
	require.False(t, w.load(linked).TurnCapture)

	require.NoError(t, os.Rename(w.dir, w.dir+".moved"))
	tree, err := worktree.Open(linked)
	require.NoError(t, err)
	defer tree.Close()
	c, err := config.Load(tree, func(string) string { return "" })
	require.ErrorContains(t, err, "settings in .claude/whence.local.md: ")
	require.False(t, c.TurnCapture, "it may say so in the main worktree")
}

// A folder whose .git names a repository of the user's gets no settings of that repository.
func TestAGitFileOfAnotherGetsNoSettings(t *testing.T) {
	w := newWorld(t, true)
	w.write(config.LocalFile, silent)
	w.git("commit", "-q", "--allow-empty", "-m", "all")
	w.git("worktree", "add", "-q", filepath.Join(t.TempDir(), "linked"))
	inside, err := filepath.Glob(filepath.Join(w.dir, ".git", "worktrees", "*"))
	require.NoError(t, err)
	require.Len(t, inside, 1)
	for _, target := range []string{filepath.Join(w.dir, ".git"), inside[0]} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+target+"\n"), 0o600))
		require.Equal(t, "ask-first", w.load(dir).CaptureMode, target)
	}
}
