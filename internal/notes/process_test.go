package notes_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/notes"
	"whence/internal/test/repotest"
)

func TestMain(m *testing.M) {
	os.Exit(repotest.Main(m.Run, map[string]repotest.JobFunc{"work": work}))
}

// adrs is the number of decision records that a session writes, and failures the number of times that the same command
// fails in it.
const (
	adrs     = 12
	failures = 15
)

func adr(i int) string { return fmt.Sprintf("agents/decisions/%04d.md", i) }

// work runs a session in another process. It makes the same changes as the others, in another order, each twice.
func work(dir string, args []string) error {
	seed, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	c := config.Default()
	c.Notes = true
	var events []agent.Event
	for i := range adrs {
		e := agent.Event{Name: agent.PostToolUse, Tool: "Write", Path: adr(i), Edits: []agent.Edit{{Path: adr(i), New: "# Decided\n"}}}
		events = append(events, e, e)
	}
	for i := range failures {
		events = append(events, agent.Event{Name: agent.PostToolUseFailure, Tool: "Bash", Command: "npm test", Error: fmt.Sprintf("Exit code 1\nerror in line %d of session %d\n  at x.js:%d", i, seed, i)})
	}
	rand.New(rand.NewSource(int64(seed))).Shuffle(len(events), func(i, k int) { events[i], events[k] = events[k], events[i] })
	for _, e := range append([]agent.Event{{Name: agent.SessionStart, Source: "startup"}}, events...) {
		e.Session, e.Cwd = fmt.Sprint("s", seed), dir
		now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
		if err := notes.Record(dir, e, c, now); err != nil {
			return err
		}
		if _, err := notes.Handle(context.Background(), dir, e, c, now); err != nil {
			return err
		}
	}
	return nil
}

// Concurrent sessions in several processes lose no line of any file, write each line once, and count everything.
func TestProcessesAtOnce(t *testing.T) {
	const sessions = 4
	own := map[string]string{
		decisionsMD: "# Ours\r\n\r\n- by hand\r\nno line end",
		errorsLog:   "written by a person\n",
		contextMD:   "\ufeff## Goal\nBuild it\n",
		findingsMD:  "| a | b |\n",
	}
	s := newStage(t, own)
	for i := range adrs {
		s.write(adr(i), "# Decided\n")
	}
	var children []*exec.Cmd
	for seed := range sessions {
		child := repotest.NewJob("work", s.dir, fmt.Sprint(seed))
		child.Stderr = os.Stderr
		require.NoError(t, child.Start())
		children = append(children, child)
	}
	for _, child := range children {
		require.NoError(t, child.Wait())
	}
	for name, text := range own {
		require.True(t, strings.HasPrefix(s.read(name), text), name)
	}
	for i := range adrs {
		require.Equal(t, 1, strings.Count(s.read(decisionsMD), "- 2026-01-02 "+adr(i)+" (decision record) changed: “Decided”\r\n"), i)
	}
	log := s.read(errorsLog)
	for seed := range sessions {
		for i := range failures {
			require.Equal(t, 1, strings.Count(log, fmt.Sprintf(": npm test: error in line %d of session %d\n", i, seed)))
		}
	}
	require.Equal(t, 1+3*sessions*failures, strings.Count(log, "\n"), "records of three lines, each whole")
	require.Equal(t, 1, strings.Count(s.read(decisionsMD), "Lesson: "))
	all := sessionFields(s)
	require.Len(t, all.Sessions, sessions)
	require.Equal(t, sessions*(2*adrs+failures), all.ToolCallCount)
	entries, err := os.ReadDir(s.dir + "/" + notes.Folder)
	require.NoError(t, err)
	require.Len(t, entries, 5, "nothing is left behind")
}

// Thirty sessions that fail at the same time lose no failure, even while another process holds the lock.
func TestNoFailureIsMissing(t *testing.T) {
	const sessions, failures = 30, 8
	s := newStage(t, nil)
	s.start("startup")
	lock := flock.New(filepath.Join(s.dir, notes.Folder), flock.SetFlag(os.O_RDONLY))
	require.NoError(t, lock.Lock())
	defer lock.Close()
	var all sync.WaitGroup
	for i := range sessions {
		all.Go(func() {
			for k := range failures {
				e := agent.Event{Name: agent.PostToolUseFailure, Session: fmt.Sprint("s", i), Cwd: s.dir, Tool: "Bash", Command: "make", Error: fmt.Sprintf("error x%dx%dx", i, k)}
				assert.NoError(t, notes.Record(s.dir, e, s.config, s.now))
			}
		})
	}
	all.Wait()
	log := s.read(errorsLog)
	records := strings.FieldsFunc(log, func(r rune) bool { return r == '\n' }) // beside another one that is being written, an empty line may come in
	require.Len(t, records, sessions*failures, "each record is whole")
	for i := range sessions {
		for k := range failures {
			require.Contains(t, log, fmt.Sprintf(": make: error x%dx%dx\n", i, k))
		}
	}
}
