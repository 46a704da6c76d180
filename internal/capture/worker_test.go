package capture_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/config"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

const retry = "please explain the retry policy of the ferry"

// say is the line of a prompt.
func say(uuid, text string) string { return saidIn("", uuid, text) }

// saidIn is the line of a prompt that was typed in a folder.
func saidIn(cwd, uuid, text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":"s","cwd":%q,"message":{"content":%q}}`, uuid, cwd, text) + "\n"
}

// answers is the line of an answer.
func answers(uuid, text string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":%q,"sessionId":"s","message":{"id":%q,"content":[{"type":"text","text":%q}]}}`, uuid, uuid, text) + "\n"
}

// session is a session with an unread transcript.
type session struct {
	t          *testing.T
	home       string
	dir        string // in which it runs
	transcript string
	rules      capture.Rules
}

func newSession(t *testing.T, src string) *session {
	dir := t.TempDir()
	s := &session{t, storetest.ConsentingHome(t), dir, filepath.Join(t.TempDir(), "s.jsonl"), capture.Rules{Folder: dir, Project: "/shop", Capture: true}}
	s.write(src)
	return s
}

func (s *session) write(src string) {
	s.t.Helper()
	require.NoError(s.t, os.WriteFile(s.transcript, []byte(src), 0o600))
}

func (s *session) add(src string) {
	s.t.Helper()
	before, err := os.ReadFile(s.transcript)
	require.NoError(s.t, err)
	s.write(string(before) + src)
}

// event registers the transcript as of a minute ago: the worker waits for no answer.
func (s *session) event() {
	s.t.Helper()
	s.eventAt(time.Now().Add(-time.Minute))
}

func (s *session) eventAt(at time.Time) { s.named("", s.transcript, at) }

func (s *session) named(event, transcript string, at time.Time) {
	s.t.Helper()
	e := agent.Event{Name: event, Session: "s", Cwd: s.dir, Transcript: transcript}
	require.NoError(s.t, capture.Register(s.t.Context(), s.home, e, s.rules, at))
}

func (s *session) settings(text string) {
	s.t.Helper()
	require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, config.ProjectFile), []byte(text), 0o600))
}

// captured is an event, after which the store has these texts.
func (s *session) captured(want ...string) {
	s.t.Helper()
	s.event()
	work(s.t, s.home)
	s.has(want...)
}

func (s *session) has(want ...string) {
	s.t.Helper()
	var texts []string
	for _, r := range stored(s.t, s.home) {
		texts = append(texts, r.Text)
	}
	require.Equal(s.t, want, texts)
}

func TestWhatIsNewIsCaptured(t *testing.T) {
	none := repotest.Home(t)
	require.Equal(t, capture.Done{}, work(t, none))
	require.NoFileExists(t, filepath.Join(none, "memory.db"), "nothing is made for nothing")
	s := newSession(t, say("a", retry))
	require.Equal(t, capture.Done{}, work(t, s.home))
	s.captured(retry)
	s.add(say("b", "and now the policy of the crane") + say("c", "half a line")[:20])
	s.captured(retry, "and now the policy of the crane")
	require.Equal(t, capture.Done{}, work(t, s.home))
	s.add(say("c", "half a line")[20:])
	require.Equal(t, capture.Done{}, work(t, s.home), "it is too short")
}

// The worker waits for the last answer, which agents may write after their event.
func TestTheLastAnswerComesLate(t *testing.T) {
	const answer = "The ferry sends each request three times, and then it tells the queue."
	s := newSession(t, say("a", retry))
	s.eventAt(time.Now())
	go func() {
		s.awaitTurns(1)
		s.add(answers("b", answer))
	}()
	require.Equal(t, 2, work(t, s.home).Turns)
	s.has(retry, answer)
}

// awaitTurns waits until a worker has stored so many turns, and waits for another one.
func (s *session) awaitTurns(n int) {
	require.Eventually(s.t, func() bool { return len(stored(s.t, s.home)) == n }, time.Minute, 10*time.Millisecond)
}

