package capture_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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

// said holds what the model knows about a record.
type said struct {
	text, folder string
	on           bool // when it was said
	before       bool // the last event in its folder was under on
	after        bool // so is the next one
	isSettled    bool // there was a next one
}

// consentWorld is a session that moves between two folders while its user changes their mind.
type consentWorld struct {
	t       *testing.T
	log     []string
	random  *rand.Rand
	home    string
	folders []string
	allowed map[string]bool // by the settings of a folder
	consent bool
	last    map[string]bool // whether the last event in a folder was under on
	turn    bool            // the agent is at work, since a prompt
	told    map[string]bool // whether any event of this transcript came from a folder
	talks   []string        // the paths of the session's transcript and of forks of it
	all     []*said
	now     time.Time
	workers sync.WaitGroup
}

// settings of a folder: the first are on, the others off or in doubt.
var (
	onSettings  = []string{"", "memory_turn_capture: true\n", "memory_turn_capture: yes\n", "index: a.md\n", "idnex: a.md\n"}
	offSettings = []string{
		"memory_turn_capture: false\n", "memory_turn_capture: No\n", "memory_turn_capture: 0\n", "memory-turn-capture: true\n", "turn_capture: false\n",
		"memory: {turn: {capture: false}}\n", "index: [\n", "memory_turn_capture:\n", "\x00",
	}
)

func newConsentWorld(t *testing.T, seed uint64) *consentWorld {
	w := &consentWorld{
		t: t, random: rand.New(rand.NewPCG(seed, 7)), home: storetest.ConsentingHome(t), folders: []string{t.TempDir(), t.TempDir()},
		allowed: map[string]bool{}, consent: true, last: map[string]bool{}, told: map[string]bool{}, now: time.Now().Add(-time.Hour).Truncate(time.Second),
		talks: []string{filepath.Join(t.TempDir(), "s.jsonl")},
	}
	for _, f := range w.folders {
		w.allowed[f] = true
	}
	return w
}

func (w *consentWorld) tick() { w.now = w.now.Add(time.Second) }

func (w *consentWorld) isOn(folder string) bool { return w.consent && w.allowed[folder] }

// event is an event of the session in a folder.
func (w *consentWorld) event(name, folder string) {
	w.tick()
	c, err := config.LoadFrom(os.DirFS(folder), config.User{Getenv: repotest.NoHome})
	require.True(w.t, err == nil || c.TurnCapture == w.allowed[folder])
	e := agent.Event{Name: name, Agent: agent.Claude, Session: "s", Cwd: folder, Transcript: w.talks[len(w.talks)-1]}
	rules := capture.Rules{Folder: folder, Project: folder, Capture: c.TurnCapture}
	require.NoError(w.t, capture.Register(context.Background(), w.home, e, rules, w.now))
	on := w.isOn(folder)
	for _, s := range w.all {
		if s.folder == folder && !s.isSettled {
			s.isSettled, s.after = true, on
		}
	}
	w.told[folder] = true
	w.last[folder], w.turn = on, name == agent.UserPromptSubmit || w.turn && name == agent.SessionStart
}

