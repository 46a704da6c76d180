package turns_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/spool"
	"whence/internal/test/repotest"
	"whence/internal/turns"
)

// sessions are those of a project, with the folder of their transcripts.
type sessions struct {
	*testing.T
	home, dir, folder string
}

func newSessions(t *testing.T) *sessions { return &sessions{t, t.TempDir(), t.TempDir(), t.TempDir()} }

// at is a record of a prompt that was typed at a time, in a folder.
func (s *sessions) at(when time.Time, dir, uuid, text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":"x","cwd":%q,"timestamp":%q,"message":{"content":%q}}`, uuid, dir, when.UTC().Format(time.RFC3339Nano), text) + "\n"
}

// add adds to a transcript, and returns its name.
func (s *sessions) add(session string, lines ...string) string {
	s.Helper()
	name := filepath.Join(s.folder, session+".jsonl")
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(s, err)
	for _, line := range lines {
		_, err = file.WriteString(line)
		require.NoError(s, err)
	}
	require.NoError(s, file.Close())
	return name
}

// begins has a session begin, in whatever state its transcript is.
func (s *sessions) begins(session string) {
	s.Helper()
	s.beginsAt(session, time.Now())
}

// beginsAt has a session begin when the clock shows a time.
func (s *sessions) beginsAt(session string, at time.Time) {
	s.Helper()
	j, can := turns.NewCatchUp(agent.Event{Agent: agent.Claude, Session: session, Cwd: s.dir, Transcript: filepath.Join(s.folder, session+".jsonl")},
		func(string) string { return "" }, at)
	require.True(s, can)
	require.NoError(s, turns.AddJob(s.home, j))
	work(s.T, s.home)
}

func (s *sessions) requireTexts(want ...string) {
	s.Helper()
	var texts []string
	turns, _ := stored(s.T, s.home)
	for _, r := range turns {
		texts = append(texts, r.Text)
	}
	require.ElementsMatch(s, want, texts)
}

func (s *sessions) capture(on bool) {
	s.Helper()
	require.NoError(s, os.WriteFile(filepath.Join(s.dir, config.ProjectFile), fmt.Appendf(nil, "memory_turn_capture: %t\n", on), 0o600))
}

// What was said in a session without its last event, or without any, is found when another
// one begins, once.
func TestASessionWithoutItsLastEventIsFound(t *testing.T) {
	s := newSessions(t)
	s.begins("first")
	s.add("first", s.at(time.Now(), s.dir, "1", "the code name is bluebird"))
	s.add("none", s.at(time.Now(), s.dir, "2", "the code name is redwing"))
	for range 2 {
		s.begins("second")
		s.requireTexts("the code name is bluebird", "the code name is redwing")
	}
	s.add("first", s.at(time.Now(), s.dir, "3", "the code name is cormorant"))
	s.begins("third")
	s.requireTexts("the code name is bluebird", "the code name is redwing", "the code name is cormorant")
}

// Nothing is read that was said before the first session of whence, in another project whose
// transcripts lie in the same folder, or long ago; nor files that are not transcripts.
func TestWhatIsNotOurToFindIsLeftAlone(t *testing.T) {
	s := newSessions(t)
	other := t.TempDir()
	s.add("before", s.at(time.Now().Add(-time.Hour), s.dir, "1", "said before whence was installed"))
	s.begins("first")
	s.add("before", s.at(time.Now(), s.dir, "2", "said later in the same session, of which no event came"))
	s.add("other", s.at(time.Now(), other, "3", "said in another project"))
	s.add("nowhere", say("4", "said nobody knows where or when"))
	old := s.add("old", s.at(time.Now(), s.dir, "5", "said long ago"))
	require.NoError(t, os.Chtimes(old, time.Time{}, time.Now().AddDate(0, 0, -15)))
	require.NoError(t, os.WriteFile(filepath.Join(s.folder, "notes.txt"), []byte(s.at(time.Now(), s.dir, "6", "written into another file")), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(s.folder, "folder.jsonl"), 0o700))
	if err := os.Symlink(old, filepath.Join(s.folder, "link.jsonl")); err != nil {
		t.Log("no symbolic links here: ", err)
	}
	s.begins("second")
	s.requireTexts()
}

// What is said while capture is off is not found when it is on again.
func TestWhatIsSaidWhileCaptureIsOffIsNotFound(t *testing.T) {
	s := newSessions(t)
	s.begins("first")
	s.capture(false)
	s.add("first", s.at(time.Now(), s.dir, "1", "said while it was off"))
	s.begins("second")
	s.add("second", s.at(time.Now(), s.dir, "2", "said while it was off, in a new session"))
	s.add("unknown", s.at(time.Now(), s.dir, "3", "said while it was off, without any event"))
	s.capture(true)
	s.begins("third")
	s.add("first", s.at(time.Now(), s.dir, "4", "said when it was on again"))
	s.add("new", s.at(time.Now(), s.dir, "5", "said in a session that began later"))
	s.begins("fourth")
	s.requireTexts("said when it was on again", "said in a session that began later")
}

// What was said after a clock was set back is found as well.
func TestAClockThatIsSetBackLosesNothing(t *testing.T) {
	s := newSessions(t)
	now := time.Now()
	s.beginsAt("first", now.Add(48*time.Hour))
	s.beginsAt("second", now)
	s.add("lost", s.at(now.Add(time.Second), s.dir, "1", "the code name is bluebird"))
	s.beginsAt("third", now.Add(time.Minute))
	s.requireTexts("the code name is bluebird")
}

