package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"whence/internal/repo"
	"whence/internal/worktree"
)

// Events need to know quickly which files are memory, and asking git takes several milliseconds. So git's answer is
// kept in a private file for each memory until something that it depends on changes: the names of the files that the
// settings name, git's index, its settings, and the files that say what is ignored.

const (
	keptFolder   = "memory" // below the folder of package home
	keptVersion  = "1"
	maxKeptBytes = 8 << 20
	maxKeptAge   = 30 * 24 * time.Hour
)

// gitQuery asks git about files of a folder.
type gitQuery struct {
	repository *repo.Repository
	dir, below string // the folder, on disk and from the root of the repository
	layout     Layout
	names      []string // that the layout names, from the folder
	ignored    bool     // whether files that git ignores count
}

// kept is the content of a file of keptFolder.
type kept struct {
	State    string          `json:"state"`
	Settings []string        `json:"settings"` // the files of git's settings
	Files    map[string]bool `json:"files"`    // the names among the result of [repo.Repository.Files]
}

// clockStep is the step of the coarsest clocks of file systems: a file that changes twice within it may look the same.
const clockStep = 2 * time.Second

// answer returns the names that git lists, and for each whether git tracks it.
func (q gitQuery) answer(ctx context.Context, o Options) (map[string]bool, error) {
	known := ""
	if o.Home != "" {
		known = filepath.Join(o.Home, keptFolder, hash(q.dir, fmt.Sprint(q.layout))[:24]+".json")
	}
	var k kept
	if src := readKept(known); json.Unmarshal(src, &k) == nil {
		if state, _ := q.state(k.Settings); state == k.State {
			return k.Files, nil
		}
	}
	settings, ok := []string(nil), false
	if known != "" {
		settings, ok = q.repository.IgnoreSettings(ctx)
	}
	state, changed := q.state(settings) // before git is asked
	found, err := q.repository.Files(ctx, q.dir, q.folders(), q.ignored)
	if err != nil {
		return nil, err
	}
	k = kept{state, settings, map[string]bool{}}
	for _, name := range q.names {
		if tracked, listed := found[name]; listed {
			k.Files[name] = tracked
		}
	}
	if ok && o.Now.Sub(changed) > clockStep {
		if src, err := json.Marshal(k); err == nil && worktree.WritePrivate(known, src) == nil { // otherwise git is asked again
			removeOldKept(filepath.Dir(known), o.Now)
		}
	}
	return k.Files, nil
}

// readKept reads a kept file. It returns nil if there is none, or if others may read it.
func readKept(name string) []byte {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxKeptBytes {
		return nil
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return nil
	}
	src, _ := os.ReadFile(name)
	return src
}

// state identifies everything that the answer depends on, and returns when it was last changed.
func (q gitQuery) state(settings []string) (state string, changed time.Time) {
	folders := map[string]bool{}
	for _, name := range q.names {
		for at := path.Dir(path.Join(q.below, name)); !folders[at]; at = path.Dir(at) {
			folders[at] = true
		}
	}
	paths, parts := q.repository.FilesDependOn(slices.Sorted(maps.Keys(folders)), settings)
	parts = append(parts, keptVersion, q.dir, fmt.Sprint(q.layout, q.ignored))
	parts = append(parts, q.names...)
	for _, name := range paths {
		info, err := os.Stat(name)
		if err != nil {
			parts = append(parts, name, "missing")
			continue
		}
		parts = append(parts, name, fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano()))
		if info.ModTime().After(changed) {
			changed = info.ModTime()
		}
	}
	return hash(parts...), changed
}

// folders returns the folders below which the globs find files, and the files that the layout names.
func (q gitQuery) folders() []string {
	folders := map[string]bool{q.layout.Index: true}
	for _, pattern := range slices.Concat(q.layout.Decisions, q.layout.Documents) {
		if g, err := worktree.ParseGlob(pattern); err == nil && !strings.HasPrefix(pattern, exception) {
			folders[g.Base()] = true
		}
	}
	return slices.Sorted(maps.Keys(folders))
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// removeOldKept removes answers older than maxKeptAge.
func removeOldKept(dir string, now time.Time) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > maxKeptAge {
			_ = os.Remove(filepath.Join(dir, e.Name())) // otherwise, the next run tries again
		}
	}
}
