package repo_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

// git runs a git command that must not fail, in a folder.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := tryGit(dir, args...)
	require.NoError(t, err, "git %s\n%s", strings.Join(args, " "), out)
	return out
}

func tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// start creates a repository with some committed files. One of them is staged again, and changed once more in the
// worktree.
func start(t *testing.T, init ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "r")
	require.NoError(t, os.Mkdir(dir, 0o755))
	git(t, dir, append([]string{"init", "-q", "-b", "main"}, init...)...)
	for _, name := range []string{"a.md", "notes/b.md", "notes/deep/c.md", "notes-d.md", "other/e.txt"} {
		write(t, dir, name, name+"\n")
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "start")
	write(t, dir, "notes/b.md", "staged\n")
	git(t, dir, "add", "notes/b.md")
	write(t, dir, "notes/b.md", "unstaged\n")
	return dir
}

func none(string) string { return "" }

func staged(t *testing.T, dir string, getenv func(string) string) *repo.Tree {
	t.Helper()
	r, err := repo.Open(dir, dir, getenv)
	require.NoError(t, err)
	tree, err := r.Staged()
	require.NoError(t, err)
	return tree
}

// repositories returns functions that create repositories: plain ones, and those that libraries fail to read.
func repositories() map[string]func(t *testing.T) string {
	return map[string]func(t *testing.T) string{
		"plain": func(t *testing.T) string { return start(t) },
		"packed": func(t *testing.T) string {
			dir := start(t)
			git(t, dir, "gc", "-q")
			return dir
		},
		"index version 4": func(t *testing.T) string {
			dir := start(t)
			git(t, dir, "update-index", "--index-version", "4")
			return dir
		},
		"split index": func(t *testing.T) string {
			dir := start(t)
			git(t, dir, "update-index", "--split-index")
			write(t, dir, "new.md", "new\n")
			git(t, dir, "add", "new.md")
			return dir
		},
		"sparse checkout": func(t *testing.T) string {
			dir := start(t)
			git(t, dir, "reset", "-q", "--hard")
			git(t, dir, "sparse-checkout", "set", "--cone", "notes")
			return dir
		},
		"sparse index": func(t *testing.T) string {
			dir := start(t)
			git(t, dir, "reset", "-q", "--hard")
			git(t, dir, "sparse-checkout", "set", "--cone", "--sparse-index", "notes")
			return dir
		},
		"sha256": func(t *testing.T) string { return start(t, "--object-format=sha256") },
		"alternates": func(t *testing.T) string {
			from := start(t)
			git(t, from, "commit", "-qam", "all")
			dir := filepath.Join(t.TempDir(), "shared")
			git(t, from, "clone", "-q", "--shared", from, dir)
			return dir
		},
		"linked worktree": func(t *testing.T) string {
			from := start(t)
			dir := filepath.Join(t.TempDir(), "linked")
			git(t, from, "worktree", "add", "-q", "-b", "side", dir)
			write(t, dir, "notes/b.md", "of the side\n")
			git(t, dir, "add", ".")
			return dir
		},
		"submodule": func(t *testing.T) string {
			from := start(t)
			git(t, from, "commit", "-qam", "all")
			outer := start(t)
			git(t, outer, "submodule", "--quiet", "add", from, "sub")
			write(t, outer, "sub/a.md", "in the submodule\n")
			git(t, filepath.Join(outer, "sub"), "add", ".")
			return filepath.Join(outer, "sub")
		},
		"around a submodule": func(t *testing.T) string {
			from := start(t)
			git(t, from, "commit", "-qam", "all")
			outer := start(t)
			git(t, outer, "submodule", "--quiet", "add", from, "sub")
			return outer
		},
		"partial clone": func(t *testing.T) string {
			from := start(t)
			git(t, from, "commit", "-qam", "all")
			git(t, from, "config", "uploadpack.allowFilter", "true")
			dir := filepath.Join(t.TempDir(), "partial")
			git(t, from, "clone", "-q", "--filter=blob:none", "file://"+filepath.ToSlash(from), dir)
			return dir
		},
		"shallow clone": func(t *testing.T) string {
			from := start(t)
			git(t, from, "commit", "-qam", "all")
			dir := filepath.Join(t.TempDir(), "shallow")
			git(t, from, "clone", "-q", "--depth=1", "file://"+filepath.ToSlash(from), dir)
			return dir
		},
		"no checksum": func(t *testing.T) string { // index.skipHash, of git 2.40
			dir := start(t)
			name := filepath.Join(dir, ".git", "index")
			index, err := os.ReadFile(name)
			require.NoError(t, err)
			copy(index[len(index)-20:], make([]byte, 20))
			require.NoError(t, os.WriteFile(name, index, 0o644))
			return dir
		},
		"line end attributes": func(t *testing.T) string {
			dir := start(t)
			write(t, dir, ".gitattributes", "*.md text eol=crlf\n")
			write(t, dir, "a.md", "one\r\ntwo\r\n")
			git(t, dir, "add", ".")
			return dir
		},
		"worktree config": func(t *testing.T) string {
			dir := start(t)
			git(t, dir, "config", "core.repositoryFormatVersion", "1")
			git(t, dir, "config", "extensions.worktreeConfig", "true")
			return dir
		},
		"nothing staged": func(t *testing.T) string {
			dir := t.TempDir()
			git(t, dir, "init", "-q")
			return dir
		},
		"separate git dir": func(t *testing.T) string {
			dir := start(t, "--separate-git-dir", filepath.Join(t.TempDir(), "gitdir"))
			return dir
		},
		"partial clone without contents": func(t *testing.T) string {
			from := start(t)
			git(t, from, "commit", "-qam", "all")
			git(t, from, "config", "uploadpack.allowFilter", "true")
			dir := filepath.Join(t.TempDir(), "partial")
			git(t, from, "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+filepath.ToSlash(from), dir)
			git(t, dir, "read-tree", "HEAD")
			return dir
		},
		"linked worktree with settings of its own": func(t *testing.T) string {
			from := start(t)
			git(t, from, "pack-refs", "--all")
			git(t, from, "config", "extensions.worktreeConfig", "true")
			dir := filepath.Join(t.TempDir(), "linked")
			git(t, from, "worktree", "add", "-q", "-b", "side", dir)
			git(t, dir, "config", "--worktree", "core.autocrlf", "false")
			return dir
		},
		"unknown extension": func(t *testing.T) string {
			dir := start(t)
			git(t, dir, "config", "core.repositoryFormatVersion", "1")
			git(t, dir, "config", "extensions.preciousObjects", "true")
			return dir
		},
		"untracked cache": func(t *testing.T) string {
			dir := start(t)
			git(t, dir, "update-index", "--force-untracked-cache")
			git(t, dir, "status")
			return dir
		},
		"skipped in the worktree": func(t *testing.T) string {
			dir := start(t)
			git(t, dir, "update-index", "--skip-worktree", "a.md")
			write(t, dir, "a.md", "not looked at\n")
			return dir
		},
		"many files": func(t *testing.T) string {
			dir := start(t)
			git(t, dir, "config", "feature.manyFiles", "true")
			write(t, dir, "new.md", "new\n")
			git(t, dir, "add", "new.md")
			return dir
		},
		"packed refs": func(t *testing.T) string {
			dir := start(t)
			git(t, dir, "commit", "-qm", "x")
			git(t, dir, "pack-refs", "--all")
			return dir
		},
		"reftable": func(t *testing.T) string {
			if out, err := tryGit(t.TempDir(), "init", "-q", "--ref-format=reftable", "r"); err != nil {
				t.Skip("this git knows no reftable: ", out)
			}
			return start(t, "--ref-format=reftable")
		},
		"filters": func(t *testing.T) string {
			dir := start(t)
			git(t, dir, "config", "filter.upper.clean", "tr a-z A-Z")
			write(t, dir, ".gitattributes", "a.md filter=upper\nnotes/*.md ident\n")
			write(t, dir, "a.md", "small\n")
			write(t, dir, "notes/b.md", "$Id: of before $\n")
			git(t, dir, "add", ".")
			return dir
		},
	}
}

// The staged tree, the tree of the last commit and their differences agree with git.
func TestTreesAreWhatGitSays(t *testing.T) {
	for name, prepare := range repositories() {
		t.Run(name, func(t *testing.T) {
			dir := prepare(t)
			r, err := repo.Open(dir, dir, none)
			require.NoError(t, err)
			tree, err := r.Staged()
			require.NoError(t, err)
			require.Equal(t, listed(t, dir, ":", "ls-files", "-s", "-z"), contents(t, tree))
			head, err := r.Head()
			require.NoError(t, err)
			var want []string
			if _, err := tryGit(dir, "rev-parse", "-q", "--verify", "HEAD"); err == nil {
				require.Equal(t, listed(t, dir, "HEAD:", "ls-tree", "-r", "-z", "HEAD"), contents(t, head))
				want = diffed(git(t, dir, "diff", "--cached", "--no-renames", "--name-only", "-z", "HEAD"))
			} else {
				require.Empty(t, contents(t, head))
			}
			require.Equal(t, want, tree.Changed(head))
		})
	}
}

// listed returns the contents of the files that a git command lists.
func listed(t *testing.T, dir, from string, command ...string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for line := range strings.SplitSeq(git(t, dir, command...), "\x00") {
		if head, path, found := strings.Cut(line, "\t"); found && !strings.HasPrefix(head, "160000") {
			files[path] = git(t, dir, "show", from+path)
		}
	}
	return files
}

// contents returns the contents of all files in a tree.
func contents(t *testing.T, tree *repo.Tree) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(tree, path)
		files[path] = string(text)
		return err
	}))
	return files
}

