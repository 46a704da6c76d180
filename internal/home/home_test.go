package home_test

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"whence/internal/home"

	"github.com/stretchr/testify/require"
)

// environment returns the variables of a process.
func environment(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

// A folder that a variable names counts once a command that the user typed has used it. Until then nothing is stored in
// the default folder instead.
func TestAFolderThatAVariableNames(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		variables map[string]string
		want      string
	}{
		"WHENCE_HOME":   {map[string]string{"WHENCE_HOME": filepath.Join(dir, "own")}, filepath.Join(dir, "own")},
		"XDG_DATA_HOME": {map[string]string{"XDG_DATA_HOME": filepath.Join(dir, "data")}, filepath.Join(dir, "data", "whence")},
		"HOME":          {map[string]string{"HOME": filepath.Join(dir, "ann")}, filepath.Join(dir, "ann", ".local", "share", "whence")},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "HOME" && runtime.GOOS == "windows" {
				t.Skip("the user's home has no variable HOME")
			}
			getenv := environment(c.variables)
			_, err := home.Dir(getenv)
			var unclaimed *home.UnclaimedError
			require.ErrorAs(t, err, &unclaimed)
			require.Equal(t, home.UnclaimedError{Variable: name, Dir: c.want}, *unclaimed)
			require.NoDirExists(t, c.want, "asking makes nothing")
			place, variable, err := home.Place(getenv)
			require.NoError(t, err)
			require.Equal(t, []string{c.want, name}, []string{place, variable})

			for range 2 {
				got, err := home.Claim(getenv)
				require.NoError(t, err)
				require.Equal(t, c.want, got)
			}
			got, err := home.Dir(getenv)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
			if runtime.GOOS != "windows" {
				info, err := os.Stat(filepath.Join(c.want, "claimed"))
				require.NoError(t, err)
				require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
			}
			entries, err := os.ReadDir(c.want)
			require.NoError(t, err)
			require.Len(t, entries, 1)
		})
	}
}

// A marker that was copied with other files, as from an archive, is not valid.
func TestAMarkerOfAnotherFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a folder has no number")
	}
	dir := filepath.Join(t.TempDir(), "store")
	getenv := environment(map[string]string{"WHENCE_HOME": dir})
	_, err := home.Claim(getenv)
	require.NoError(t, err)
	require.NoError(t, os.Rename(dir, dir+".old"))
	require.NoError(t, os.CopyFS(dir, os.DirFS(dir+".old")))
	_, err = home.Dir(getenv)
	require.ErrorContains(t, err, "no command that you typed has used that folder yet")
}

// A variable may not name a folder in a work tree, even through links, or a relative one.
func TestFoldersThatNeverCount(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	tree := filepath.Join(dir, "tree")
	require.NoError(t, os.MkdirAll(filepath.Join(tree, ".git"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(tree, ".git", "HEAD"), nil, 0o644))
	linked := filepath.Join(dir, "linked")
	require.NoError(t, os.MkdirAll(linked, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(linked, ".git"), []byte("gitdir: /nowhere\n"), 0o644))
	empty := filepath.Join(dir, "empty") // as a sandbox leaves it
	require.NoError(t, os.MkdirAll(filepath.Join(empty, ".git"), 0o755))
	const inTree = "which is in a work tree"
	for name, c := range map[string]struct{ variable, value, want string }{
		"relative":             {"WHENCE_HOME", "store", `WHENCE_HOME names "store", which is relative`},
		"below":                {"WHENCE_HOME", filepath.Join(tree, "a", "b"), inTree},
		"the tree":             {"WHENCE_HOME", tree, inTree},
		"git's own folder":     {"WHENCE_HOME", filepath.Join(tree, ".git", "store"), inTree},
		"a linked worktree":    {"WHENCE_HOME", filepath.Join(linked, "store"), inTree},
		"a home in a tree":     {"HOME", tree, inTree},
		"a relative home":      {"HOME", "ann", "is relative"},
		"data in a tree":       {"XDG_DATA_HOME", tree, inTree},
		"by a link":            {"WHENCE_HOME", filepath.Join(dir, "link", "store"), inTree},
		"an empty .git is not": {"WHENCE_HOME", filepath.Join(empty, "store"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if c.variable == "HOME" && runtime.GOOS == "windows" {
				t.Skip("the user's home has no variable HOME")
			}
			if name == "by a link" {
				if err := os.Symlink(tree, filepath.Join(dir, "link")); err != nil {
					t.Skip("no symbolic links here: ", err)
				}
			}
			getenv := environment(map[string]string{c.variable: c.value})
			_, err := home.Claim(getenv)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
			_, err = home.Dir(getenv)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// Without variables, the system's user database names the home folder.
func TestTheUsersOwnFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it lies elsewhere")
	}
	u, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if err != nil {
		t.Skip("the system does not know this user: ", err)
	}
	want := filepath.Join(u.HomeDir, ".local", "share", "whence")
	for _, variables := range []map[string]string{nil, {"HOME": u.HomeDir}, {"XDG_DATA_HOME": "relative"}, {"WHENCE_HOME": want}} {
		got, err := home.Dir(environment(variables))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.Equal(t, u.HomeDir, home.UserFolder(environment(nil)))
}
