//go:build unix

package e2e

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// foreign is a repository in a sandbox whose settings name a program for what git may start.
type foreign struct {
	*sandbox
	marker string // which that program writes
}

// newForeign makes one in the folder site, with a memory that has findings in a folder of it and
// one of an old format below that. One learning is stored that holds everywhere.
func newForeign(t *testing.T, folder string) *foreign {
	t.Helper()
	f := &foreign{sandbox: newSandbox(t, installed(t))}
	f.marker = filepath.Join(f.dir, "marker")
	at := "site/" + folder + "/"
	f.write(at+"agents/decisions/api.md", "# API\n\n## First\nThree attempts with jitter between them.\n\n## Paging\nA page is named by a cursor.\n")
	f.write(at+"agents/memory-index.md", "# Memory Index\n\n## agents/decisions/api.md\n\n/when retrying a call | Zero | attempts, jitter, upper bound, idempotent requests only\n")
	f.write(at+"old/agents/decisions/a.md", "# A\n\n## Retrying calls\nThree attempts.\n")
	f.write(at+"old/agents/memory-index.md", "# Memory Index\n\n## agents/decisions/a.md\n\nRetrying calls — three attempts with jitter between them and an upper bound of ten seconds\n")
	f.run("site", "git", "init", "-q", "-b", "main")
	for i := range 5 {
		f.write(at+"agents/decisions/api.md", fmt.Sprintf("# API\n\n## Number %d\nThree attempts with jitter between them.\n\n## Paging\nA page is named by a cursor.\n", i))
		f.run("site", "git", "add", ".")
		f.run("site", "git", "commit", "-qm", "more")
	}
	f.run("", "memory-remember", "always book the ferries before noon, because the fares change then")
	f.write("program", "#!/bin/sh\necho \"$*\" >>'"+f.marker+"'\nexec cat\n")
	program := filepath.Join(f.dir, "program")
	require.NoError(t, os.Chmod(program, 0o755))
	f.write("site/.gitattributes", "*.md filter=x\n")
	f.run("site", "git", "config", "core.fsmonitor", program)
	f.run("site", "git", "config", "filter.x.clean", program)
	f.run("site", "git", "config", "diff.external", program)
	return f
}

// touch lets git look into all files again.
func (f *foreign) touch() {
	f.t.Helper()
	require.NoError(f.t, filepath.WalkDir(filepath.Join(f.dir, "site"), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			err = os.Chtimes(path, time.Time{}, time.Now().Add(-time.Minute))
		}
		return err
	}))
}

// giveAway gives a folder to another user.
func (f *foreign) giveAway(name string, all bool) {
	f.t.Helper()
	if os.Geteuid() != 0 {
		f.t.Skip("only root can give files to another user")
	}
	args := []string{"1001:1001", filepath.Join(f.dir, name)}
	if all {
		args = append([]string{"-R"}, args...)
	}
	require.NoError(f.t, exec.Command("chown", args...).Run())
}

// session begins a session in a folder, and returns what memory-hooks says. No
// process is left behind.
func (f *foreign) session(dir string) string {
	f.t.Helper()
	out, ended := f.begin(dir)
	ended()
	return out
}

// begin is session, before what is left behind has ended.
func (f *foreign) begin(dir string) (out string, ended func()) {
	f.t.Helper()
	left, inherited, err := os.Pipe() // which ends with the last process
	require.NoError(f.t, err)
	f.t.Cleanup(func() { _ = left.Close() })
	cmd := exec.Command(filepath.Join(installed(f.t), "memory-hooks"), "SessionStart")
	cmd.Dir, cmd.Env, cmd.ExtraFiles = filepath.Join(f.dir, dir), f.env, []*os.File{inherited}
	cmd.Stdin = strings.NewReader(`{"session_id":"s","source":"startup"}`)
	said, err := cmd.Output()
	require.NoError(f.t, errors.Join(err, inherited.Close()))
	return string(said), func() {
		f.t.Helper()
		require.NoError(f.t, left.SetReadDeadline(time.Now().Add(5*time.Minute)))
		_, err := left.Read(make([]byte, 1))
		require.ErrorIs(f.t, err, io.EOF, "a process is left behind")
	}
}

func (f *foreign) nothingRan(after string) {
	f.t.Helper()
	require.NoFileExists(f.t, f.marker, "after %s", after)
}

