package repo_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

// read reads a staged file of the repository that is found for a folder.
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

// GIT_DIR and GIT_WORK_TREE go before the .git that lies in the folder, as in git; the
// repository of another folder is its own.
func TestNamedByTheEnvironment(t *testing.T) {
	dir, other := start(t), start(t)
	write(t, other, "a.md", "of the other one\n")
	git(t, other, "add", "a.md")
	otherDir := filepath.Join(other, ".git")
	relative, err := filepath.Rel(realPath(t, dir), realPath(t, otherDir))
	require.NoError(t, err)
	for _, named := range []string{otherDir, relative} {
		env := map[string]string{"GIT_DIR": named}
		r, err := repo.Open(dir, realPath(t, dir), func(v string) string { return env[v] })
		require.NoError(t, err)
		require.Equal(t, realPath(t, dir), r.Root)
		tree, err := r.Staged()
		require.NoError(t, err)
		text, err := fs.ReadFile(tree, "a.md")
		require.NoError(t, err)
		require.Equal(t, "of the other one\n", string(text))
	}
	env := map[string]string{"GIT_DIR": otherDir, "GIT_WORK_TREE": other}
	r, err := repo.Open(dir, dir, func(v string) string { return env[v] })
	require.NoError(t, err)
	require.Equal(t, realPath(t, other), r.Root)

	// a program that runs elsewhere, and works in dir
	r, err = repo.Open(dir, t.TempDir(), func(v string) string { return env[v] })
	require.NoError(t, err)
	require.Equal(t, realPath(t, dir), r.Root)
	require.Equal(t, filepath.Join(realPath(t, dir), ".git"), r.GitDir)

	// a hook in a folder below, where GIT_DIR names the repository that is there anyway
	env = map[string]string{"GIT_DIR": filepath.Join(dir, ".git")}
	below := filepath.Join(dir, "notes")
	r, err = repo.Open(below, below, func(v string) string { return env[v] })
	require.NoError(t, err)
	require.Equal(t, realPath(t, dir), r.Root)

	// a .git that is a file
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, dir, "worktree", "add", "-q", linked)
	env = map[string]string{"GIT_DIR": filepath.Join(linked, ".git")}
	r, err = repo.Open(linked, linked, func(v string) string { return env[v] })
	require.NoError(t, err)
	require.Equal(t, realPath(t, linked), r.Root)
	require.Equal(t, realPath(t, filepath.Join(dir, ".git")), realPath(t, r.CommonDir))

	// only the worktree named
	env = map[string]string{"GIT_WORK_TREE": other}
	r, err = repo.Open(dir, dir, func(v string) string { return env[v] })
	require.NoError(t, err)
	require.Equal(t, realPath(t, other), r.Root)
	require.Equal(t, filepath.Join(realPath(t, dir), ".git"), r.GitDir)

	env = map[string]string{"GIT_DIR": filepath.Join(dir, "notes")}
	_, err = repo.Open(dir, dir, func(v string) string { return env[v] })
	require.ErrorIs(t, err, repo.ErrNoRepository)
	require.ErrorContains(t, err, "GIT_DIR=")
}

