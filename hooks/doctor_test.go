package hooks_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/notes"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/turns"
	"whence/remember"
)

const answer = "The retry of a payment has to use the key of the first attempt, because a new key is a second charge: 17 passengers paid twice."

// patient is a project and a store, and a folder with this program alone.
type patient struct {
	*testing.T
	dir, home, program string
}

func newPatient(t *testing.T) *patient {
	t.Helper()
	dir, home := ferry(t)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".git", "HEAD"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, config.ProjectFile), []byte("memory_notes_enabled: true\n"), 0o644))
	return &patient{t, dir, home, repotest.Build(t, t.TempDir(), "whence/hooks/memory-hooks")}
}

// environment is one in which an agent runs the plugin, and nothing else is installed.
func (p *patient) environment() []string {
	user := p.TempDir()
	require.NoError(p, os.Mkdir(filepath.Join(user, ".claude"), 0o755))
	require.NoError(p, os.WriteFile(filepath.Join(user, ".claude", "settings.json"), []byte(`{"enabledPlugins": {"whence@x": true}}`), 0o644))
	return []string{"WHENCE_HOME=" + p.home, "HOME=" + user, "PATH=", "WHENCE_HOOK_DEADLINE=1m", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
}

// examined is what doctor prints.
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
	require.Zero(p, remember.Main(cli.Env{
		Args: append([]string{"memory-remember"}, args...), Dir: p.dir, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard,
		Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": p.home}[name] },
	}, nil, nil, store.Servers{}))
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

// What is tried was shown to nobody: no count, no state, no job, no notes, no line in a log
// comes of it, and no worker begins.
func TestDoctorLeavesNothingBehind(t *testing.T) {
	p := newPatient(t)
	p.remember("the harbour crane needs a fresh permit before every lift")
	require.NoError(t, turns.AddJob(p.home, turns.Job{Session: "s1", Cwd: p.dir, Answer: answer, At: time.Now()}))
	before := p.contents()
	out := p.examined()
	require.Regexp(t, `(?m)^ok +program .* answers SessionStart of Claude Code`, out)
	require.Regexp(t, `(?m)^ok +recall  .*the words of the first entry of the index recall it`, out)
	after := p.contents()
	maps.DeleteFunc(after, func(name, text string) bool { was, there := before[name]; return there && was == text })
	require.Empty(t, slices.Collect(maps.Keys(after)))
	require.NoDirExists(t, filepath.Join(p.dir, notes.Folder))
	require.NoDirExists(t, filepath.Join(p.home, "sessions"))
}

// From what an agent has said to a turn that is stored, each link that does not hold is
// reported, with its remedy.
func TestDoctorOfCapture(t *testing.T) {
	p := newPatient(t)
	said := time.Now().UTC().Add(-time.Hour) // what is old is not kept
	require.Regexp(t, `(?m)^ok +capture +sessions are captured; none has been yet$`, p.examined())
	require.Regexp(t, `(?m)^finding +capture  .*memory-remember, which stores what is captured, is neither beside this program nor on the PATH\n +fix: make install +# in your clone of whence`, p.examined())
	repotest.Build(t, filepath.Dir(p.program), "whence/remember/memory-remember")
	require.NotContains(t, p.examined(), "finding  capture")

	require.NoError(t, turns.AddJob(p.home, turns.Job{Session: "s1", Cwd: p.dir, Answer: answer, At: said}))
	require.Regexp(t, `(?m)^note +capture +1 job waiting to be stored: a worker does it now, or`, p.examined())

	jobs, err := filepath.Glob(filepath.Join(turns.SpoolDir(p.home), "*.0"))
	require.NoError(t, err)
	require.Len(t, jobs, 1)
	old := filepath.Join(turns.SpoolDir(p.home), strings.Repeat("0", 19)+filepath.Base(jobs[0])[19:])
	require.NoError(t, os.Rename(jobs[0], old))
	require.Regexp(t, `(?m)^finding +capture +1 job waiting to be stored, the first since 1970-01-01T00:00:00Z: .*\n +fix: memory-remember capture$`, p.examined())

	for range spool.MaxFailures {
		_, err := spool.Drain(context.Background(), turns.SpoolDir(p.home), func(string, []byte) error { return errors.New("the disk is full") })
		require.Error(t, err)
	}
	require.Regexp(t, `(?m)^finding +capture +1 job could not be stored, the last because: the disk is full\n +fix: memory-remember capture --retry$`, p.examined())

	p.remember("capture", "--quiet")
	require.Contains(t, p.examined(), "finding  capture", "what was given up stays so")
	p.remember("capture", "--quiet", "--retry")
	require.Regexp(t, `(?m)^ok +capture +sessions are captured: 1 turn of 1 session, the last at `+said.Format(time.RFC3339)+`$`, p.examined())

	require.NoError(t, os.WriteFile(filepath.Join(p.dir, config.ProjectFile), []byte("memory_turn_capture: false\n"), 0o644))
	require.Regexp(t, `(?m)^note +captures +nothing is captured: memory_turn_capture is false$`, p.examined())
}

// A program that is not on the PATH is allowed, and looked for, by its path.
func TestDoctorOfPermission(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a path with backslashes is not written into a rule")
	}
	p := newPatient(t)
	reading := repotest.Build(t, filepath.Dir(p.program), "whence/when/memory-when")
	env := append(p.environment(), "CLAUDE_CONFIG_DIR="+filepath.Join(p.home, "claude"))
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(p.program, args...)
		cmd.Dir, cmd.Env = p.dir, env
		out, _ := cmd.Output() // other findings fail it
		return string(out)
	}
	require.Contains(t, run("install", "--yes"), "memory-when         allowed without asking")
	text, err := os.ReadFile(filepath.Join(p.home, "claude", "settings.json"))
	require.NoError(t, err)
	require.Contains(t, string(text), `"Bash(`+reading+`:*)"`)
	require.Regexp(t, `(?m)^ok +permission Claude Code runs `+reading+` without asking you$`, run("doctor"))
	run("uninstall")
	require.NoFileExists(t, filepath.Join(p.home, "claude", "settings.json"))

	run("install", "--yes", "--scope", "project")
	require.Regexp(t, `(?m)^finding +permission Claude Code asks you before it runs `+reading+`: rules in these settings name it without its folder\n +fix: add the folder of that program to the PATH$`, run("doctor"))
	require.NoError(t, os.Remove(reading))
	require.Regexp(t, `(?m)^finding +permission memory-when, by which agents read decisions, is neither beside this program nor on the PATH$`, run("doctor"))
}

func TestDoctorOfNotes(t *testing.T) {
	p := newPatient(t)
	require.Regexp(t, `(?m)^ok +notes +on; the next session that begins creates \.memory/$`, p.examined())
	require.Regexp(t, `(?m)^note +notes +git can commit \.memory/; to keep it out of git: memory-hooks notes ignore$`, p.examined())
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, ".gitignore"), []byte(".memory/\n"), 0o644))
	require.NotContains(t, p.examined(), "can commit")
	ask(t, p.dir, p.home, "SessionStart", []byte(start))
	require.Regexp(t, `(?m)^ok +notes +on: 0 decisions, 0 findings, 0 failures, 0 tool calls$`, p.examined())
	require.NoError(t, os.RemoveAll(filepath.Join(p.dir, notes.Folder)))
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, notes.Folder), nil, 0o644))
	require.Regexp(t, `(?m)^finding +notes +no notes are kept: \.memory: it is not a folder`, p.examined())
	require.NoError(t, os.Remove(filepath.Join(p.dir, config.ProjectFile)))
	require.Regexp(t, `(?m)^ok +notes +off; to switch them on: memory-hooks notes enable$`, p.examined())
}