// An agent may write the whole transcript after its last event.
func TestATranscriptComesLate(t *testing.T) {
	s := newSession(t, "")
	require.NoError(t, os.Remove(s.transcript))
	s.named(agent.SessionEnd, s.transcript, time.Now())
	time.AfterFunc(200*time.Millisecond, func() { // later than the worker begins, as a rule
		s.write(`{"type":"summary","summary":"nothing was said yet"}` + "\n")
		s.add(say("a", retry))
		s.awaitTurns(1)
		s.add(answers("b", "It asks three times, and only then it tells the queue of the ferry."))
	})
	require.Equal(t, 2, work(t, s.home).Turns)
}

// A transcript whose session has ended is not opened again once it was read to its last answer, unless an event names it.
func TestWhatHasEndedIsNotOpenedAgain(t *testing.T) {
	const answer = "The ferry sends each request three times, and then it tells the queue."
	s := newSession(t, say("a", retry)+answers("b", answer))
	s.named(agent.SessionEnd, s.transcript, time.Now().Add(-time.Minute))
	work(t, s.home)
	s.has(retry, answer)
	s.add(say("c", "and now the policy of the crane"))
	other := filepath.Join(t.TempDir(), "other.jsonl")
	require.NoError(t, os.WriteFile(other, nil, 0o600))
	s.named("", other, time.Now().Add(-time.Minute))
	require.Equal(t, capture.Done{}, work(t, s.home))
	s.captured(retry, answer, "and now the policy of the crane")

	unanswered := newSession(t, say("a", retry))
	unanswered.named(agent.SessionEnd, unanswered.transcript, time.Now().Add(-time.Minute))
	work(t, unanswered.home)
	unanswered.add(answers("b", answer))
	work(t, unanswered.home)
	unanswered.has(retry, answer)
}

// If no answer comes in time, the next event has it read.
func TestTheLastAnswerComesNever(t *testing.T) {
	s := newSession(t, say("a", retry))
	s.eventAt(time.Now().Add(-4 * time.Second))
	require.Equal(t, 1, work(t, s.home).Turns)
}

// What is said while capture is off is never stored: neither when capture is on again, nor from a fork, nor when
// the transcript is rewritten.
func TestWhatIsSaidWhileCaptureIsOff(t *testing.T) {
	run := `{"type":"assistant","uuid":"u2","sessionId":"s","message":{"id":"u2","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make secret"}}]}}` + "\n" +
		`{"type":"user","uuid":"u3","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"Exit code 2"}]}}` + "\n"
	off := say("u1", "said while it was off") + run + answers("u4", "This is an answer of fifty characters while it was off.")
	s := newSession(t, say("u0", "said while it was on"))
	s.captured("said while it was on")
	s.rules.Capture = false
	s.add(off)
	s.captured("said while it was on")
	s.rules.Capture = true
	s.named(agent.UserPromptSubmit, s.transcript, time.Now().Add(-time.Minute))
	s.add(say("u5", "said when it was on again"))
	s.captured("said while it was on", "said when it was on again")
	want := []string{"said while it was on", "said when it was on again", "said in a fork of it"}
	whole, err := os.ReadFile(s.transcript)
	require.NoError(t, err)
	s.transcript = filepath.Join(t.TempDir(), "fork.jsonl")
	s.write(strings.ReplaceAll(string(whole), `"sessionId":"s"`, `"sessionId":"fork"`) + say("u6", "said in a fork of it") +
		strings.NewReplacer("u2", "u7", "u3", "u8", "true", "false", "Exit code 2", "built").Replace(run)) // which repairs what must stay unknown
	want = append(want, "[Bash] make secret")
	s.captured(want...)
	s.write(string(whole)) // written anew
	s.captured(want...)

	db, err := sql.Open("sqlite", filepath.Join(s.home, "memory.db"))
	require.NoError(t, err)
	defer db.Close()
	var states string
	require.NoError(t, db.QueryRow(`SELECT group_concat(CAST(state AS TEXT)) FROM transcripts`).Scan(&states))
	require.NotContains(t, states, "while it was off")
}

