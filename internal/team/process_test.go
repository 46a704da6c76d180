package team_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/team"
)

// The test binary is also the worker that is killed.
const workerVariable = "DELIVERY_TEST_OFFICE"

func TestMain(m *testing.M) {
	office := os.Getenv(workerVariable)
	if office == "" {
		os.Exit(m.Run())
	}
	server := team.NewServer(func(ctx context.Context, _ string) (*store.Store, error) { return store.Open(ctx, office) })
	fmt.Println("ready")
	if _, err := team.Sync(context.Background(), os.Args[1], server); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A worker may be killed at any moment: the next goes on, and nothing is lost or doubled.
func TestKilledWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	o := newOffice(t)
	home, p := newPlace(t)
	see(t, p, project)
	const lessons, times = 40, 3
	for range times {
		for n := range lessons {
			write(t, p, nil, putting(lesson(n)))
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	for rounds := 0; hasPending(t, p); rounds++ {
		require.Less(t, rounds, 200)
		require.NoError(t, os.RemoveAll(p.Dir()+"/.tried"))
		cmd := exec.Command(os.Args[0], home)
		cmd.Env = append(os.Environ(), workerVariable+"="+o.dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = fmt.Fscanln(out, new(string))
		require.NoError(t, err)
		time.Sleep(time.Duration(random.IntN(60)+rounds*rounds) * time.Millisecond) // longer and longer: a slow machine gets on too
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
	}
	require.NoError(t, p.Refresh(t.Context(), o.server(t)))
	there := all(t, o.dir)
	require.Equal(t, there, all(t, p.Dir()))
	require.Len(t, there, lessons)
	for _, l := range there {
		require.Equal(t, times, l.Observations, l.Name)
	}
	st, err := p.Status(t.Context())
	require.NoError(t, err)
	require.Zero(t, st.Refused)
}
