package worktree_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

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

// count repeatedly increments the number in a file.
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

// countApart runs count in another process, with variables of its own.
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

// An editor ignores the lock, and saves as soon as Replace has begun to write. Its change may be lost only in the
// microseconds between the last comparison and the rename.
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
