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

// Hooks recall at each prompt, and a memory changes rarely. So an event that has read it
// leaves an index of it for those to come: a private file for each repository, in the
// folder of package home. The index counts only if it is of exactly this state of the files
// and of this program; whatever else is wrong with it, the memory is read as if there was
// none. It holds words, no text: what is told is read from the decision files.

// cacheFolder is the folder of the indexes, in that of package home.
const cacheFolder = "recall"

// cacheFormat names what is written: it changes with what Library.documents makes of a
// memory. How words are read of documents is named by package rank.
const cacheFormat = "whence recall 2"

const (
	mostCaches   = 20          // repositories; that which was written first is removed
	longestCache = 64 << 20    // bytes
	abandoned    = time.Minute // after which what is being written is nobody's any more
)

// cache is the place of the index of one memory, in one state.
type cache struct {
	name    string
	key     [sha256.Size]byte // with which the file begins
	settled bool              // the state of the files is one that can be told from others
}

// cacheOf is the cache of the memory of a moment.
func cacheOf(m *dispatch.Moment) (cache, error) {
	layout := corpus.Layout{Index: m.Config.Index, Decisions: m.Config.Decisions}
	print, err := corpus.TakeFingerprint(m.Tree.FS(), layout)
	if err != nil {
		return cache{}, err
	}
	which := sha256.Sum256([]byte(strings.Join(append([]string{m.Root, layout.Index}, layout.Decisions...), "\x00")))
	key := sha256.Sum256(slices.Concat([]byte(cacheFormat+"\x00"+cli.Version+"\x00"), which[:], print.Sum[:]))
	name := filepath.Join(m.Home, cacheFolder, hex.EncodeToString(which[:12])+".idx")
	return cache{name, key, print.Settled(m.Now)}, nil
}

var errNoCache = errors.New("there is no index of this state of the memory")

// open reads the index.
func (c cache) open() (*rank.Index, error) {
	info, err := os.Lstat(c.name) // before opening: a pipe would block
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > longestCache {
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

// recall is Library.Recall by the index, but for what has not the least evidence. It reads
// only the decision files that it tells of. An error means that the memory has to be read.
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

// leadsTo finds the heading that an entry led to when the index was written.
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
	return place{}, fmt.Errorf("%s has no %q any more", e.file, e.title)
}

// leave writes the index for the events to come, unless that would take longer than an
// agent waits. A memory that has been changed this moment is left for the next event.
func (c cache) leave(ctx context.Context, x *rank.Index, took time.Duration) error {
	if until, bounded := ctx.Deadline(); !c.settled || bounded && time.Until(until) < 2*took {
		return nil
	}
	src := x.Encode()
	if len(src)+len(c.key) > longestCache {
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

// tidy removes the oldest indexes of too many, and what killed processes have left. Files
// of others are let be.
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
			if now.Sub(info.ModTime()) > abandoned {
				all = errors.Join(all, os.Remove(filepath.Join(dir, e.Name())))
			}
		}
	}
	slices.SortFunc(caches, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, info := range caches[:max(0, len(caches)-mostCaches)] {
		all = errors.Join(all, os.Remove(filepath.Join(dir, info.Name())))
	}
	return all
}
