package repo_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

// read returns a staged file of the repository that is found for a folder.
func read(t *testing.T, dir, cwd, name string, env map[string]string) string {
	t.Helper()
	text, err := fs.ReadFile(staged(t, dir, func(v string) string { return env[v] }), name)
	require.NoError(t, err)
	return string(text)
}

func realPath(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(path)
	require.NoError(t, err)
	return path
}

// GIT_DIR and GIT_WORK_TREE, which git sets for hooks, name no other repository than the one of the folder.
func TestTheEnvironmentNamesNoRepository(t *testing.T) {
	dir, other := start(t), start(t)
	write(t, other, "a.md", "of the other one\n")
	git(t, other, "add", "a.md")
	env := map[string]string{"GIT_DIR": filepath.Join(other, ".git"), "GIT_WORK_TREE": other}
	require.Equal(t, "a.md\n", read(t, dir, dir, "a.md", env))
	require.Equal(t, "of the other one\n", read(t, other, other, "a.md", env))
}

// uses makes git itself read and write a repository that start created.
func uses(t *testing.T, r *repo.Repository) {
	t.Helper()
	for name, want := range map[string]bool{"other/e.txt": false, "notes/b.md": true} {
		dirty, err := r.Dirty(filepath.Join(r.Root, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Equal(t, want, dirty, name)
	}
	_, files := r.Recent(t.Context(), 10)
	require.Contains(t, files, "notes/b.md")
	tree, err := r.Staged()
	require.NoError(t, err)
	require.NoError(t, r.Stage(tree, map[string][]byte{"a.md": []byte("new\n")}))
	tree, err = r.Staged()
	require.NoError(t, err)
	text, err := fs.ReadFile(tree, "a.md")
	require.NoError(t, err)
	require.Equal(t, "new\n", string(text))
}

func TestConfiguredWorktree(t *testing.T) {
	dir := start(t)
	write(t, dir, "settings/notes.md", "x\n")
	require.NoError(t, os.Rename(filepath.Join(dir, ".git"), filepath.Join(dir, "settings", ".git")))
	settings := filepath.Join(dir, "settings")
	git(t, settings, "config", "core.worktree", "../..")
	r, err := repo.Open(settings, settings, none)
	require.NoError(t, err)
	require.Equal(t, realPath(t, dir), r.Root)
	name, err := r.Rel(settings)
	require.NoError(t, err)
	require.Equal(t, "settings", name)
	require.Equal(t, "staged\n", read(t, settings, settings, "notes/b.md", nil))
	git(t, settings, "update-index", "--skip-worktree", "../a.md")
	uses(t, r)
	require.Contains(t, git(t, settings, "ls-files", "-v", "--full-name", ":/"), "S a.md\n")

	write(t, settings, ".git/config", "[only.git]\n\treads = this\n[core]\n\trepositoryformatversion = 0\n\tworktree = ../../gone\n")
	_, err = repo.Open(settings, settings, none)
	require.ErrorContains(t, err, "worktree of")
}

// The error for a .git file that leads nowhere names the file and its target: the repository was moved or removed.
func TestDanglingGitFile(t *testing.T) {
	main := realPath(t, start(t))
	linked := filepath.Join(realPath(t, t.TempDir()), "linked")
	git(t, main, "worktree", "add", "-q", linked)
	moved := main + "-moved"
	require.NoError(t, os.Rename(main, moved))
	_, err := repo.Open(filepath.Join(linked, "notes"), linked, none)
	var refused *repo.RefusedError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, linked, refused.Dir)
	require.ErrorContains(t, err, filepath.Join(linked, ".git")+" names the git directory "+filepath.Join(main, ".git", "worktrees", "linked")+", which is missing or damaged: if the repository was moved, run git worktree repair "+linked)
	require.NotContains(t, err.Error(), "trust")
	git(t, moved, "worktree", "repair", linked)
	require.Equal(t, "a.md\n", read(t, linked, linked, "a.md", nil))

	// git has forgotten it, so that repair does not help
	aside := linked + "-aside"
	require.NoError(t, os.Rename(linked, aside))
	git(t, moved, "worktree", "prune")
	require.NoError(t, os.Rename(aside, linked))
	_, err = repo.Open(linked, linked, none)
	require.ErrorContains(t, err, filepath.Join(moved, ".git", "worktrees", "linked")+", which is missing or damaged: ")
	require.ErrorContains(t, err, "else move "+linked+" away, recreate it there (git worktree add "+filepath.ToSlash(linked)+", or ")
	require.NoError(t, os.Rename(linked, aside))
	git(t, aside+"/..", "-C", filepath.Join(moved, ".git"), "worktree", "add", "-f", linked)
	require.Equal(t, "a.md\n", read(t, linked, linked, "a.md", nil))

	// a submodule
	outer := realPath(t, start(t))
	git(t, outer, "submodule", "--quiet", "add", moved, "sub")
	require.NoError(t, os.RemoveAll(filepath.Join(outer, ".git", "modules")))
	sub := filepath.Join(outer, "sub")
	_, err = repo.Open(sub, sub, none)
	require.ErrorContains(t, err, filepath.Join(outer, ".git", "modules", "sub")+", which is missing or damaged: ")
	require.ErrorContains(t, err, "or git submodule update --init "+filepath.ToSlash(sub)+"), and copy")
	require.NoError(t, os.Rename(sub, sub+"-aside"))
	git(t, outer, "-C", outer, "submodule", "--quiet", "update", "--init", sub)
	require.Equal(t, "a.md\n", read(t, sub, sub, "a.md", nil))
}

// A worktree that is linked to a bare repository works like any other.
func TestBare(t *testing.T) {
	bare := filepath.Join(t.TempDir(), "bare.git")
	git(t, t.TempDir(), "clone", "-q", "--bare", start(t), bare)
	_, err := repo.Open(bare, bare, none)
	require.ErrorContains(t, err, "bare.git is a bare repository, without a worktree: run in a clone of it")
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, bare, "worktree", "add", "-q", linked, "main")
	require.Equal(t, "a.md\n", read(t, linked, linked, "a.md", nil))

	hidden := start(t)
	git(t, hidden, "config", "core.bare", "true")
	_, err = repo.Open(hidden, hidden, none)
	require.ErrorContains(t, err, "is a bare repository")
}

// A broken index is an error until git has written a new one.
func TestBrokenIndex(t *testing.T) {
	for _, text := range []string{"", "DIRC", "DIRX and much more that is no index", "DIRC\x00\x00\x00\x02\x00\x00\x00\x09and much more that is no index"} {
		dir := start(t)
		name := filepath.Join(realPath(t, dir), ".git", "index")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		r, err := repo.Open(dir, dir, none)
		require.NoError(t, err)
		_, err = r.Staged()
		require.ErrorContains(t, err, "read what is staged: git diff-index: ", "%q", text)
		require.NoError(t, os.Rename(name, name+".broken"))
		git(t, dir, "reset", "-q")
		require.Equal(t, "notes/b.md\n", read(t, dir, dir, "notes/b.md", nil))
		unstaged, err := os.ReadFile(filepath.Join(dir, "notes", "b.md"))
		require.NoError(t, err)
		require.Equal(t, "unstaged\n", string(unstaged))
	}
}
