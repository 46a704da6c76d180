package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// sandbox is a folder with the environment of a user who has only git, Go and some
// programs: a home of its own, and no settings of the machine.
type sandbox struct {
	t       *testing.T
	dir     string
	env     []string
	started *syscall.SysProcAttr
}

func newSandbox(t *testing.T, bins ...string) *sandbox {
	t.Helper()
	dir := repotest.TempDir(t)
	home := filepath.Join(dir, "home")
	require.NoError(t, os.Mkdir(home, 0o755))
	path := strings.Join(append(bins, os.Getenv("PATH")), string(os.PathListSeparator))
	env := []string{
		"PATH=" + path, "HOME=" + home, "PRE_COMMIT_HOME=" + filepath.Join(home, "pre-commit"), "PREK_HOME=" + filepath.Join(home, "prek"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c",
		"GOFLAGS=-buildvcs=false -modcacherw -trimpath", "CGO_ENABLED=0", "NO_COLOR=1", // as make builds: what is compiled already is not again
	}
	known, err := goSettings()
	require.NoError(t, err)
	storetest.ConsentingClaim(t, filepath.Join(home, ".local", "share", "whence")) // its user has typed a command
	return &sandbox{t: t, dir: dir, env: append(env, known...)}
}

// goSettings are the settings of Go by which what is downloaded or built already is not
// again.
var goSettings = sync.OnceValues(func() (env []string, err error) {
	names := []string{"GOMODCACHE", "GOCACHE", "GOPROXY", "GOSUMDB", "GONOSUMDB"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		return nil, err
	}
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		env = append(env, names[i]+"="+strings.TrimSpace(value))
	}
	return env, nil
})

// try runs a command in a folder of the sandbox.
func (s *sandbox) try(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = filepath.Join(s.dir, dir)
	cmd.Env, cmd.SysProcAttr = s.env, s.started
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

// runAll is run with the program and its arguments in one.
func (s *sandbox) runAll(dir string, args []string) string {
	s.t.Helper()
	return s.run(dir, args[0], args[1:]...)
}

// offline has what is run from now on be without a network.
func (s *sandbox) offline() { s.started = offline(s.t) }

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

// programs is a folder with those of this module, made when a test first asks for it.
var programs struct {
	once sync.Once
	dir  string
	err  error
}

// installed is a folder with the programs.
func installed(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the programs, which -short does not build")
	}
	programs.once.Do(func() {
		if programs.dir, programs.err = os.MkdirTemp("", "programs"); programs.err != nil {
			return
		}
		for _, pkg := range []string{"validate/memory-validate", "migrate/memory-migrate", "when/memory-when", "remember/memory-remember", "hooks/memory-hooks"} {
			repotest.Build(t, programs.dir, "whence/"+pkg)
		}
	})
	require.NoError(t, programs.err)
	return programs.dir
}

// register registers the hooks with agents, named as its settings do, in the settings of a project,
// whose user has no store yet.
func register(t *testing.T, bin, project string, agents ...string) {
	t.Helper()
	for _, agent := range agents {
		install := exec.Command(filepath.Join(bin, "memory-hooks"), "install", "--yes", "--scope", "project", "--agent", agent, "--repo", project)
		install.Env = append(os.Environ(), "WHENCE_HOME="+filepath.Join(t.TempDir(), "store"))
		out, err := install.CombinedOutput()
		require.NoError(t, err, string(out))
	}
}

func TestMain(m *testing.M) {
	status := repotest.Main(m.Run, map[string]repotest.JobFunc{playing: perform})
	if err := os.RemoveAll(programs.dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(status)
}
