package repo_test

import (
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever the repository, a file is as long as Stat says before it was read, and after.
func TestStatSaysHowLongAFileIs(t *testing.T) {
	all := repositories()
	delete(all, "partial clone without contents") // see below
	all["packed as deltas"] = func(t *testing.T) string {
		dir := start(t)
		text := noise(2 << 20)
		for i := range 2 {
			write(t, dir, "large.md", text+strings.Repeat("more\n", i))
			git(t, dir, "add", ".")
			git(t, dir, "commit", "-qm", "x")
		}
		write(t, dir, "shorter.md", text)
		git(t, dir, "add", ".")
		git(t, dir, "commit", "-qm", "x")
		git(t, dir, "repack", "-adfq", "--depth=50")
		packs, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "*.idx"))
		require.NoError(t, err)
		require.Contains(t, git(t, dir, append([]string{"verify-pack", "-s"}, packs...)...), "chain length = 1")
		return dir
	}
	files := 0
	for name, start := range all {
		t.Run(name, func(t *testing.T) {
			dir := start(t)
			require.NoError(t, fs.WalkDir(staged(t, dir, none), ".", func(path string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() {
					return err
				}
				files++
				tree := staged(t, dir, none) // nothing of it has been read
				before, err := fs.Stat(tree, path)
				require.NoError(t, err)
				text, err := fs.ReadFile(tree, path)
				require.NoError(t, err)
				after, err := fs.Stat(tree, path)
				require.NoError(t, err)
				require.Equal(t, int64(len(text)), before.Size(), path)
				require.Equal(t, before, after)
				return nil
			}))
		})
	}
	require.Greater(t, files, len(all))
}

// noise is text that does not get much shorter by compression.
func noise(n int) string {
	random := rand.New(rand.NewSource(1))
	text := make([]byte, n)
	for i := range text {
		text[i] = "abcdefghijklmnopqrstuvwxyz \n"[random.Intn(28)]
	}
	return string(text)
}

// Of a large file only the header is read: an object that breaks off behind it has a size
// all the same.
func TestStatDoesNotReadALargeFile(t *testing.T) {
	dir := start(t)
	write(t, dir, "large.md", noise(2<<20))
	git(t, dir, "add", "large.md")
	hash := strings.TrimSpace(git(t, dir, "rev-parse", ":large.md"))
	object := filepath.Join(dir, ".git", "objects", hash[:2], hash[2:])
	src, err := os.ReadFile(object)
	require.NoError(t, err)
	require.NoError(t, os.Chmod(object, 0o644))
	require.NoError(t, os.WriteFile(object, src[:len(src)/2], 0o644))
	tree := staged(t, dir, none)
	info, err := fs.Stat(tree, "large.md")
	require.NoError(t, err)
	require.Equal(t, int64(2<<20), info.Size())
	_, err = fs.ReadFile(tree, "large.md")
	require.Error(t, err)
}

// A partial clone may lack a staged file. Nothing is fetched for it, and the error says what
// fetches it.
func TestMissingContents(t *testing.T) {
	dir := repositories()["partial clone without contents"](t)
	_, err := fs.ReadFile(staged(t, dir, none), "a.md")
	require.ErrorContains(t, err, "git cat-file: ")
	_, command, found := strings.Cut(err.Error(), "this may be missing from a partial clone: git ")
	require.True(t, found, err)
	command, _, _ = strings.Cut(command, " fetches it")
	git(t, dir, strings.Fields(command)...)
	text, err := fs.ReadFile(staged(t, dir, none), "a.md")
	require.NoError(t, err)
	require.Equal(t, "a.md\n", string(text))
}