// The user may have switched capture off since the last event of a session, when the event of another one
// starts a worker. Settings that cannot be read mean off.
func TestCaptureIsSwitchedOffAfterTheEvent(t *testing.T) {
	s := newSession(t, say("1", "said while it was on"))
	s.captured("said while it was on")
	repotest.ClaimHome(t, s.home)
	s.settings("memory_turn_capture: never\n")
	s.add(say("2", "said while it is unknown"))
	work(t, s.home)
	s.settings("memory_turn_capture: true\nno such key: 1\n") // which has nothing to do with capture
	work(t, s.home)
	s.has("said while it was on")
	s.settings("memory_turn_capture: false\n")
	s.add(say("3", "said while it was off"))
	work(t, s.home)
	s.settings("memory_turn_capture: true\n")
	s.captured("said while it was on")
}

// What a fork repeats or continues of that is not stored, either: neither an answer in several records, nor a failure
// that recurs.
func TestAForkOfWhatIsGone(t *testing.T) {
	answer := func(uuid, text string) string {
		return strings.Replace(answers(uuid, text), `"id":"`+uuid, `"id":"m`, 1)
	}
	failed := func(uuid string) string {
		return `{"type":"user","uuid":"` + uuid + `","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"boom"}]}}` + "\n"
	}
	said := answer("u1", "This is the first half of an answer, of fifty characters and more.") + answer("u2", "And this is the second half of the same answer, as long.")
	s := newSession(t, said)
	s.rules.Capture = false
	s.captured()
	s.rules.Capture = true
	s.named(agent.UserPromptSubmit, s.transcript, time.Now().Add(-time.Minute))
	s.transcript = filepath.Join(t.TempDir(), "fork.jsonl")
	s.write(said)
	s.captured()

	s.add(failed("u3") + failed("u4"))
	s.captured("[Error] boom")
	db, err := store.Open(t.Context(), s.home)
	require.NoError(t, err)
	_, err = db.Prune(t.Context(), store.PruneOptions{Everywhere: true}, capture.WithoutText)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	whole, err := os.ReadFile(s.transcript)
	require.NoError(t, err)
	s.transcript = filepath.Join(t.TempDir(), "another.jsonl")
	s.write(string(whole))
	s.captured()
}

// Paths are stored unredacted, so a path with a secret is not stored.
func TestAPathWithASecret(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	s := newSession(t, "")
	for _, e := range []agent.Event{
		{Session: "s", Cwd: "/" + secret, Transcript: s.transcript}, {Session: "s", Cwd: s.dir, Transcript: "/" + secret + ".jsonl"},
		{Session: "s", Cwd: s.dir, Transcript: s.transcript, SubTranscript: "/" + secret + ".jsonl"},
	} {
		err := capture.Register(t.Context(), s.home, e, s.rules, time.Now())
		require.ErrorContains(t, err, "contains a secret: rename it")
		require.NotContains(t, err.Error(), secret)
	}
	require.NoError(t, capture.Register(t.Context(), s.home, agent.Event{Session: "s", Cwd: s.dir}, s.rules, time.Now()), "no transcript, no session")
	db, err := store.OpenReadOnly(t.Context(), s.home)
	require.NoError(t, err)
	defer db.Close()
	known, err := db.Transcripts(t.Context())
	require.NoError(t, err)
	require.Empty(t, known)
}

// No secret of a transcript reaches the disk.
func TestSecretsAreNotStored(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	s := newSession(t, strings.ReplaceAll(say("a", "please use the token "+secret)+answers("b", "I have used "+secret+", and it was refused by the server."), `"sessionId":"s"`, `"sessionId":"`+secret+`"`))
	s.event()
	require.Equal(t, 2, work(t, s.home).Turns)
	for _, name := range []string{"memory.db", "memory.db-wal"} {
		src, err := os.ReadFile(filepath.Join(s.home, name))
		if !os.IsNotExist(err) {
			require.NoError(t, err)
			require.NotContains(t, string(src), secret)
		}
	}
}

