package worktree_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
	"whence/internal/worktree"
)

func TestMain(m *testing.M) {
	os.Exit(repotest.Main(m.Run, map[string]repotest.JobFunc{
		"count": func(name string, _ []string) error { return count(name) },
		"swap":  func(name string, _ []string) error { return swapForever(name) },
	}))
}

const increments = 50

// count increments the number in a file again and again.
func count(name string) error {
	for done := 0; done < increments; {
		base, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		number, err := strconv.Atoi(string(base))
		if err != nil {
			return fmt.Errorf("torn read: %w", err)
		}
		switch err := replace(name, base, []byte(strconv.Itoa(number+1))); {
		case err == nil:
			done++
		case !errors.Is(err, worktree.ErrChanged):
			return err
		}
	}
	return nil
}

// countApart counts in another process, with variables of its own.
func countApart(name string, env ...string) error {
	cmd := repotest.NewJob("count", name)
	cmd.Env = append(cmd.Env, env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func TestNoIncrementIsLost(t *testing.T) {
	const goroutines, processes = 8, 4
	for _, c := range []struct {
		name    string
		writers int
		write   func(name string) error
	}{
		{"goroutines", goroutines, count},
		{"processes", processes, func(name string) error { return countApart(name) }},
		{"processes of different environments", 2, func(name string) error {
			apart := t.TempDir()
			var env []string
			for _, variable := range slices.Concat(cacheVariables, tempVariables) {
				env = append(env, variable+"="+apart)
			}
			return countApart(name, env...)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(c.name, "environments") {
				t.Skip("folders cannot be locked here, and lock files lie where the environment says")
			}
			isolate(t)
			name := file(t, "0")
			errs := make([]error, c.writers)
			var all sync.WaitGroup
			for i := range c.writers {
				all.Go(func() { errs[i] = c.write(name) })
			}
			all.Wait()
			require.NoError(t, errors.Join(errs...))
			requireAlone(t, name, strconv.Itoa(c.writers*increments))
		})
	}
}

// An editor ignores the lock. It saves as soon as Replace has begun to write; only in the
// microseconds between the last comparison and the rename may it be undone.
func TestASaveWhileReplaceIsAtWorkIsKept(t *testing.T) {
	const saves, tries = 20, 200
	data := bytes.Repeat([]byte("new\n"), 1<<20) // so much that writing it takes a while
	for how, save := range map[string]func(name string) error{
		"in place": func(name string) error { return os.WriteFile(name, []byte("edited"), 0o644) },
		"by a rename": func(name string) error {
			return errors.Join(os.WriteFile(name+"~", []byte("edited"), 0o644), os.Rename(name+"~", name))
		},
	} {
		t.Run(how, func(t *testing.T) {
			isolate(t)
			saved, kept := 0, 0
			for tried := 0; saved < saves && tried < tries; tried++ {
				name := file(t, "base")
				done := make(chan error, 1)
				go func() { done <- replace(name, []byte("base"), data) }()
				for len(names(t, filepath.Dir(name))) == 1 && len(done) == 0 {
				}
				if len(done) > 0 {
					continue // too fast to be seen
				}
				require.NoError(t, save(name))
				saved++
				switch err := <-done; {
				case errors.Is(err, worktree.ErrChanged):
					kept++
					requireAlone(t, name, "edited")
				default:
					require.NoError(t, err)
				}
			}
			require.Equal(t, saves, saved)
			// Where the machine is busy, some saves come only after the last comparison.
			// Without that comparison none would be kept.
			require.GreaterOrEqual(t, kept, saves/2)
		})
	}
}

// contents are two texts of one megabyte, of different length and without a
// common line, so that a mixture shows.
func contents() [2][]byte {
	return [2][]byte{
		[]byte(strings.Repeat("one\n", 1<<18)),
		[]byte(strings.Repeat("another\n", 1<<17+1)),
	}
}

// swapForever replaces each of the contents by the other and reports when it has
// begun.
func swapForever(name string) error {
	texts := contents()
	base, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	from := 0
	if bytes.Equal(base, texts[1]) {
		from = 1
	}
	for ; ; from = 1 - from {
		if err := replace(name, texts[from], texts[1-from]); err != nil {
			return err
		}
		if _, err := os.Stdout.Write([]byte{'.'}); err != nil {
			return err
		}
	}
}

func TestAKilledWriterLeavesOneOfTheTextsWhole(t *testing.T) {
	const kills = 40
	isolate(t)
	texts := contents()
	name := file(t, string(texts[0]))
	seed := time.Now().UnixNano()
	t.Log("seed", seed)
	random := rand.New(rand.NewSource(seed))
	// Repeat until a kill has come in the middle of a Replace and left its temporary
	// file: otherwise the test proves nothing.
	interrupted := false
	for done := 0; done < kills || !interrupted && done < 10*kills; done++ {
		killAfter(t, repotest.NewJob("swap", name), time.Duration(random.Intn(20_000))*time.Microsecond)
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, bytes.Equal(got, texts[0]) || bytes.Equal(got, texts[1]), "torn: %d bytes", len(got))
		interrupted = len(names(t, filepath.Dir(name))) > 1
	}
	require.True(t, interrupted)

	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, replace(name, got, []byte("new")))
	if runtime.GOOS != "windows" { // where folders cannot be locked, a young temporary file may be in use
		requireAlone(t, name, "new")
	}
}

// killAfter runs a writer and kills it some time after its first write.
func killAfter(t *testing.T, cmd *exec.Cmd, delay time.Duration) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.ReadFull(stdout, make([]byte, 1))
	if err != nil {
		_ = cmd.Wait()
	}
	require.NoError(t, err, "the writer wrote nothing: %s", &stderr)
	kill := time.AfterFunc(delay, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	_, _ = io.Copy(io.Discard, stdout)
	_ = cmd.Wait()
	require.Empty(t, stderr.String(), "the writer failed before it was killed")
}
