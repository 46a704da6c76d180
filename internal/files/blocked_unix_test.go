//go:build unix

package files_test

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"whence/internal/files"
)

// soon requires that a call returns, and returns its error.
func soon(t *testing.T, call func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		return err
	case <-time.After(5 * time.Minute):
		require.FailNow(t, "it waits")
		return nil
	}
}

// A pipe, with or without a reader, a link and a folder are refused, and nothing waits for them.
func TestOnlyARegularFileIsALog(t *testing.T) {
	for what, replace := range map[string]func(t *testing.T, name string){
		"a pipe": func(t *testing.T, name string) { require.NoError(t, syscall.Mkfifo(name, 0o600)) },
		"a pipe with a reader": func(t *testing.T, name string) {
			require.NoError(t, syscall.Mkfifo(name, 0o600))
			reader, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			require.NoError(t, err)
			t.Cleanup(func() { _ = reader.Close() })
		},
		"a link":   func(t *testing.T, name string) { require.NoError(t, os.Symlink(name+".other", name)) },
		"a folder": func(t *testing.T, name string) { require.NoError(t, os.Mkdir(name, 0o700)) },
	} {
		t.Run(what, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "a.log")
			replace(t, name)
			require.Error(t, soon(t, func() error { return files.AppendLog(name, []byte("line\n"), 100) }))
			require.Error(t, soon(t, func() error { _, err := files.ReadLog(name); return err }))
			require.NoFileExists(t, name+".other")
		})
	}
}

// While another process holds the lock of a full log, lines are added to it, within
// bounds. When the lock is free again the log is renamed.
func TestALockThatIsHeldKeepsNobodyWaiting(t *testing.T) {
	name, line := filepath.Join(t.TempDir(), "a.log"), []byte("0123456789\n")
	lock := flock.New(name + ".lock")
	require.NoError(t, lock.Lock())
	for range 80 {
		require.NoError(t, soon(t, func() error { return files.AppendLog(name, line, 110) }))
	}
	require.ErrorContains(t, soon(t, func() error { return files.AppendLog(name, line, 110) }), "another process holds")
	require.NoError(t, lock.Close())
	require.NoError(t, soon(t, func() error { return files.AppendLog(name, line, 110) }))
	src, err := files.ReadLog(name + ".1")
	require.NoError(t, err)
	require.Equal(t, string(bytes.Repeat(line, 80)), string(src))
	src, err = files.ReadLog(name)
	require.NoError(t, err)
	require.Equal(t, string(line), string(src))
}

// A pipe in the place of the lock is a lock.
func TestAPipeInThePlaceOfTheLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.log")
	require.NoError(t, syscall.Mkfifo(name+".lock", 0o600))
	for range 5 {
		require.NoError(t, soon(t, func() error { return files.AppendLog(name, []byte("0123456789\n"), 20) }))
	}
	require.FileExists(t, name+".1")
}

// Opening a pipe without a writer would wait forever.
func TestAPipeIsRefused(t *testing.T) {
	isolate(t)
	var name string
	tree := repository(t, func(m string) error {
		name = filepath.Join(m, "x.md")
		return syscall.Mkfifo(name, 0o644)
	})
	require.ErrorContains(t, soon(t, func() error { return files.Replace(name, nil, []byte("new")) }), name+" is not a regular file")
	require.EqualError(t, soon(t, func() error { _, err := files.ReadText(tree, "m/x.md"); return err }),
		"m/x.md is not a regular file: put a text file in its place")
}
