//go:build unix

package worktree_test

import (
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
