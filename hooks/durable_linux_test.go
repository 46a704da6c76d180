package hooks_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// rig is a project in which registered command lines are run by sh, as an agent runs them.
type rig struct {
	*testing.T
	dir, home string
	commands  map[string]string // the registered command lines, by event
	workers   *repotest.Descendants
	uid       uint32 // of all processes; 0: that of the test
}

// nobodyElse is a user without any other process, where the test may start as another one.
const nobodyElse = 54321

// Whatever happens to the processes that an agent starts, the agent is never blocked, and everything that a session
// says is stored exactly once.
func TestWhatIsSaidIsNeverLost(t *testing.T) {
	built := t.TempDir()
	repotest.Build(t, built, "whence/hooks/memory-hooks")
	repotest.Build(t, built, "whence/remember/memory-remember")
	// These count processes of the user, and time: they are alone.
	t.Run("commands never block", func(t *testing.T) { commandsNeverBlock(t, built) })
	t.Run("slow disk", func(t *testing.T) { slowDisk(t, built) })
	for name, run := range map[string]func(*testing.T, string){"full disk": fullDisk, "many faults": manyFaults} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, built)
		})
	}
}

// newRig installs programs that were built.
func newRig(t *testing.T, built string, programs ...string) *rig {
	t.Helper()
	top, err := os.MkdirTemp("", "durable") // TempDir is closed to other users
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	r := &rig{T: t, dir: filepath.Join(top, "project"), home: storetest.ConsentingClaim(t, filepath.Join(top, "store")), commands: map[string]string{}}
	bin, user := filepath.Join(top, "bin"), filepath.Join(top, "user")
	for _, dir := range []string{bin, user, r.home, r.dir, filepath.Join(top, "transcripts")} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	require.NoError(t, exec.Command("git", "init", "-q", r.dir).Run())
	for _, program := range programs {
		r.add(built, program)
	}
	install := exec.Command(filepath.Join(bin, "memory-hooks"), "install", "--yes")
	install.Env = []string{"HOME=" + user, "PATH="}
	out, err := install.CombinedOutput()
	require.NoError(t, err, string(out))
	src, err := os.ReadFile(filepath.Join(user, ".claude", "settings.json"))
	require.NoError(t, err)
	all, err := agent.Claude.Registered(src)
	require.NoError(t, err)
	for _, registered := range all {
		r.commands[registered.Event] = registered.Command
	}
	require.Len(t, r.commands, 8)
	if os.Getuid() == 0 {
		r.uid = nobodyElse
		for _, dir := range []string{top, r.home, filepath.Join(r.home, "claimed"), filepath.Join(r.home, "memory.db"), r.dir, filepath.Join(r.dir, ".git"), filepath.Join(top, "transcripts")} {
			require.NoError(t, os.Chown(dir, nobodyElse, nobodyElse))
		}
		require.NoError(t, os.Chmod(top, 0o755))
	}
	r.workers = repotest.NewDescendants(t)
	return r
}

// add puts a program beside the others.
func (r *rig) add(built, program string) {
	r.Helper()
	src, err := os.ReadFile(filepath.Join(built, program))
	require.NoError(r, err)
	require.NoError(r, os.WriteFile(filepath.Join(filepath.Dir(r.dir), "bin", program), src, 0o755))
}

// transcript returns the path of the transcript of a session.
func (r *rig) transcript(session string) string {
	return filepath.Join(filepath.Dir(r.dir), "transcripts", session+".jsonl")
}

// say adds a record to a transcript.
func (r *rig) say(session, role, uuid, text string) {
	r.Helper()
	content := any(text)
	if role == "assistant" {
		content = []map[string]string{{"type": "text", "text": text}}
	}
	record, err := json.Marshal(map[string]any{
		"type": role, "uuid": uuid, "sessionId": session, "cwd": r.dir, "timestamp": time.Now().UTC().Format(time.RFC3339Nano),
		"message": map[string]any{"role": role, "id": "m-" + uuid, "content": content},
	})
	require.NoError(r, err)
	file, err := os.OpenFile(r.transcript(session), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	require.NoError(r, err)
	_, err = file.Write(append(record, '\n'))
	require.NoError(r, err)
	require.NoError(r, file.Close())
}

// event returns the input of an event.
func (r *rig) event(name, session string) []byte {
	r.Helper()
	src, err := json.Marshal(map[string]any{
		"hook_event_name": name, "session_id": session, "cwd": r.dir, "source": "startup",
		"transcript_path": r.transcript(session),
	})
	require.NoError(r, err)
	return src
}

// start runs the registered command line for an event. Before holds the words of a command that ends by running the
// command after it.
func (r *rig) start(input []byte, name string, before ...string) *exec.Cmd {
	r.Helper()
	words := append(slices.Clone(before), "/bin/sh", "-c", r.commands[name])
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Stdin = r.dir, bytes.NewReader(input)
	cmd.Env = []string{"WHENCE_HOME=" + r.home, "HOME=" + r.home, "PATH=/usr/bin:/bin"}
	if r.uid != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: r.uid, Gid: r.uid}}
	}
	r.workers.Of(cmd)
	require.NoError(r, cmd.Start())
	return cmd
}