// A job that comes late, of a session that began before capture was off, finds nothing that was
// said while it was off.
func TestALateJobFindsNothingThatWasSaidWhileCaptureWasOff(t *testing.T) {
	s := newSessions(t)
	now := time.Now()
	s.beginsAt("first", now.Add(-4*time.Hour))
	s.capture(false)
	s.beginsAt("second", now.Add(-2*time.Hour))
	s.add("unknown", s.at(now.Add(-90*time.Minute), s.dir, "1", "said while it was off"))
	s.capture(true)
	s.beginsAt("third", now.Add(-time.Hour))
	s.beginsAt("late", now.Add(-3*time.Hour))
	s.beginsAt("fourth", now)
	s.requireTexts()
}

// One look reads so much, and the next one goes on. A transcript that cannot be read keeps no
// other from being read.
func TestALookIsBounded(t *testing.T) {
	s := newSessions(t)
	s.begins("first")
	for i := range 203 {
		s.add(fmt.Sprint("s", i), s.at(time.Now(), s.dir, fmt.Sprint(i), fmt.Sprintf("the number of this container is %d", i)))
	}
	s.begins("second")
	turns, _ := stored(t, s.home)
	require.Len(t, turns, 200)
	s.begins("third")
	turns, _ = stored(t, s.home)
	require.Len(t, turns, 203)
}

// The name of a transcript says where the others of its agent are.
func TestNothingToCatchUpWith(t *testing.T) {
	for _, e := range []agent.Event{{Agent: agent.Codex}, {Agent: agent.Claude}, {Agent: agent.Claude, Transcript: "/a/b.json"}} {
		_, can := turns.NewCatchUp(e, func(string) string { return "" }, time.Now())
		require.False(t, can, "%+v", e)
	}
}

// Copilot CLI writes the end of a turn after its event: the worker reads it, without another event.
func TestWhatIsWrittenLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSessions(t)
		name := s.add("late", s.at(time.Now(), s.dir, "1", "what was said before the event"))
		e := agent.Event{Agent: agent.Copilot, Session: "late", Cwd: s.dir, Transcript: name}
		require.NoError(t, turns.AddJob(s.home, turns.NewJob(e, func(string) string { return "" }, time.Now())))
		time.AfterFunc(200*time.Millisecond, func() { s.add("late", s.at(time.Now(), s.dir, "2", "what was written after the event")) })
		work(t, s.home)
		s.requireTexts("what was said before the event", "what was written after the event")
	})
}

// A raw job is done with the settings that the worker reads. If they cannot be read, it waits
// until they can.
func TestARawJob(t *testing.T) {
	s := newSessions(t)
	leave := func(session string) {
		t.Helper()
		name := s.add(session, s.at(time.Now(), s.dir, session, "said in the session "+session))
		e := agent.Event{Session: session, Cwd: s.dir, Transcript: name}
		require.NoError(t, turns.AddJob(s.home, turns.NewJob(e, func(string) string { return "" }, time.Now())))
	}
	leave("on")
	work(t, s.home)
	s.capture(false)
	leave("off")
	work(t, s.home)
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, config.ProjectFile), []byte("memory_turn_capture: never\n"), 0o600))
	leave("wrong")
	_, err := attempt(t, s.home)
	require.ErrorContains(t, err, config.ProjectFile)
	s.requireTexts("said in the session on")
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, config.ProjectFile), []byte("no such key: 1\n"), 0o600))
	work(t, s.home) // which has nothing to do with capture
	s.requireTexts("said in the session on", "said in the session wrong")
	s.capture(true)
	leave("gone")
	require.NoError(t, os.RemoveAll(s.dir))
	work(t, s.home)
	s.requireTexts("said in the session on", "said in the session wrong", "said in the session gone")
	left := statusOf(t, s.home)
	require.Equal(t, spool.Status{}, left)
}

// Whichever agent has started the worker, a job is for the store that the environment of its own may
// name: the user's. A password in another is kept nowhere.
func TestARawJobKeepsTheStoreOfItsEnvironment(t *testing.T) {
	home, dir := repotest.Home(t), t.TempDir()
	for session, value := range map[string]string{"theirs": ourStore, "mine": "", "local": config.LocalStore, "secret": "postgres://ann:hunter2hunter2@db:5432/app"} {
		name := filepath.Join(dir, session+".jsonl")
		require.NoError(t, os.WriteFile(name, []byte(saidIn(dir, session, "said for the store "+session)), 0o600))
		e := agent.Event{Session: session, Cwd: dir, Transcript: name}
		require.NoError(t, turns.AddJob(home, turns.NewJob(e, func(name string) string {
			return map[string]string{config.StoreVariable: value}[name]
		}, time.Now())))
	}
	jobs, err := filepath.Glob(filepath.Join(turns.SpoolDir(home), "*.0"))
	require.NoError(t, err)
	require.Len(t, jobs, 4)
	for _, job := range jobs {
		src, err := os.ReadFile(job)
		require.NoError(t, err)
		require.NotContains(t, string(src), "hunter2")
	}
	_, err = turns.Work(t.Context(), home, func(name string) string {
		return map[string]string{config.StoreVariable: otherStore}[name]
	})
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"said for the store theirs": dir, "said for the store mine": dir, "said for the store local": dir, "said for the store secret": dir,
	}, projects(t, home))
}
