package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// machine lays out a machine in a temporary folder: a line "path" is a program, "path -> target" a link, "path: text" a
// file. In targets and texts, @ means that folder.
func machine(t *testing.T, layout string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("programs have other names, and links need permission")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, line := range strings.Fields(strings.NewReplacer(" -> ", ">", ": ", "|").Replace(layout)) {
		name, target, isLink := strings.Cut(line, ">")
		name, text, isText := strings.Cut(name, "|")
		name = filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		if isLink {
			require.NoError(t, os.Symlink(strings.ReplaceAll(target, "@", root), name))
			continue
		}
		perm := os.FileMode(0o755)
		if isText {
			perm = 0o644
		}
		text = strings.ReplaceAll(strings.ReplaceAll(text, "gitdir=", "gitdir: "), "@", root)
		require.NoError(t, os.WriteFile(name, []byte(text), perm))
	}
	return root
}

// laptop is the machine of ann, with whence in ~/go/bin and git from several sources.
const laptop = `
usr/bin/git
usr/bin/make
etc/alternatives/git -> @/usr/bin/git-2.47
usr/bin/git-2.47
debian/git -> @/etc/alternatives/git
brew/Cellar/git/2.47.0/bin/git
brew/bin/git -> ../Cellar/git/2.47.0/bin/git
nix/store/abc/bin/git
ann/.profile -> @/nix/store/abc
ann/go/bin/memory-remember
ann/.local/bin/memory-remember -> ../share/whence/memory-remember-0.3.0
ann/.local/share/whence/memory-remember-0.3.0
ann/shims/git -> @/ann/shims/manager
ann/shims/manager
ann/to-clone -> @/ann/src/clone
ann/to-bin -> @/ann/src/clone/links

ann/src/clone/.git/HEAD: x
ann/src/clone/.git/bin/git
ann/src/clone/sub/README.md: x
ann/src/clone/bin/git
ann/src/clone/bin/memory-remember
ann/src/clone/links/git -> @/usr/bin/git
ann/src/clone/made/git -> @/usr/bin/make
ann/src/clone/up -> @/ann/elsewhere
ann/src/clone/.git/worktrees/linked/gitdir: @/ann/elsewhere/linked/.git
ann/src/clone/.git/worktrees/linked/commondir: ../..
ann/elsewhere/linked/.git: gitdir=@/ann/src/clone/.git/worktrees/linked
ann/elsewhere/linked/bin/git
ann/elsewhere/bin/git
ann/src/clone/module/.git: gitdir=../.git/modules/module
ann/src/clone/.git/modules/module/HEAD: x
ann/src/bin/git
ann/proj/.git/HEAD: x
ann/bin/git

dot/.git/HEAD: x
dot/go/bin/git
dot/proj/.git/HEAD: x
dot/proj/bin/git
`

