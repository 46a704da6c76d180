//go:build unix

package worktree_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A file that is written again and again, each time as a new one, can be read at any time.
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

// While a folder is replaced over and over, each way of reading it succeeds or reports that it does not exist.
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