// run is start, and requires exit status 0.
func (r *rig) run(input []byte, name string, before ...string) {
	r.Helper()
	require.NoError(r, r.start(input, name, before...).Wait(), "%s behind %q", name, before)
}

// limited returns the words of a shell that sets a limit of bash, and treats a full disk as an error, not as a signal.
func limited(limit string) []string {
	return []string{"/bin/bash", "-c", `trap "" XFSZ; ulimit ` + limit + `; exec "$@"`, "bash"}
}

// fullAt returns the words of a shell in which no file can grow beyond some bytes.
func fullAt(bytes int) []string {
	return append(limited("-c 0"), "prlimit", fmt.Sprintf("--fsize=%d:%[1]d", bytes), "--")
}

// slow returns the words of a command under which each file takes a while to open.
func slow(delay time.Duration) []string {
	return []string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=openat", "-e", fmt.Sprintf("inject=openat:delay_enter=%d", delay.Microseconds())}
}

// signalled runs an event whose program gets a signal after a while. It reports whether the signal came in time.
func (r *rig) signalled(input []byte, name string, signal syscall.Signal, after time.Duration) (hit bool) {
	r.Helper()
	cmd := r.start(input, name)
	children := fmt.Sprintf("/proc/%d/task/%[1]d/children", cmd.Process.Pid)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			require.NoError(r, err, "%s, after %v", signal, after)
			return false
		default:
		}
		src, err := os.ReadFile(children)
		if err != nil {
			break // it has ended
		}
		if pid, err := strconv.Atoi(strings.TrimSpace(string(src))); err == nil {
			time.Sleep(after)
			hit = syscall.Kill(pid, signal) == nil
			break
		}
	}
	require.NoError(r, <-ended, "%s, after %v", signal, after)
	return hit
}

// stored returns how often each text is stored.
func (r *rig) stored() map[string]int {
	r.Helper()
	db, err := sql.Open("sqlite", filepath.Join(r.home, "memory.db")+"?_pragma=busy_timeout(60000)")
	require.NoError(r, err)
	defer db.Close()
	rows, err := db.Query(`SELECT text, count(*) FROM turns GROUP BY text`)
	require.NoError(r, err)
	defer rows.Close()
	counts := map[string]int{}
	for rows.Next() {
		var text string
		var count int
		require.NoError(r, rows.Scan(&text, &count))
		counts[text] = count
	}
	require.NoError(r, rows.Err())
	return counts
}

// Go's runtime ends a program with status 2 if it gets no memory, thread or file, and so does SIGQUIT. Agents would
// take that as an order to block. The registered command line ends with 0.
func commandsNeverBlock(t *testing.T, built string) {
	repotest.Program(t, "bash")
	r := newRig(t, built, "memory-hooks", "memory-remember")
	died := 0
	for _, limit := range []string{"-v 700000", "-v 300000", "-v 100000", "-v 20000", "-n 5", "-n 6", "-n 8", "-u 1", "-u 2", "-u 3", "-u 4", "-u 6", "-f 0", "-s 64"} {
		if strings.HasPrefix(limit, "-u") && r.uid == 0 {
			continue // other processes of this user count
		}
		r.workers.Wait() // which count, too
		for _, event := range []string{"UserPromptSubmit", "Stop"} {
			r.run(r.event(event, "s"), event, limited(limit)...)
			bare := r.start(r.event(event, "s"), event, append(limited(limit), "/bin/sh", "-c", strings.TrimPrefix(r.commands[event], "trap 'exit 0' EXIT; "), "--")...)
			if bare.Wait() != nil {
				died++
			}
		}
	}
	require.Greater(t, died, 8, "the limits are none")
	hits := 0
	for i := range 60 {
		signal := []syscall.Signal{syscall.SIGQUIT, syscall.SIGKILL, syscall.SIGSEGV, syscall.SIGTERM}[i%4]
		if r.signalled(r.event("Stop", "s"), "Stop", signal, time.Duration(i)*100*time.Microsecond) {
			hits++
		}
	}
	require.Positive(t, hits, "no signal has met the program")
}

