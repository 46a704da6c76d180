package when

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/dispatch"
	"whence/internal/rank"
)

// Hooks recall at each prompt, and a memory changes rarely. So an event that has read the
// memory caches an index of it, in a private file for each repository below the folder of
// package home. The cache is used only for exactly this state of the files and this version;
// if anything is wrong with it, the memory is read. It holds words, not text: the text of
// decisions is always read from their files.

// cacheFolder holds the caches, below the folder of package home.
const cacheFolder = "recall"

// cacheFormat is the version of the cache: change it when Library.documents changes. Package
// rank has a version of its own for how documents are indexed.
const cacheFormat = "whence recall 2"

const (
	maxCaches     = 20 // the oldest are removed
	maxCacheBytes = 64 << 20
	maxTempAge    = time.Minute // an older temporary file is from a killed process
)

// cache is the cached index of one memory in one state.
type cache struct {
	name    string
	key     [sha256.Size]byte // the first bytes of the file
	settled bool              // a later change of the files would change the key
}

// cacheOf returns the cache for the memory of a request.
func cacheOf(r *dispatch.Request) (cache, error) {
	layout := corpus.Layout{Index: r.Config.Index, Decisions: r.Config.Decisions}
	print, err := corpus.TakeFingerprint(r.Tree.FS(), layout)
	if err != nil {
		return cache{}, err
	}
	which := sha256.Sum256([]byte(strings.Join(append([]string{r.Root, layout.Index}, layout.Decisions...), "\x00")))
	key := sha256.Sum256(slices.Concat([]byte(cacheFormat+"\x00"+cli.Version+"\x00"), which[:], print.Sum[:]))
	name := filepath.Join(r.Home, cacheFolder, hex.EncodeToString(which[:12])+".idx")
	return cache{name, key, print.Settled(r.Now)}, nil
}

var errNoCache = errors.New("no cached index of this state of the memory")

// open reads the index.
func (c cache) open() (*rank.Index, error) {
	info, err := os.Lstat(c.name) // before opening: a pipe would block
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxCacheBytes {
		return nil, errNoCache
	}
	src, err := os.ReadFile(c.name)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(src, c.key[:]) {
		return nil, errNoCache
	}
	return rank.OpenIndex(src[len(c.key):])
}

// recall is Library.Recall on the cached index, without decisions below limits.Decision. It
// reads only the decision files of its results. After an error the memory has to be read.
func (c cache) recall(tree fs.FS, text string, limits dispatch.Limits) ([]Recalled, error) {
	x, err := c.open()
	if err != nil {
		return nil, err
	}
	matches, err := x.Recall(text, limits.Items)
	if err != nil {
		return nil, err
	}
	l := &Library{tree: tree, files: map[string]*decision.File{}}
	var found []Recalled
	for _, m := range matches {
		if m.Evidence < limits.Decision {
			continue
		}
		lead, err := parseLead(x.Label(m.Document))
		if err != nil {
			return nil, err
		}
		p, err := l.leadsTo(lead)
		if err != nil {
			return nil, err
		}
		found = append(found, lead.recalled(p, m))
	}
	return found, nil
}

// leadsTo finds the heading that an entry led to when the cache was written.
func (l *Library) leadsTo(e lead) (place, error) {
	f, err := l.file(e.file)
	if err != nil {
		return place{}, err
	}
	key := decision.Key(e.title)
	for i, h := range f.Headings {
		if h.Semantic() && h.Key == key {
			return place{f, i}, nil
		}
	}
	return place{}, fmt.Errorf("%s no longer has %q", e.file, e.title)
}

// write caches the index, unless the deadline is too near. If the memory has only just changed,
// the next event writes it.
func (c cache) write(ctx context.Context, x *rank.Index, took time.Duration) error {
	if until, bounded := ctx.Deadline(); !c.settled || bounded && time.Until(until) < 2*took {
		return nil
	}
	src := x.Encode()
	if len(src)+len(c.key) > maxCacheBytes {
		return nil
	}
	dir := filepath.Dir(c.name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, filepath.Base(c.name)+".*.new")
	if err != nil {
		return err
	}
	_, err = temp.Write(slices.Concat(c.key[:], src))
	err = errors.Join(err, temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), c.name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return tidy(dir, time.Now())
}

// tidy removes the oldest caches above maxCaches, and old temporary files, but no other files.
func tidy(dir string, now time.Time) (all error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var caches []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		switch filepath.Ext(e.Name()) {
		case ".idx":
			caches = append(caches, info)
		case ".new":
			if now.Sub(info.ModTime()) > maxTempAge {
				all = errors.Join(all, os.Remove(filepath.Join(dir, e.Name())))
			}
		}
	}
	slices.SortFunc(caches, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, info := range caches[:max(0, len(caches)-maxCaches)] {
		all = errors.Join(all, os.Remove(filepath.Join(dir, info.Name())))
	}
	return all
}
