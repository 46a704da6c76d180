package dispatch

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"whence/internal/config"
	"whence/internal/files"
)

// knownFolder has, below the folder of package home, a file for each thing that is known of a repository
// in one state, so that the next session need not find it out again.
const knownFolder = "known"

const (
	maxKnownAge   = 30 * 24 * time.Hour
	maxKnownBytes = 4 << 10
)

// known is the content of a file of knownFolder.
type known struct {
	State string          `json:"state"`
	Value json.RawMessage `json:"value"`
}

// Known reads what Know has stored of the repository in a state. It returns false if there is nothing.
func (r *Request) Known(what, state string, into any) bool {
	if r.Home == "" {
		return false
	}
	name := r.knownFile(what)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxKnownBytes {
		return false
	}
	src, err := os.ReadFile(name)
	var k known
	return err == nil && json.Unmarshal(src, &k) == nil && k.State == state && json.Unmarshal(k.Value, into) == nil
}

// Know stores, once the reply is given, what was found out of the repository in a state, in place of what
// was known before. Without a Home nothing is stored.
func (r *Request) Know(what, state string, value any) {
	r.Later(func(context.Context) {
		src, err := json.Marshal(value)
		if err == nil {
			src, err = json.Marshal(known{state, src})
		}
		if err == nil && files.WritePrivate(r.knownFile(what), src) == nil {
			r.removeOlder(filepath.Join(r.Home, knownFolder), maxKnownAge)
		}
	})
}

func (r *Request) knownFile(what string) string {
	return filepath.Join(r.Home, knownFolder, shortHash(what+"\x00"+config.RepositoryOf(r.Root), 12))
}

// removeOlder removes the files of a folder that were written longer ago.
func (r *Request) removeOlder(dir string, age time.Duration) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err != nil || r.Now.Sub(info.ModTime()) >= age {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
