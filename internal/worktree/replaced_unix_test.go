//go:build unix

package worktree_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"whence/internal/worktree"
)

// A file that is repeatedly replaced by a new one can be read at any time.
func TestReadWhileOthersReplace(t *testing.T) {
	dir := folder(t, []string{"x.md"}, nil)
	tree := open(t, dir)
	name, next := filepath.Join(dir, "x.md"), filepath.Join(dir, "next")
	var done atomic.Bool
	var writer sync.WaitGroup
	writer.Go(func() {
		for !done.Load() {
			if assert.NoError(t, os.WriteFile(next, []byte("text"), 0o600)) {
				assert.NoError(t, os.Rename(next, name))
			}
		}
	})
	for range 5000 {
		if _, err := fs.ReadFile(tree.FS(), "x.md"); !assert.NoError(t, err) {
			break
		}
	}
	done.Store(true)
	writer.Wait()
}

// While a folder is repeatedly replaced, each way of reading it succeeds or reports that the folder does not exist.
func TestReadWhileAFolderIsExchanged(t *testing.T) {
	dir := folder(t, []string{"a/x.md", "b/x.md"}, nil)
	tree := open(t, dir)
	one, other, between := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c")
	var done atomic.Bool
	var writer sync.WaitGroup
	writer.Go(func() {
		for !done.Load() {
			assert.NoError(t, errors.Join(os.Rename(one, between), os.Rename(other, one), os.Rename(between, other)))
		}
	})
	for range 5000 {
		_, err := fs.Stat(tree.FS(), "a/x.md")
		_, err2 := fs.ReadDir(tree.FS(), "a")
		_, err3 := fs.ReadFile(tree.FS(), "a/x.md")
		for _, err := range []error{err, err2, err3} {
			if err != nil && !assert.ErrorIs(t, err, fs.ErrNotExist) {
				done.Store(true)
			}
		}
	}
	done.Store(true)
	writer.Wait()
}

// A pipe that repeatedly replaces a file does not block a reader, nor does a pipe in the place of a folder to lock.
func TestPipesDoNotBlock(t *testing.T) {
	dir := folder(t, []string{"x.md"}, nil)
	tree := open(t, dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, errors.Join(syscall.Mkfifo(at("pipe"), 0o600), syscall.Mkfifo(at("folder"), 0o600)))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	locking := make(chan error, 1)
	go func() {
		unlock, err := worktree.LockFolder(ctx, at("folder"))
		if err == nil {
			err = unlock()
		}
		locking <- err
	}()
	var done atomic.Bool
	var swaps, reads sync.WaitGroup
	swaps.Go(func() {
		for !done.Load() {
			_ = errors.Join(os.Rename(at("x.md"), at("y.md")), os.Rename(at("pipe"), at("x.md")), os.Rename(at("x.md"), at("pipe")), os.Rename(at("y.md"), at("x.md")))
		}
	})
	read := make(chan bool)
	reads.Go(func() {
		for range 20000 {
			_, _ = fs.ReadFile(tree.FS(), "x.md")
		}
		close(read)
	})
	for range 2 {
		select {
		case <-read:
			read = nil
		case err := <-locking:
			require.NoError(t, err)
		case <-ctx.Done():
			t.Fatal("a pipe blocks")
		}
	}
	done.Store(true)
	swaps.Wait()
	reads.Wait()
}