// If the disk is full at an event, what was said is captured at the next one.
func fullDisk(t *testing.T, built string) {
	repotest.Program(t, "bash")
	repotest.Program(t, "prlimit")
	r := newRig(t, built, "memory-hooks", "memory-remember")
	want := []string{}
	for _, size := range []int{0, 1, 100, 4096, 10_000, 40_000, 100_000} {
		session := fmt.Sprintf("%06d", size)
		r.run(r.event("SessionStart", session), "SessionStart")
		text := fmt.Sprintf("please tell the harbour about container number %d", size)
		want = append(want, text)
		r.say(session, "user", "u"+session, text)
		r.run(r.event("Stop", session), "Stop", fullAt(size)...)
	}
	r.workers.Wait()
	r.run(r.event("SessionStart", "last"), "SessionStart")
	r.workers.Wait()
	counts := r.stored()
	for _, text := range want {
		require.Equal(t, 1, counts[text], text)
	}
}

// If each file takes long to open, what is said at a stop is still stored.
func slowDisk(t *testing.T, built string) {
	repotest.Program(t, "strace")
	for i, delay := range []time.Duration{10 * time.Millisecond, 100 * time.Millisecond} {
		r := newRig(t, built, "memory-hooks", "memory-remember")
		events := []string{"Stop", "SubagentStop", "PreCompact", "SessionEnd"}
		if i > 0 && !repotest.Long() {
			events = events[:1]
		}
		for _, event := range events {
			text := fmt.Sprintf("please tell the harbour about container number %d at %s", i, event)
			r.say(event, "user", event, text)
			r.run(r.event(event, event), event, slow(delay)...)
			r.workers.Wait()
			r.run(r.event(event, event), event) // what the deadline has cut off is read at the next event
			r.workers.Wait()
			require.Equal(t, 1, r.stored()[text], "%v at %s", delay, event)
		}
	}
}

// Many events, each with some fault, lose nothing: once a session has begun undisturbed, each prompt and each answer is
// stored exactly once.
func manyFaults(t *testing.T, built string) {
	repotest.Program(t, "bash")
	repotest.Program(t, "prlimit")
	repotest.Program(t, "strace")
	events := 50
	if repotest.Long() {
		events = 1000
	}
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	r := newRig(t, built, "memory-hooks", "memory-remember")
	r.run(r.event("SessionStart", "first"), "SessionStart")
	signals := []syscall.Signal{syscall.SIGKILL, syscall.SIGQUIT}
	seen, want := map[string]int{}, map[string]string{}
	disturbed := func(input []byte, name string) {
		kinds := []string{"none", "disk", "memory", "files", "signal", "signal", "signal"}
		if r.uid != 0 {
			kinds = append(kinds, "threads")
		}
		if random.IntN(50) == 0 {
			kinds = []string{"slow"}
		}
		kind := kinds[random.IntN(len(kinds))]
		seen[kind]++
		switch kind {
		case "none":
			r.run(input, name)
		case "disk":
			r.run(input, name, fullAt(random.IntN(700))...)
		case "memory":
			r.run(input, name, limited(fmt.Sprint("-v ", 20000+random.IntN(2000000)))...)
		case "files":
			r.run(input, name, limited(fmt.Sprint("-n ", 5+random.IntN(10)))...)
		case "threads":
			r.run(input, name, limited(fmt.Sprint("-u ", 2+random.IntN(20)))...)
		case "slow":
			r.run(input, name, slow([]time.Duration{10, 50, 200}[random.IntN(3)]*time.Millisecond)...)
		case "signal":
			if r.signalled(input, name, signals[random.IntN(2)], time.Duration(random.IntN(6000))*time.Microsecond) {
				seen["hit"]++
			}
		}
	}
	for done, session := 0, ""; done < events; done++ {
		if done%3 == 0 {
			session = fmt.Sprintf("s%03d", done/3)
			r.run(r.event("SessionStart", session), "SessionStart") // without any event nothing is captured
			continue
		}
		prompt, answer := fmt.Sprintf("please tell the harbour about container number %d", done), fmt.Sprintf("The harbour has been told about container number %d, which is painted red.", done)
		want[prompt], want[answer] = session, session
		name := "Stop"
		if done%3 == 2 {
			name = "SessionEnd"
		}
		r.say(session, "user", fmt.Sprintf("p%d", done), prompt)
		isLate := random.IntN(2) == 0 // the agent writes the answer after the event
		if isLate {
			disturbed(r.event(name, session), name)
		}
		r.say(session, "assistant", fmt.Sprintf("a%d", done), answer)
		if !isLate {
			disturbed(r.event(name, session), name)
		}
	}
	r.workers.Wait()
	lost := maps.Clone(want)
	for text := range r.stored() {
		delete(lost, text)
	}
	t.Logf("%v; %d of %d not stored by the events", seen, len(lost), len(want))
	require.Positive(t, seen["hit"], "no signal has met the program")
	r.run(r.event("SessionStart", "last"), "SessionStart")
	r.workers.Wait()
	counts := r.stored()
	for text, session := range want {
		require.Equal(t, 1, counts[text], "%s: %s", session, text)
		delete(counts, text)
	}
	require.Empty(t, counts, "nothing else was said")
}