// What a repository names in its settings is not executed, whether another user owns it, owns
// one in a folder above, or it is the user's own. One that git refuses still has its files
// checked.
func TestNoProgramExecutesWhatARepositoryNames(t *testing.T) {
	for _, c := range []struct {
		name, folder string
		prepare      func(f *foreign)
	}{
		{"a repository of another user", ".", func(f *foreign) { f.giveAway("site", true) }},
		{"one in a folder above", "project", func(f *foreign) { f.giveAway("site/.git", true); f.giveAway("site", false) }},
		{"a repository of the user", ".", func(*foreign) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newForeign(t, c.folder)
			c.prepare(f)
			own := c.name == "a repository of the user"
			at := filepath.Join("site", c.folder)
			f.touch()
			_, err := f.try(at, "git", "status")
			require.Equal(t, own, err == nil, "git refuses it")
			_, err = f.try(at, "git", "-c", "safe.directory=*", "status")
			require.NoError(t, err)
			require.FileExists(t, f.marker, "the bait")
			require.NoError(t, os.Remove(f.marker))

			f.touch()
			require.Contains(t, f.session(at), "book the ferries before noon")
			f.nothingRan("SessionStart")
			log, _ := os.ReadFile(filepath.Join(f.dir, "home", ".local", "share", "whence", "hooks.log"))
			require.Equal(t, !own, strings.Contains(string(log), "git does not trust the repository"), string(log))

			for _, command := range []struct {
				name string
				args []string
				says string // in a repository that git refuses
			}{
				{"memory-validate", nil, "safe.directory"},
				{"memory-validate", []string{"--staged"}, "git config --global --add safe.directory"},
				{"memory-validate", []string{"--unsafe-fixes", "--diff"}, ""},
				{"memory-validate", []string{"--unsafe-fixes"}, ""},
				{"memory-validate", []string{"install-git-hook"}, "safe.directory"},
				{"memory-hooks", []string{"doctor"}, ""},
				{"memory-remember", []string{"entry", "draft"}, ""},
				{"memory-remember", []string{"entry", "draft", "--staged", "--write"}, "safe.directory"},
				{"memory-remember", []string{"search", "ferries"}, "before noon"},
				{"memory-migrate", []string{"--write", "--repo", "old"}, "safe.directory"},
			} {
				f.touch()
				out, _ := f.try(at, command.name, command.args...)
				f.nothingRan(command.name + " " + strings.Join(command.args, " "))
				if !own {
					require.Contains(t, out, command.says, command.name)
				} else {
					require.NotContains(t, out, "safe.directory")
				}
			}
			text := f.read(at + "/old/agents/memory-index.md")
			require.Equal(t, own, strings.Contains(text, "/when "), text)
		})
	}
}

// An attacker may commit a bare repository, with settings, into the folder of the index.
func TestMigrateInAnEmbeddedBareRepository(t *testing.T) {
	f := &foreign{sandbox: newSandbox(t, installed(t))}
	f.marker = filepath.Join(f.dir, "marker")
	const index = "# Memory Index\n\n## agents/decisions/a.md\n\nRetrying calls — three attempts with jitter between them and an upper bound of ten seconds\n"
	f.write("inner/memory-index.md", index)
	f.run("inner", "git", "init", "-q", "-b", "main", "--template=")
	f.run("inner", "git", "add", ".")
	f.run("inner", "git", "commit", "-qm", "all")
	f.run("inner", "git", "config", "core.worktree", ".")
	f.run("inner", "git", "config", "core.fsmonitor", "touch '"+f.marker+"'; :")
	require.NoError(t, os.CopyFS(filepath.Join(f.dir, "site", "agents"), os.DirFS(filepath.Join(f.dir, "inner", ".git"))))
	f.write("site/agents/decisions/a.md", "# A\n\n## Retrying calls\nThree attempts.\n")
	f.write("site/agents/memory-index.md", index)
	f.run("site", "git", "init", "-q", "-b", "main")
	f.run("site", "git", "add", ".")
	f.run("site", "git", "commit", "-qm", "all")
	f.run("", "git", "clone", "-q", "site", "clone")
	f.run("", "git", "clone", "-q", "site", "another")
	_, _ = f.try("another/agents", "git", "status", "--untracked-files=no", "--", "memory-index.md")
	require.FileExists(t, f.marker, "the bait")
	require.NoError(t, os.Remove(f.marker))
	out, err := f.try("clone", "memory-migrate", "--write")
	require.Error(t, err)
	require.Contains(t, out, "it leads into a git directory")
	require.Equal(t, index, f.read("clone/agents/memory-index.md"))
	f.nothingRan("memory-migrate --write")
}

// A session that begins in a clone without trees opens no connection, and leaves no process
// behind.
func TestASessionInATreelessClone(t *testing.T) {
	f := newForeign(t, ".")
	for _, name := range []string{"core.fsmonitor", "filter.x.clean", "diff.external"} {
		f.run("site", "git", "config", "--unset", name)
	}
	f.run("site", "git", "config", "uploadpack.allowFilter", "true")
	f.run("", "git", "clone", "-q", "--filter=tree:0", "file://"+filepath.Join(f.dir, "site"), "clone")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	var connections atomic.Int32
	go func() { // accepts, and never answers
		for {
			if _, err := listener.Accept(); err != nil {
				return
			}
			connections.Add(1)
		}
	}()
	f.run("clone", "git", "remote", "set-url", "origin", "git://"+listener.Addr().String()+"/x")
	require.Contains(t, f.session("clone"), "book the ferries before noon")
	require.Zero(t, connections.Load())
}

// A git that does not answer does not cost a session what was learned. That it is killed in time, with what it has
// started, is shown in package repo.
func TestASessionWithAGitThatDoesNotAnswer(t *testing.T) {
	f := newForeign(t, ".")
	bin := t.TempDir() // one beside the project is not run
	require.NoError(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\necho \"$*\" >>'"+f.marker+"'\nuntil [ -e '"+f.marker+".end' ]; do sleep .1; done\n"), 0o755))
	f.env = append(f.env, "PATH="+bin+":"+installed(t)+":"+os.Getenv("PATH"))
	const learned = "book the ferries before noon"
	out, ended := f.begin("site")
	require.Contains(t, out, learned)
	require.NoError(t, os.WriteFile(f.marker+".end", nil, 0o644))
	ended()
	require.FileExists(t, f.marker, "git was asked")
}