// Transcripts that were deleted are forgotten, but not one that is not written yet.
func TestATranscriptThatIsGone(t *testing.T) {
	s := newSession(t, say("a", retry))
	require.NoError(t, os.Remove(s.transcript))
	s.event()
	work(t, s.home)
	s.has()
	s.write(say("a", retry))
	work(t, s.home)
	s.has(retry)
	require.NoError(t, os.Remove(s.transcript))
	s.home = storetest.ConsentingHome(t)
	s.eventAt(time.Now().Add(-25 * time.Hour))
	work(t, s.home)
	db, err := store.Open(t.Context(), s.home)
	require.NoError(t, err)
	defer db.Close()
	all, err := db.Transcripts(t.Context())
	require.NoError(t, err)
	require.Empty(t, all)
}

// Turns are deleted when they are too old, even if the agent deleted the transcript long before.
func TestATranscriptThatIsGoneIsPruned(t *testing.T) {
	s := newSession(t, say("a", retry))
	s.rules.Days = 30
	s.captured(retry)
	require.NoError(t, os.Remove(s.transcript))
	for _, days := range []int{20, 31} {
		db, err := sql.Open("sqlite", filepath.Join(s.home, "memory.db"))
		require.NoError(t, err)
		old := time.Now().AddDate(0, 0, -days).UTC().Format(time.RFC3339)
		_, err = db.Exec(`UPDATE transcripts SET seen_at = ?1; UPDATE turns SET created_at = ?1; DELETE FROM meta WHERE key LIKE 'pruned %'`, old)
		require.NoError(t, err)
		require.NoError(t, db.Close())
		work(t, s.home)
		if days < 30 {
			s.has(retry)
		}
	}
	s.has()
}

// A transcript that cannot be read does not keep others from being read, and is read once it can be.
func TestATranscriptThatCannotBeRead(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, name string){
		"a folder": func(t *testing.T, name string) {
			require.NoError(t, os.Remove(name))
			require.NoError(t, os.Mkdir(name, 0o700))
		},
		"a pipe": pipe,
		"a link to nothing": func(t *testing.T, name string) {
			require.NoError(t, os.Remove(name))
			if err := os.Symlink(name+".none", name); err != nil {
				t.Skip("no symbolic links here: ", err)
			}
		},
		"empty": func(t *testing.T, name string) { require.NoError(t, os.Truncate(name, 0)) },
		"no text": func(t *testing.T, name string) {
			require.NoError(t, os.WriteFile(name, []byte("\x00\xff\xfe\n{\n\x7fELF"), 0o600))
		},
		"half a line": func(t *testing.T, name string) { require.NoError(t, os.Truncate(name, 20)) },
		"not allowed": func(t *testing.T, name string) {
			if os.Getuid() == 0 || runtime.GOOS == "windows" {
				t.Skip("root may read everything, and so may the owner on Windows")
			}
			require.NoError(t, os.Chmod(name, 0))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, say("a", retry))
			spoil(t, s.transcript)
			s.event()
			spoiled := s.transcript
			s.transcript = filepath.Join(t.TempDir(), "other.jsonl")
			s.write(say("b", "another session that must not wait"))
			s.event()
			_, err := capture.Work(t.Context(), s.home, os.Getenv, nil)
			if name == "not allowed" {
				require.ErrorContains(t, err, "permission denied")
			} else {
				require.NoError(t, err)
			}
			s.has("another session that must not wait")
			require.NoError(t, os.RemoveAll(spoiled))
			require.NoError(t, os.WriteFile(spoiled, []byte(say("a", retry)), 0o600))
			work(t, s.home)
			s.has("another session that must not wait", retry)
		})
	}
}

