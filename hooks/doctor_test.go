package hooks_test

import (
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/notes"
	"whence/internal/test/repotest"
)

const answer = "The retry of a payment has to use the key of the first attempt, because a new key is a second charge: 17 passengers paid twice."

// patient is a project, a store, and a folder with only this program.
type patient struct {
	*testing.T
	dir, home, program string
}

func newPatient(t *testing.T) *patient {
	t.Helper()
	dir, home := ferry(t)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".git", "HEAD"), 0o755))
	writeLocalSettings(t, dir, "memory_notes_enabled: true\n")
	bin, err := os.MkdirTemp("", "program") // not beside the project
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(bin)) })
	return &patient{t, dir, home, repotest.Build(t, bin, "whence/hooks/memory-hooks")}
}

// environment returns an environment in which an agent runs the plugin, and nothing else is installed.
func (p *patient) environment() []string {
	user := p.TempDir()
	require.NoError(p, os.Mkdir(filepath.Join(user, ".claude"), 0o755))
	require.NoError(p, os.WriteFile(filepath.Join(user, ".claude", "settings.json"), []byte(`{"enabledPlugins": {"whence@x": true}}`), 0o644))
	return []string{"WHENCE_HOME=" + p.home, "HOME=" + user, "PATH=", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
}

// examined returns the output of doctor.
func (p *patient) examined() string {
	p.Helper()
	cmd := exec.Command(p.program, "doctor")
	cmd.Dir, cmd.Env = p.dir, p.environment()
	out, err := cmd.Output()
	var status *exec.ExitError
	if err != nil {
		require.ErrorAs(p, err, &status)
		require.Equal(p, cli.Found, status.ExitCode(), string(out)+string(status.Stderr))
	}
	return string(out)
}

func (p *patient) remember(args ...string) {
	p.Helper()
	require.Zero(p, remembers(cli.Env{
		Args: append([]string{"memory-remember"}, args...), Dir: p.dir, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard,
		Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": p.home}[name] },
	}))
}

// contents are all files below folders, but for what SQLite keeps of a store that was read.
func (p *patient) contents() map[string]string {
	p.Helper()
	all := map[string]string{}
	for _, dir := range []string{p.dir, p.home} {
		for _, name := range files(p.T, dir) {
			text, err := os.ReadFile(name)
			require.NoError(p, err)
			if !strings.HasSuffix(name, "-shm") && !(strings.HasSuffix(name, "-wal") && len(text) == 0) {
				all[name] = string(text)
			}
		}
	}
	return all
}

// doctor changes nothing: no count, no job, no notes, no line in a log.
func TestDoctorLeavesNothingBehind(t *testing.T) {
	p := newPatient(t)
	p.remember("the harbour crane needs a fresh permit before every lift")
	leftUnread(t, p.home, p.dir, time.Now())
	before := p.contents()
	p.examined()
	after := p.contents()
	maps.DeleteFunc(after, func(name, text string) bool {
		was, there := before[name]
		return there && was == text
	})
	require.Empty(t, slices.Collect(maps.Keys(after)))
	require.NoDirExists(t, filepath.Join(p.dir, notes.Folder))
	require.NoDirExists(t, filepath.Join(p.home, "sessions"))
}

// If what an agent has said is not stored, doctor says so, with the remedy.
func TestDoctorOfCapture(t *testing.T) {
	p := newPatient(t)
	said := time.Now().UTC().Add(-time.Hour) // what is old is not kept
	require.Regexp(t, `(?m)^finding +program +memory-remember is neither beside this program nor on the PATH\n +fix: make install +# in your clone of whence`, p.examined())
	repotest.Build(t, filepath.Dir(p.program), "whence/remember/memory-remember")
	require.NotContains(t, p.examined(), "memory-remember is neither")
	leftUnread(t, p.home, p.dir, said)
	require.Regexp(t, `(?m)^finding +capture +1 transcript is not captured, the first since .*: no worker has finished it\n +fix: /\S+/memory-remember capture$`, p.examined())
	p.remember("capture", "--quiet")
	require.Regexp(t, `(?m)^ok +store +.*: 0 learnings, 1 turn of 1 session$`, p.examined())
}
