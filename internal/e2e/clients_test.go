package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repotest"
)

// client is the path of an installed program.
func client(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		repotest.Missing(t, "clients", name+" is not installed")
	}
	return path
}

// sandbox is a folder with the environment of somebody who has nothing but git, Go and
// some programs: an own home, and no settings of the machine's.
type sandbox struct {
	t   *testing.T
	dir string
	env []string
}

func newSandbox(t *testing.T, bins ...string) *sandbox {
	t.Helper()
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	require.NoError(t, os.Mkdir(home, 0o755))
	path := strings.Join(append(bins, os.Getenv("PATH")), string(os.PathListSeparator))
	env := []string{
		"PATH=" + path, "HOME=" + home, "PRE_COMMIT_HOME=" + filepath.Join(home, "pre-commit"), "PREK_HOME=" + filepath.Join(home, "prek"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c",
		"GOFLAGS=-buildvcs=false -modcacherw", "NO_COLOR=1",
	}
	for _, name := range []string{"GOMODCACHE", "GOCACHE", "GOPROXY", "GOSUMDB", "GONOSUMDB"} { // what is downloaded or built already is not again
		value, err := exec.Command("go", "env", name).Output()
		require.NoError(t, err)
		env = append(env, name+"="+strings.TrimSpace(string(value)))
	}
	return &sandbox{t, dir, env}
}

// try runs a command in a folder of the sandbox.
func (s *sandbox) try(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = filepath.Join(s.dir, dir)
	cmd.Env = s.env
	for _, v := range s.env { // the program is looked for on the sandbox's PATH
		if path, found := strings.CutPrefix(v, "PATH="); found && !strings.ContainsRune(name, filepath.Separator) {
			for _, folder := range filepath.SplitList(path) {
				if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
					cmd.Path, cmd.Err = filepath.Join(folder, name), nil
					break
				}
			}
		}
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (s *sandbox) run(dir, name string, args ...string) string {
	s.t.Helper()
	out, err := s.try(dir, name, args...)
	require.NoError(s.t, err, "%s %s\n%s", name, strings.Join(args, " "), out)
	return out
}

func (s *sandbox) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(s.t, os.WriteFile(path, []byte(text), 0o644))
}

func (s *sandbox) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	require.NoError(s.t, err)
	return string(text)
}

// published is a clone of this module at a tag, as a hook manager gets it: what is
// committed, and what is changed or added besides.
func (s *sandbox) published() (dir, tag string) {
	s.t.Helper()
	root, tag := repotest.Root(s.t), "v0.0.0"
	files, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	require.NoError(s.t, err)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(files), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed
		}
		require.NoError(s.t, err)
		s.write("whence/"+name, string(text))
	}
	s.run("whence", "git", "init", "-q", "-b", "main")
	s.run("whence", "git", "add", "-A")
	s.run("whence", "git", "commit", "-qm", "published")
	s.run("whence", "git", "tag", tag)
	return filepath.Join(s.dir, "whence"), tag
}

// installed builds the programs into a folder.
func installed(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "./...")
	cmd.Dir = repotest.Root(t)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return dir
}