// A path that no system has is an error of its own.
func TestAPathThatIsNone(t *testing.T) {
	s := newSession(t, say("a", retry))
	s.event()
	e := agent.Event{Session: "s", Cwd: s.dir, Transcript: strings.Repeat("x/", 3000)}
	require.Error(t, capture.Register(t.Context(), s.home, e, s.rules, time.Now()))
	_, err := capture.Work(t.Context(), s.home, os.Getenv, nil)
	require.Error(t, err)
	s.has(retry)
}

// If the store cannot be used, what is new waits until it can.
func TestAStoreThatCannotBeUsed(t *testing.T) {
	s := newSession(t, say("a", retry))
	s.event()
	file := filepath.Join(s.home, "memory.db")
	src, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, name := range []string{file + "-wal", file + "-shm"} {
		require.NoFileExists(t, name)
	}
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("no database ", 1000)), 0o600))
	_, err = capture.Work(t.Context(), s.home, os.Getenv, nil)
	require.ErrorContains(t, err, "it is not a database, or damaged: move it away")
	require.NoError(t, os.WriteFile(file, src, 0o600))
	work(t, s.home)
	s.has(retry)
}

// A worker that cannot write for a long time stores nothing by halves, and the next one continues.
func TestAStoreThatIsLocked(t *testing.T) {
	s := newSession(t, say("a", retry))
	s.event()
	unlock := lockStore(t, s.home)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := capture.Work(ctx, s.home, os.Getenv, nil)
	require.Error(t, err)
	unlock()
	work(t, s.home)
	s.has(retry)
}

// lockStore is another process that writes to the store, and does not end.
func lockStore(t *testing.T, home string) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(home, "memory.db")+"?_txlock=immediate")
	require.NoError(t, err)
	tx, err := db.Begin()
	require.NoError(t, err)
	return func() {
		require.NoError(t, tx.Rollback())
		require.NoError(t, db.Close())
	}
}

// What is deleted or has expired is nowhere in the store, and not captured again. Of a session that has ended, only
// turns have text. What follows is captured.
func TestWhatIsDeletedIsGone(t *testing.T) {
	answer, failure := "The quokka swims to the island, as the causeway is under water.", "[Error] potoroo --dig\nquokka missing"
	said := new(script).answers(answer).runs("potoroo --dig").gets("quokka missing", true)
	prune := func(o store.PruneOptions) func(*session, *sql.DB) {
		return func(s *session, _ *sql.DB) {
			db, err := store.Open(s.t.Context(), s.home)
			require.NoError(s.t, err)
			_, err = db.Prune(s.t.Context(), o, capture.WithoutText)
			require.NoError(s.t, errors.Join(err, db.Close()))
		}
	}
	ends := func(transcript func(*session) string) func(*session, *sql.DB) {
		return func(s *session, _ *sql.DB) {
			s.named(agent.SessionEnd, transcript(s), time.Now().Add(-time.Minute))
			require.NoError(s.t, os.Rename(s.transcript, s.transcript+".moved")) // its text is deleted nevertheless
			work(s.t, s.home)
			require.NoError(s.t, os.Rename(s.transcript+".moved", s.transcript))
		}
	}
	for name, test := range map[string]struct {
		happens              func(*session, *sql.DB)
		isInState, isInTurns bool
	}{
		"everything":                            {happens: prune(store.PruneOptions{Everywhere: true})},
		"a session":                             {happens: prune(store.PruneOptions{Session: "s", Project: "/shop"})},
		"by age":                                {happens: prune(store.PruneOptions{Before: time.Now().Add(time.Hour), Everywhere: true})},
		"of elsewhere":                          {happens: prune(store.PruneOptions{Project: "/ferry"}), isInState: true, isInTurns: true},
		"of yesterday":                          {happens: prune(store.PruneOptions{Before: time.Now().AddDate(0, 0, -1), Everywhere: true}), isInState: true, isInTurns: true},
		"it has ended":                          {happens: ends(func(s *session) string { return s.transcript }), isInTurns: true},
		"the session of the subagent has ended": {happens: ends(func(s *session) string { return s.transcript + ".main" }), isInTurns: true},
		"it is too old": {happens: func(s *session, db *sql.DB) {
			_, err := db.Exec(`UPDATE transcripts SET days = 30, seen_at = '2020-02-03T04:05:06Z'; UPDATE turns SET created_at = seen_at FROM transcripts`)
			require.NoError(s.t, err)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, strings.Join(said.lines, "\n")+"\n")
			s.captured(answer, failure)
			db, err := sql.Open("sqlite", filepath.Join(s.home, "memory.db"))
			require.NoError(t, err)
			test.happens(s, db)
			work(t, s.home)
			var state string
			require.NoError(t, db.QueryRow(`SELECT state FROM transcripts WHERE path = ?`, s.transcript).Scan(&state))
			require.NoError(t, db.Close())
			require.Equal(t, test.isInState, strings.Contains(state, "quokka"), state)
			src, err := os.ReadFile(filepath.Join(s.home, "memory.db"))
			require.NoError(t, err)
			require.Equal(t, test.isInTurns, strings.Contains(string(src), "quokka"))
			s.add(say("z", retry))
			if test.isInTurns {
				s.captured(answer, failure, retry)
			} else {
				s.captured(retry)
			}
		})
	}
}