// uses has git itself read and write a repository that start has made.
func uses(t *testing.T, r *repo.Repository) {
	t.Helper()
	for name, want := range map[string]bool{"other/e.txt": false, "notes/b.md": true} {
		dirty, err := r.Dirty(t.Context(), filepath.Join(r.Root, filepath.FromSlash(name)))
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

// Git commands work on the repository that the environment names, by whatever path.
func TestCommandsInANamedRepository(t *testing.T) {
	dir := start(t)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	require.NoError(t, os.Rename(filepath.Join(dir, ".git"), elsewhere))
	relative, err := filepath.Rel(realPath(t, dir), realPath(t, elsewhere))
	require.NoError(t, err)
	below := filepath.Join(realPath(t, dir), "notes")
	for _, c := range []struct {
		cwd string
		env map[string]string
	}{
		{dir, map[string]string{"GIT_DIR": elsewhere}},
		{dir, map[string]string{"GIT_DIR": relative}},
		{dir, map[string]string{"GIT_DIR": relative, "GIT_WORK_TREE": "."}},
		{below, map[string]string{"GIT_DIR": filepath.Join("..", relative), "GIT_WORK_TREE": ".."}},
		{dir, map[string]string{"GIT_DIR": elsewhere, "GIT_WORK_TREE": dir, "GIT_INDEX_FILE": filepath.Join(elsewhere, "index")}},
	} {
		r, err := repo.Open(c.cwd, realPath(t, c.cwd), func(name string) string { return c.env[name] })
		require.NoError(t, err)
		require.Equal(t, realPath(t, dir), r.Root)
		uses(t, r)
	}

	// a work tree of the environment, with the repository that is found
	found := t.TempDir()
	require.NoError(t, os.Rename(elsewhere, filepath.Join(found, ".git")))
	r, err := repo.Open(found, found, func(name string) string { return map[string]string{"GIT_WORK_TREE": dir}[name] })
	require.NoError(t, err)
	require.Equal(t, realPath(t, dir), r.Root)
	uses(t, r)
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

	git(t, settings, "config", "core.worktree", "../../gone")
	_, err = repo.Open(settings, settings, none)
	require.ErrorContains(t, err, "worktree of")
}

// A .git file that leads nowhere is named with what it names: its repository was moved or removed.
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
	require.ErrorContains(t, err, filepath.Join(linked, ".git")+" names the git directory "+filepath.Join(main, ".git", "worktrees", "linked")+", which is missing or damaged: if the repository was moved, run ")
	require.NotContains(t, err.Error(), "trust")
	require.ErrorContains(t, err, "git worktree repair "+linked)
	git(t, moved, "worktree", "repair", linked)
	require.Equal(t, "a.md\n", read(t, linked, linked, "a.md", nil))

	// git has forgotten it, so that repair does not help
	aside := linked + "-aside"
	require.NoError(t, os.Rename(linked, aside))
	git(t, moved, "worktree", "prune")
	require.NoError(t, os.Rename(aside, linked))
	_, err = repo.Open(linked, linked, none)
	require.ErrorContains(t, err, filepath.Join(moved, ".git", "worktrees", "linked")+", which is missing or damaged: ")
	require.ErrorContains(t, err, "else move "+linked+" away, run git worktree add "+filepath.ToSlash(linked)+" in the repository, and copy")
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
	require.ErrorContains(t, err, "move "+sub+" away and clone it again (a submodule with git submodule update --init "+filepath.ToSlash(sub)+")")
	require.NoError(t, os.Rename(sub, sub+"-aside"))
	git(t, outer, "-C", outer, "submodule", "--quiet", "update", "--init", sub)
	require.Equal(t, "a.md\n", read(t, sub, sub, "a.md", nil))
}

// A worktree that is linked to a bare repository is one like any other.
func TestBare(t *testing.T) {
	bare := filepath.Join(t.TempDir(), "bare.git")
	git(t, t.TempDir(), "clone", "-q", "--bare", start(t), bare)
	for _, at := range []string{bare, filepath.Join(bare, "refs")} {
		_, err := repo.Open(at, at, none)
		require.ErrorContains(t, err, "bare.git is a bare repository, without a worktree: run in a clone of it")
	}
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, bare, "worktree", "add", "-q", linked, "main")
	require.Equal(t, "a.md\n", read(t, linked, linked, "a.md", nil))

	hidden := start(t)
	git(t, hidden, "config", "core.bare", "true")
	_, err := repo.Open(hidden, hidden, none)
	require.ErrorContains(t, err, "is a bare repository")
	env := map[string]string{"GIT_WORK_TREE": hidden}
	_, err = repo.Open(hidden, hidden, func(v string) string { return env[v] })
	require.NoError(t, err)
}

// A broken index is named, with what helps.
func TestBrokenIndex(t *testing.T) {
	for _, text := range []string{"", "DIRC", "DIRX and much more that is no index", "DIRC\x00\x00\x00\x02\x00\x00\x00\x09and much more that is no index"} {
		dir := start(t)
		name := filepath.Join(realPath(t, dir), ".git", "index")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		r, err := repo.Open(dir, dir, none)
		require.NoError(t, err)
		_, err = r.Staged()
		require.ErrorContains(t, err, "read what is staged: git diff-index: ", "%q", text)
		require.ErrorContains(t, err, "move "+name+" away and run git reset")
		require.NoError(t, os.Rename(name, name+".broken"))
		git(t, dir, "reset", "-q")
		require.Equal(t, "notes/b.md\n", read(t, dir, dir, "notes/b.md", nil))
		unstaged, err := os.ReadFile(filepath.Join(dir, "notes", "b.md"))
		require.NoError(t, err)
		require.Equal(t, "unstaged\n", string(unstaged))
	}
}