// say appends a record to the transcript.
func (w *consentWorld) say(kind func(cwd, uuid, text string) string, folder string) {
	w.tick()
	s := &said{text: fmt.Sprintf("this was said in the session as number %d, and it is long enough", len(w.all)), folder: folder, on: w.isOn(folder), before: w.last[folder]}
	line := kind(folder, fmt.Sprint("u", len(w.all)), s.text)
	if w.random.IntN(2) == 0 {
		line = strings.Replace(line, `"uuid":`, `"timestamp":"`+w.now.UTC().Format(time.RFC3339)+`","uuid":`, 1)
	}
	file, err := os.OpenFile(w.talks[len(w.talks)-1], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	require.NoError(w.t, err)
	_, err = file.WriteString(line)
	require.NoError(w.t, err)
	require.NoError(w.t, file.Close())
	w.all = append(w.all, s)
}

func (w *consentWorld) set(folder string, on bool) {
	w.tick()
	settings := offSettings
	if on {
		settings = onSettings
	}
	require.NoError(w.t, os.WriteFile(filepath.Join(folder, config.ProjectFile), []byte(settings[w.random.IntN(len(settings))]), 0o600))
	w.allowed[folder] = on
}

func (w *consentWorld) setConsent(on bool) {
	w.tick()
	s, err := store.Open(context.Background(), w.home)
	require.NoError(w.t, err)
	defer s.Close()
	if on {
		require.NoError(w.t, s.GiveConsent(context.Background(), store.Consent{Agent: string(agent.Claude)}))
	} else {
		_, err := s.WithdrawConsent(context.Background(), store.Consent{Agent: string(agent.Claude)}, w.now, capture.EndConsent(w.now))
		require.NoError(w.t, err)
		for _, s := range w.all { // what came after the last event
			s.after = s.after && s.isSettled
			s.isSettled = true
		}
		w.last = map[string]bool{}
	}
	w.consent = on
}

// work has a worker read: now, concurrently, or until it is killed.
func (w *consentWorld) work() {
	lives := time.Hour
	if w.random.IntN(2) == 0 {
		lives = time.Duration(w.random.IntN(3000)) * time.Microsecond
	}
	run := func() {
		ctx, cancel := context.WithTimeout(context.Background(), lives)
		defer cancel()
		_, _ = capture.Work(ctx, w.home, repotest.NoHome, nil)
	}
	if w.random.IntN(2) == 0 {
		run()
	} else {
		w.workers.Go(run)
	}
}

// fork makes the session continue in a copy of its transcript.
func (w *consentWorld) fork() {
	src, err := os.ReadFile(w.talks[len(w.talks)-1])
	if err != nil {
		return // nothing was said yet
	}
	w.talks = append(w.talks, filepath.Join(w.t.TempDir(), "fork.jsonl"))
	require.NoError(w.t, os.WriteFile(w.talks[len(w.talks)-1], src, 0o600))
	for _, s := range w.all { // the events of the copy do not cover these
		s.after = s.after && s.isSettled
		s.isSettled = true
	}
	w.last, w.told, w.turn = map[string]bool{}, map[string]bool{}, false
	w.event(agent.SessionStart, w.folders[w.random.IntN(len(w.folders))])
}

func (w *consentWorld) step() {
	at := w.random.IntN(len(w.folders))
	folder, what := w.folders[at], w.random.IntN(12)
	w.log = append(w.log, fmt.Sprint(what, "/", at, "(", len(w.all), ")"))
	switch what {
	case 0, 1, 2:
		w.event(agent.UserPromptSubmit, folder)
		w.say(saidIn, folder)
	case 3:
		if w.turn && w.told[folder] {
			w.say(saidIn, folder) // a step of the agent, without an event of its own
		}
	case 4, 5:
		w.event(agent.Stop, folder)
	case 6:
		w.event(agent.SessionStart, folder)
	case 7, 8:
		w.set(folder, !w.allowed[folder])
		w.event([]string{agent.UserPromptSubmit, agent.Stop}[w.random.IntN(2)], folder) // else no event may ever cover it
	case 9:
		w.setConsent(!w.consent)
	case 10:
		w.work()
	case 11:
		if w.random.IntN(4) == 0 {
			w.fork()
		}
	}
}

// end switches everything on again, and has a worker read everything.
func (w *consentWorld) end() {
	w.workers.Wait()
	w.setConsent(true)
	for _, f := range w.folders {
		w.set(f, true)
		w.event(agent.Stop, f)
	}
	_, err := capture.Work(context.Background(), w.home, repotest.NoHome, nil)
	require.NoError(w.t, err)
}

// What is said under off, or in doubt, is never stored, in whatever order events and workers come; what is said between
// two events under on is stored once.
func TestSequencesOfConsent(t *testing.T) {
	sequences := uint64(60)
	if repotest.Long() {
		sequences = 10_000
	}
	never, once := 0, 0
	for seed := range sequences {
		w := newConsentWorld(t, seed)
		for range 4 + w.random.IntN(30) {
			w.step()
		}
		w.end()
		var texts []string
		for _, r := range stored(t, w.home) {
			texts = append(texts, r.Text)
		}
		for _, s := range w.all {
			n := len(slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text != s.text }))
			switch {
			case !s.on:
				require.Zero(t, n, "sequence %d: %q was said under off: %v", seed, s.text, w.log)
				never++
			case s.before && s.after && s.isSettled:
				require.Equal(t, 1, n, "sequence %d: %q was said under on: %v", seed, s.text, w.log)
				once++
			default:
				require.LessOrEqual(t, n, 1, "sequence %d: %q", seed, s.text)
			}
		}
	}
	t.Logf("%d sequences: %d said under off, none stored; %d said under on, each stored once", sequences, never, once)
	require.Positive(t, never)
	require.Positive(t, once)
}