// Turns are deleted at the age that their repository sets, once a day.
func TestOldTurnsAreDeleted(t *testing.T) {
	line := func(uuid, text string, age time.Duration) string {
		at := time.Now().Add(-age).UTC().Format(time.RFC3339)
		return strings.Replace(say(uuid, text), `{`, `{"timestamp":"`+at+`",`, 1)
	}
	const day = 24 * time.Hour
	s := newSession(t, line("a", "said a month ago and more", 31*day)+line("b", "said two weeks ago", 14*day))
	s.captured("said a month ago and more", "said two weeks ago")
	s.rules.Days = 30
	s.event()
	require.Equal(t, capture.Done{Pruned: 1}, work(t, s.home))
	s.has("said two weeks ago")
	s.rules.Days = 7
	s.captured("said two weeks ago")
	s.write(line("a", "said a month ago and more", 31*day) + line("b", "said two weeks ago", 14*day) + line("c", "said just now by me", 0))
	s.captured("said two weeks ago", "said just now by me")
}

// The events of a session apply to its subagents by their times: these may work on meanwhile.
func TestASubagentThatWorksWhileCaptureIsOff(t *testing.T) {
	s := newSession(t, say("a", retry))
	sub, now := filepath.Join(t.TempDir(), "sub.jsonl"), time.Now().Add(-time.Hour)
	at := func(minute int) time.Time { return now.Add(time.Duration(minute) * time.Minute) }
	event := func(name, sub string, minute int, on bool) {
		s.rules.Capture = on
		e := agent.Event{Name: name, Session: "s", Cwd: s.dir, Transcript: s.transcript, SubTranscript: sub}
		require.NoError(t, capture.Register(t.Context(), s.home, e, s.rules, at(minute)))
	}
	var lines string
	works := func(uuid, text string, minute int) {
		line := strings.Replace(answers(uuid, text), `"uuid":`, `"isSidechain":true,"timestamp":"`+at(minute).UTC().Format(time.RFC3339)+`","uuid":`, 1)
		lines += line
		require.NoError(t, os.WriteFile(sub, []byte(lines), 0o600))
	}
	event(agent.UserPromptSubmit, "", 0, true)
	works("1", "This is what the subagent says before, in fifty characters and more.", 1)
	event(agent.Stop, "", 2, true)
	event(agent.UserPromptSubmit, "", 3, false)
	works("2", "This is what the subagent says meanwhile, in fifty characters and more.", 4)
	event(agent.UserPromptSubmit, "", 5, true)
	works("3", "This is what the subagent says after it, in fifty characters and more.", 6)
	event(agent.SubagentStop, sub, 7, true)
	work(t, s.home)
	s.has("This is what the subagent says before, in fifty characters and more.", "This is what the subagent says after it, in fifty characters and more.")
}