// diffed reads a list of names.
func diffed(out string) (names []string) {
	for name := range strings.SplitSeq(out, "\x00") {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// The index of an ordinary repository is read in this process, without git.
func TestReadingWithoutGit(t *testing.T) {
	all := repositories()
	for _, name := range []string{"plain", "packed", "packed refs", "index version 4", "linked worktree", "submodule", "alternates", "untracked cache"} {
		t.Run(name, func(t *testing.T) {
			dir := all[name](t)
			want := listed(t, dir, ":", "ls-files", "-s", "-z")
			t.Setenv("PATH", t.TempDir())
			r, err := repo.Open(dir, dir, none)
			require.NoError(t, err)
			tree, err := r.Staged()
			require.NoError(t, err)
			require.Equal(t, want, contents(t, tree))
		})
	}
}

// A file that "git add -N" announces is not about to be committed, whether go-git or git reads the index.
func TestIntentToAdd(t *testing.T) {
	for _, way := range []string{"--no-split-index", "--split-index", "--index-version=4"} {
		dir := start(t)
		write(t, dir, "announced.md", "text\n")
		git(t, dir, "add", "-N", "announced.md")
		write(t, dir, "empty.md", "")
		git(t, dir, "add", "empty.md")
		git(t, dir, "update-index", way)
		tree := staged(t, dir, none)
		_, err := fs.Stat(tree, "announced.md")
		require.ErrorIs(t, err, fs.ErrNotExist, way)
		_, err = fs.Stat(tree, "empty.md")
		require.NoError(t, err, way)
	}
}

func TestConflict(t *testing.T) {
	dir := start(t)
	git(t, dir, "reset", "-q", "--hard")
	git(t, dir, "checkout", "-qb", "left")
	write(t, dir, "a.md", "left\n")
	git(t, dir, "commit", "-qam", "left")
	git(t, dir, "checkout", "-qb", "right", "HEAD~1")
	write(t, dir, "a.md", "right\n")
	git(t, dir, "commit", "-qam", "right")
	_, err := tryGit(dir, "merge", "left")
	require.Error(t, err)
	tree := staged(t, dir, none)
	_, err = fs.ReadFile(tree, "a.md")
	require.ErrorContains(t, err, "has a merge conflict")
	text, err := fs.ReadFile(tree, "notes/b.md")
	require.NoError(t, err)
	require.Equal(t, "notes/b.md\n", string(text))
}

// A link is not followed, and nothing can be staged under its name.
func TestLinks(t *testing.T) {
	dir := start(t)
	for name, target := range map[string]string{"link.md": "notes/b.md", "folder": "notes", "out.md": "../out.md", "gone.md": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
		git(t, dir, "add", name)
	}
	before := git(t, dir, "ls-files", "-s")
	r, err := repo.Open(dir, dir, none)
	require.NoError(t, err)
	tree, err := r.Staged()
	require.NoError(t, err)
	for _, name := range []string{"link.md", "folder", "out.md", "gone.md"} {
		_, err := fs.ReadFile(tree, name)
		require.ErrorContains(t, err, "symbolic link", name)
		info, err := fs.Stat(tree, name)
		require.NoError(t, err)
		require.Equal(t, fs.ModeSymlink, info.Mode().Type(), name)
		require.ErrorContains(t, r.Stage(tree, map[string][]byte{name: []byte("x\n")}), "a link", name)
		_, err = fs.Stat(tree.WithoutLinks(), name)
		require.ErrorIs(t, err, fs.ErrNotExist, name)
	}
	_, err = fs.ReadFile(tree, "folder/b.md")
	require.ErrorIs(t, err, fs.ErrNotExist)
	info, err := fs.Stat(tree, "folder/b.md")
	require.NoError(t, err, "it may be there")
	require.Equal(t, fs.ModeSymlink, info.Mode().Type())
	require.ErrorContains(t, r.Stage(tree, map[string][]byte{"notes": nil}), "a folder")
	require.ErrorIs(t, r.Stage(tree, map[string][]byte{"folder/b.md": nil}), fs.ErrNotExist)
	require.Equal(t, before, git(t, dir, "ls-files", "-s"))
}

// The index that the environment of a hook names counts only for the repository of the hook.
func TestEnvironment(t *testing.T) {
	dir, other := start(t), start(t)
	index, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
	require.NoError(t, err)
	git(t, dir, "reset", "-q", "--hard")
	for _, name := range []string{"absolute", "relative"} {
		path := filepath.Join(dir, ".git", "next-index-1.lock")
		require.NoError(t, os.WriteFile(path, index, 0o644))
		if name == "relative" {
			path = ".git/next-index-1.lock"
		}
		getenv := func(v string) string { return map[string]string{"GIT_INDEX_FILE": path}[v] }
		text, err := fs.ReadFile(staged(t, dir, getenv), "notes/b.md")
		require.NoError(t, err)
		require.Equal(t, "staged\n", string(text), name)

		r, err := repo.Open(dir, dir, getenv)
		require.NoError(t, err)
		require.True(t, r.PartialCommit())
		r, err = repo.Open(other, dir, getenv)
		require.NoError(t, err)
		require.Equal(t, filepath.Join(r.GitDir, "index"), r.IndexFile)
		require.False(t, r.PartialCommit())
	}
}

// In every kind of repository, Stage stages exactly the new content, and keeps the mode. Nothing else in the index
// changes, and nothing in the worktree.
func TestStage(t *testing.T) {
	for name, prepare := range repositories() {
		t.Run(name, func(t *testing.T) {
			dir := prepare(t)
			r, err := repo.Open(dir, dir, none)
			require.NoError(t, err)
			if _, err := tryGit(dir, "ls-files", "--error-unmatch", "a.md"); err != nil {
				tree, err := r.Staged()
				require.NoError(t, err)
				require.ErrorIs(t, r.Stage(tree, map[string][]byte{"a.md": nil}), fs.ErrNotExist)
				return
			}
			_, _ = tryGit(dir, "update-index", "--chmod=+x", "a.md") // it may not be in the worktree
			before := git(t, dir, "ls-files", "-s")
			flags := git(t, dir, "ls-files", "-v")
			unstaged := git(t, dir, "diff", "--name-only")
			copies, err := os.ReadFile(filepath.Join(dir, "a.md"))
			tree, err2 := r.Staged()
			require.NoError(t, err2)
			require.NoError(t, r.Stage(tree, map[string][]byte{"a.md": []byte("new\n"), "notes/deep/c.md": []byte("ü\r\n"), "other/e.txt": []byte("x")}))
			require.Equal(t, "new\n", git(t, dir, "show", ":a.md"))
			require.Equal(t, "ü\r\n", git(t, dir, "show", ":notes/deep/c.md"))
			require.Equal(t, "x", git(t, dir, "show", ":other/e.txt"))
			after := git(t, dir, "ls-files", "-s")
			require.Equal(t, strings.Contains(before, "100755"), strings.Contains(after, "100755"))
			require.Equal(t, lines(before, "a.md", "c.md", "e.txt"), lines(after, "a.md", "c.md", "e.txt"))
			require.Equal(t, flags, git(t, dir, "ls-files", "-v"))
			now, errNow := os.ReadFile(filepath.Join(dir, "a.md"))
			require.Equal(t, copies, now)
			require.Equal(t, err, errNow)

			// git sees that the copies in the worktree differ, and which are not to be there
			for _, path := range []string{"a.md", "notes/deep/c.md", "other/e.txt"} {
				_, err := os.Stat(filepath.Join(dir, path))
				skipped := strings.Contains(flags, "S "+path+"\n")
				unstagedNow := git(t, dir, "diff", "--name-only")
				require.Equal(t, err == nil && !skipped || strings.Contains(unstaged, path), strings.Contains(unstagedNow, path), path)
			}
			require.Error(t, r.Stage(tree, map[string][]byte{"unknown.md": nil}))
		})
	}
}

// Stage respects git's lock on the index, and does not resolve conflicts.
func TestStageIsRefused(t *testing.T) {
	dir := start(t)
	r, err := repo.Open(dir, dir, none)
	require.NoError(t, err)
	tree, err := r.Staged()
	require.NoError(t, err)
	before := git(t, dir, "ls-files", "-s")
	lock := filepath.Join(dir, ".git", "index.lock")
	require.NoError(t, os.WriteFile(lock, nil, 0o644))
	require.ErrorContains(t, r.Stage(tree, map[string][]byte{"a.md": []byte("new\n")}), "index.lock")
	require.NoError(t, os.Remove(lock))
	require.Equal(t, before, git(t, dir, "ls-files", "-s"))

	git(t, dir, "reset", "-q", "--hard")
	git(t, dir, "checkout", "-qb", "left")
	write(t, dir, "a.md", "left\n")
	git(t, dir, "commit", "-qam", "left")
	git(t, dir, "checkout", "-qb", "right", "HEAD~1")
	write(t, dir, "a.md", "right\n")
	git(t, dir, "commit", "-qam", "right")
	_, err = tryGit(dir, "merge", "left")
	require.Error(t, err)
	tree, err = r.Staged()
	require.NoError(t, err)
	before = git(t, dir, "ls-files", "-s")
	require.ErrorContains(t, r.Stage(tree, map[string][]byte{"a.md": []byte("new\n")}), "has a merge conflict")
	require.Equal(t, before, git(t, dir, "ls-files", "-s"))
}

// lines returns the lines of a text that do not end with certain names.
func lines(text string, without ...string) string {
	var kept bytes.Buffer
next:
	for line := range strings.Lines(text) {
		for _, name := range without {
			if strings.HasSuffix(line, name+"\n") {
				continue next
			}
		}
		kept.WriteString(line)
	}
	return kept.String()
}
