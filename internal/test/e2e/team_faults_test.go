package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"

	"whence/internal/test/repotest"
)

// day is the work of a colleague, through whatever happens to the server.
type day struct {
	*colleague
	n     int
	lines strings.Builder // of the transcript
	kept  *atomic.Int64   // commands that the server has not done immediately
	done  *atomic.Int64
}

const common = "the harbour crane stops at a wind of nine beaufort"

// own returns a learning of one colleague, who mentions it at each step.
func (d *day) own() string {
	return "the ferry of " + d.login + " leaves from pier seven in the morning"
}

// step has a colleague remember, judge, search and say something, and a worker run.
func (d *day) step() error {
	d.n++
	commands := [][]string{
		{common},
		{fmt.Sprintf("lesson%d of %s: valve%d of tank%d has to be shut", d.n, d.login, d.n*7, d.n*31)},
		{"edit", learning.ID(d.own()), "--reasoning", fmt.Sprint("step ", d.n)},
	}
	if d.n == 1 {
		commands = append([][]string{{d.own()}}, commands...)
	}
	for _, arguments := range commands {
		s, err := d.answer(d.command(filepath.Join(programs.dir, "memory-remember"), arguments...))
		if err != nil || s.Status != 0 {
			return fmt.Errorf("%v: %v: exit status %d: %s", arguments, err, s.Status, s.Stderr)
		}
		if strings.Contains(s.Stderr, "Kept here") {
			d.kept.Add(1)
		}
		d.done.Add(1)
	}
	if _, err := d.tell("UserPromptSubmit", "s", map[string]any{"prompt": "when does the harbour crane stop in the wind, and which valve has to be shut?"}); err != nil {
		return err
	}
	d.lines.WriteString(turnLine("s", fmt.Sprint(d.login, d.n), fmt.Sprintf("say number %s of %s about the harbour", strings.Repeat("i", d.n), d.login), time.Now()))
	transcript := filepath.Join(d.dir, "s.jsonl")
	if err := os.WriteFile(transcript, []byte(d.lines.String()), 0o600); err != nil {
		return err
	}
	_, err := d.tell("Stop", "s", map[string]any{"transcript_path": transcript})
	return err
}

// The server crashes, the network is cut and hangs, while two colleagues work. In the end all
// that was acknowledged is there, once and in its order, and both copies are what the server
// has.
func TestATeamsServerFails(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	rounds := 3
	if repotest.Long() {
		rounds = 15
	}
	bin := installed(t)
	o := newOffice(t)
	var kept, done atomic.Int64
	days := []*day{
		{colleague: o.colleague("ann", "ferry", "member", bin), kept: &kept, done: &done},
		{colleague: o.colleague("bob", "ferry", "member", bin), kept: &kept, done: &done},
	}
	ctx, enough := context.WithCancel(t.Context())
	var all sync.WaitGroup
	errs := make([]error, len(days))
	var broken atomic.Bool
	for i, d := range days {
		all.Go(func() {
			for errs[i] == nil && (ctx.Err() == nil || d.n < 2) {
				errs[i] = d.step()
			}
			broken.CompareAndSwap(false, errs[i] != nil)
		})
	}
	// Each fault comes when something was done there since the last one, and hits something.
	until := func(count *atomic.Int64) {
		before := count.Load()
		require.Eventually(t, func() bool {
			return count.Load() > before+1 || broken.Load()
		}, 5*time.Minute, 5*time.Millisecond)
	}
	until(&done)
	for round := range rounds {
		switch round % 3 {
		case 0:
			o.server.Kill(t)
			until(&kept)
			o.server.Restart(t)
		case 1:
			for _, d := range days {
				d.network.Cut()
			}
			until(&kept)
		case 2:
			for _, d := range days {
				d.network.Hang()
			}
			until(&kept)
		}
		for _, d := range days {
			d.network.Heal(t)
		}
		until(&done)
	}
	enough()
	all.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	for range 2 { // what the second has sent is not yet in the first one's replica
		for _, d := range days {
			d.workers.Wait()
			d.aMinuteLater()
			d.remembers("capture")
		}
	}

	server := days[0].server()
	there := learned(t, server)
	steps := 0
	for _, d := range days {
		steps += d.n
		st, err := d.place().Status(t.Context())
		require.NoError(t, err)
		require.Zero(t, st.Waiting+st.Refused, st.Reason)
		require.Empty(t, st.Error)
		require.Equal(t, fmt.Sprint("step ", d.n), there[learning.ID(d.own())].Reasoning)
		require.Equal(t, 1, there[learning.ID(d.own())].Observations)
		require.Equal(t, d.n, d.turns(), "each turn once")
		s, err := store.OpenReadOnly(t.Context(), d.place().Dir())
		require.NoError(t, err)
		require.Equal(t, withoutCounts(there), withoutCounts(learned(t, s)))
		require.NoError(t, s.Close())
	}
	require.Equal(t, steps, there[learning.ID(common)].Observations)
	require.Len(t, there, 1+len(days)+steps)
	t.Logf("%d commands, %d of them kept until later", done.Load(), kept.Load())
}

// withoutCounts are learnings without how often they were shown: a copy has that as of their
// last change.
func withoutCounts(all map[string]learning.Learning) map[string]learning.Learning {
	for id, l := range all {
		l.Recalls, l.LastRecalled = 0, time.Time{}
		all[id] = l
	}
	return all
}

// Where the disk is full a command that has kept nothing says so; what one has acknowledged is
// on the server in the end.
func TestATeamOnAFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bash := client(t, "bash")
	bin := installed(t)
	o := newOffice(t)
	ann := o.colleague("ann", "ferry", "member", hooksAlone(t))
	ann.remembers(tugboat)
	ann.network.Cut()
	acknowledged := []string{tugboat}
	refused := 0
	for n, blocks := range []string{"0", "1", "4", "16", "64", "80", "96", "128", "160", "192", "256", "unlimited"} {
		text := fmt.Sprintf("lesson%d: valve%d of tank%d has to be shut", n, n*7, n*31)
		s, err := ann.answer(ann.command(bash, "-c", `trap "" XFSZ; ulimit -f `+blocks+`; exec "$0" "$@"`, filepath.Join(bin, "memory-remember"), text))
		require.NoError(t, err)
		if s.Status == 0 {
			require.Contains(t, s.Stderr, "Kept here")
			acknowledged = append(acknowledged, text)
			continue
		}
		refused++
		require.NotEmpty(t, s.Stderr, blocks)
		require.NotContains(t, s.Stderr, "Kept here")
		require.NotContains(t, s.Stdout, learning.ID(text)[:8])
	}
	require.Positive(t, refused, "the limit is none")
	require.Greater(t, len(acknowledged), 1)

	ann.network.Heal(t)
	ann.aMinuteLater()
	ann.remembers("capture")
	there := learned(t, ann.server())
	require.Equal(t, len(acknowledged), len(there), "what was not acknowledged was not kept")
	for _, text := range acknowledged {
		require.Equal(t, 1, there[learning.ID(text)].Observations, text)
	}
	st, err := ann.place().Status(t.Context())
	require.NoError(t, err)
	require.Zero(t, st.Waiting+st.Refused)
}