// Programs in the session's work trees, or beside them, are not run, whatever the path by which they are found. Nor is
// another program run under the wanted name. Programs that users have on their PATH still work.
func TestSearch(t *testing.T) {
	root := machine(t, laptop)
	at := func(name string) string { return filepath.Join(root, name) }
	t.Chdir(at("ann/src/clone/sub"))
	for _, c := range []struct{ session, path, want string }{
		// what still works
		{"ann/src/clone", "usr/bin", "usr/bin/git"},
		{"ann/src/clone", "debian", "usr/bin/git-2.47"},
		{"ann/src/clone", "brew/bin", "brew/Cellar/git/2.47.0/bin/git"},
		{"ann/src/clone", "ann/.profile/bin", "nix/store/abc/bin/git"},
		{"ann/src/clone", "ann/bin", "ann/bin/git"},
		{"ann/src/clone", "ann/go/bin", "ann/go/bin/memory-remember"},
		{"ann/src/clone", "ann/.local/bin", "ann/.local/share/whence/memory-remember-0.3.0"},
		{"ann/proj", "ann/bin", "ann/bin/git"}, // directly in the home
		{"ann/proj", "ann/go/bin", "ann/go/bin/memory-remember"},
		{"ann", "ann/go/bin", "ann/go/bin/memory-remember"},
		{"dot/proj", "dot/go/bin", "dot/go/bin/git"}, // a home that is a work tree
		{"dot", "dot/go/bin", "dot/go/bin/git"},
		{"ann/src/clone", "ann/src/clone/bin:usr/bin", "usr/bin/git"}, // a folder in front switches nothing off
		{"ann/src/clone", "ann/shims:usr/bin", "usr/bin/git"},
		// the session's work trees
		{"ann/src/clone", "ann/src/clone/bin", "works"},
		{"ann/src/clone/sub", "ann/src/clone/bin", "works"},
		{"ann/src/clone/sub/not/there", "ann/src/clone/bin", "works"},
		{"ann/src/clone", "ann/src/clone/.git/bin", "works"},
		{"ann/src/clone", "ann/src/clone/links", "works"},
		{"ann/src/clone", "ann/src/clone/up/bin", "works"},
		{"ann/src/clone", "ann/src/clone/sub/../bin", "works"},
		{"ann/src/clone", "ann/src/clone/bin/", "works"},
		{"ann/src/clone", "ann/to-clone/bin", "works"},
		{"ann/src/clone", "ann/to-clone/links", "works"},
		{"ann/src/clone", "ann/to-bin", "works"},
		{"ann/to-clone", "ann/src/clone/bin", "works"},
		{"ann/src/clone/module", "ann/src/clone/bin", "works"},
		{"ann/src/clone", "ann/elsewhere/linked/bin", "works"},
		{"ann/elsewhere/linked", "ann/src/clone/bin", "works"},
		{"ann/elsewhere/linked", "ann/elsewhere/linked/bin", "works"},
		// beside them
		{"ann/src/clone", "ann/src/bin", "works"},
		{"ann/src/clone/sub", "ann/src/bin", "works"},
		{"ann/elsewhere/linked", "ann/elsewhere/bin", "works"},
		{"ann/elsewhere", "ann/elsewhere/bin", "works"},
		{"dot/proj", "dot/proj/bin", "works"},
		// another program
		{"ann/src/clone", "ann/shims", "is another program"},
	} {
		var entries []string
		for entry := range strings.SplitSeq(c.path, ":") {
			entries = append(entries, root+"/"+entry)
		}
		t.Setenv("PATH", strings.Join(entries, ":"))
		name := "git"
		if strings.Contains(c.want, "memory-remember") {
			name = "memory-remember"
		}
		home := at("ann")
		if strings.HasPrefix(c.session, "dot") {
			home = at("dot")
		}
		s := &Search{placesOf(home, []string{at(c.session)})}
		found, err := s.Program(name)
		if strings.Contains(c.want, "/") {
			require.NoError(t, err, c)
			require.Equal(t, Path(at(c.want)), found, c)
			continue
		}
		require.ErrorAs(t, err, new(*RefusedError), "%s: %s", c, found)
		require.ErrorContains(t, err, c.want, c)
		if c.want == "works" {
			require.Empty(t, s.Path(), "git gets no such folder either: %s", c)
		}
		_, err = s.Program(filepath.Join(entries[0], name))
		require.Error(t, err, "by its path: %s", c)
	}
}

// A repository may have a link to a system program that obeys the files of a folder. That program has another name.
func TestIsCalled(t *testing.T) {
	for file, want := range map[string]bool{
		"git": true, "git-2.47": true, "git2": true, "git-2.47.0": true, "make": false, "git-shell": false, "gitk": false, "2.47": false, "mygit": false,
	} {
		require.Equal(t, want, isCalled(file, "git"), file)
	}
	require.Equal(t, runtime.GOOS == "windows", isCalled("Git.EXE", "git"))
}

// A folder whose path depends on the process is resolved for this one, and counts only if it is absolute.
func TestPathsThatDependOnTheFolder(t *testing.T) {
	root := machine(t, laptop)
	clone := filepath.Join(root, "ann/src/clone")
	t.Chdir(clone)
	for _, entry := range []string{"bin", ".", "./bin", "", "../bin"} {
		t.Setenv("PATH", entry)
		t.Setenv("GODEBUG", "execerrdot=0")
		_, err := NewSearch().Program("git")
		require.ErrorIs(t, err, exec.ErrNotFound, entry)
		require.Empty(t, NewSearch().Path())
	}
	if _, err := os.Stat("/proc/self/cwd"); err != nil {
		t.Skip("no /proc here")
	}
	for _, entry := range []string{"/proc/self/cwd/bin", "/proc/self/cwd/links", "/proc/self/cwd/made", "/proc/self/cwd/up/bin", "/proc/self/root" + clone + "/bin", "/proc/self/cwd/../bin"} {
		for _, here := range []string{clone, filepath.Join(clone, "sub")} {
			t.Chdir(here)
			t.Setenv("PATH", entry)
			found, err := NewSearch(clone).Program("git")
			require.Error(t, err, "%s: %s", entry, found)
			require.Empty(t, NewSearch(clone).Path())
		}
	}
}

// A project beside system folders, such as /app in a container, does not make those places of the session.
func TestFoldersOfTheSystemAreNoPlaces(t *testing.T) {
	for _, session := range []string{"/app", "/opt/proj", "/usr/proj", "/usr/local/proj", "/", "/usr", "/opt"} {
		for _, p := range placesOf("/home/ann", []string{filepath.FromSlash(session)}) {
			require.False(t, slices.Contains([]string{"/", "/usr", "/usr/local", "/opt", "/home"}, filepath.ToSlash(p.path)), "%s: %s", session, p.path)
		}
	}
}
