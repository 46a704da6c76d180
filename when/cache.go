package when

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/dispatch"
	"whence/internal/files"
	"whence/internal/home"
	"whence/internal/rank"
	"whence/internal/spool"
)

// Hooks recall at each prompt, and a memory changes rarely. So the first event after a change starts
// a detached process, memory-when cache, which writes the index for recall to a private file for
// each repository below the folder of package home: all of it, with the latent semantics, for which
// an event has no time. Until it is there, events read the memory and recall by words alone. A
// cache is used only for exactly this state of the files and this version; if anything is wrong
// with it, the memory is read. It holds words, not text: the text of decisions is always read from
// their files.

// cacheFolder holds the caches, below the folder of package home.
const cacheFolder = "recall"

// cacheFormat is the version of the cache: change it when Library.documents changes. Package
// rank has a version of its own for how documents are indexed.
const cacheFormat = "whence recall 5"

const (
	maxCaches     = 20 // the oldest are removed
	maxCacheBytes = 64 << 20
	maxTempAge    = time.Minute // an older temporary file is from a killed process

	// maxPatientSections is the number of sections up to which the command recall, which
	// someone waits for, adds the latent semantics itself: 0.3 s.
	maxPatientSections = 1000
)

// cache is the cached index of one memory in one state.
type cache struct {
	home, root string
	layout     corpus.Layout
	name       string
	key        [sha256.Size]byte // the first bytes of the file
	settled    bool              // a later change of the files would change the key
}

// cacheOf returns the cache for the memory of a request.
func cacheOf(r *dispatch.Request) (cache, error) {
	if r.Home == "" {
		return cache{}, errNoCache
	}
	return newCache(r.Home, r.Root, r.Memory(), r.Config, r.Now)
}

func newCache(home, root string, tree fs.FS, settings config.Config, now time.Time) (cache, error) {
	layout := settings.Layout()
	print, err := corpus.TakeFingerprint(tree, layout)
	if err != nil {
		return cache{}, err
	}
	// Two versions on a machine do not replace each other's caches.
	which := sha256.Sum256([]byte(strings.Join(slices.Concat([]string{cacheFormat, cli.Version, root, layout.Index}, layout.Decisions, []string{""}, layout.Documents), "\x00")))
	key := sha256.Sum256(slices.Concat(which[:], print.Sum[:]))
	name := filepath.Join(home, cacheFolder, hex.EncodeToString(which[:12])+".idx")
	return cache{home, root, layout, name, key, print.Settled(now)}, nil
}

var (
	errNoCache  = errors.New("no cached index of this state of the memory")
	errTooLarge = errors.New("the index of the memory is too large for a cache")
)

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
	if len(src) == len(c.key) {
		return nil, errTooLarge
	}
	return rank.OpenIndex(src[len(c.key):])
}

// index returns the cached index of documents, or makes it and caches it. If there are many, another
// process makes the one with latent semantics.
func (c cache) index(documents []rank.Document) *rank.Index {
	if x, err := c.open(); err == nil {
		return x
	}
	x := rank.NewIndex(documents)
	switch {
	case len(documents) <= maxPatientSections:
		x = x.WithLatent()
		if c.settled {
			_ = c.write(x) // without it the next recall only takes longer
		}
	case c.settled:
		c.start()
	}
	return x
}

// recall is Library.Recall on the cached index, without decisions less probable than limits.Decision. It
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
	l := &Library{tree: tree, layout: c.layout, files: map[string]*decision.File{}}
	var recalled []Recalled
	for _, m := range matches {
		if m.P < limits.Decision {
			continue
		}
		lead, err := parseLead(x.Label(m.Document))
		if err != nil {
			return nil, err
		}
		f, err := l.file(lead.File)
		if err != nil {
			return nil, err
		}
		p, found := semanticHeading(f, decision.Key(lead.Title))
		if !found {
			return nil, errNoCache
		}
		recalled = append(recalled, lead.recalled(p, m))
	}
	return recalled, nil
}

// write caches the index and removes old caches. If the index is too large, the file says so.
func (c cache) write(x *rank.Index) error {
	src := slices.Concat(c.key[:], x.Encode())
	if len(src) > maxCacheBytes {
		src = c.key[:]
	}
	if err := files.WritePrivate(c.name, src); err != nil {
		return err
	}
	return removeOldCaches(filepath.Dir(c.name), time.Now())
}

// removeOldCaches removes the oldest caches above maxCaches, and the temporary files of killed
// processes, but no other files.
func removeOldCaches(dir string, now time.Time) (errs error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var caches []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case strings.HasPrefix(e.Name(), ".") && strings.Contains(e.Name(), ".idx."):
			if now.Sub(info.ModTime()) > maxTempAge {
				errs = errors.Join(errs, os.Remove(filepath.Join(dir, e.Name())))
			}
		case filepath.Ext(e.Name()) == ".idx":
			caches = append(caches, info)
		}
	}
	slices.SortFunc(caches, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, info := range caches[:max(0, len(caches)-maxCaches)] {
		errs = errors.Join(errs, os.Remove(filepath.Join(dir, info.Name())))
	}
	return errs
}

// start starts a detached process that writes the cache, unless one is at work for any repository.
// Without the program, in an environment that is not the one of this process, or in the shell tool
// of an agent, where that process would refuse the repository, nothing happens.
func (c cache) start() {
	program, dir := cli.Program("memory-when"), filepath.Join(c.home, cacheFolder)
	if own, err := home.Dir(os.Getenv); err != nil || own != c.home || program == "" || agent.InShellTool(os.Getenv) || os.MkdirAll(dir, 0o700) != nil {
		return
	}
	_ = spool.Start(dir, program, "cache", "--repo", c.root)
}

// startIfSlow starts caching when half of the time of an event is over: it may be over before the
// memory is read.
func (c cache) startIfSlow(ctx context.Context) *time.Timer {
	wait := dispatch.Deadline
	if deadline, bounded := ctx.Deadline(); bounded {
		wait = time.Until(deadline)
	}
	return time.AfterFunc(wait/2, c.start)
}

// cacheCommand writes the cache of a repository, unless it is up to date.
func cacheCommand(env cli.Env) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: "cache", Usage: "prepare recall for the events of agents, which start it",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "repo", Usage: "work in the repository at `DIR`", Destination: &dir},
		},
		Action: func(context.Context, *urfave.Command) error { return cacheRepository(env, env.Path(dir), time.Now()) },
	}
}

func cacheRepository(env cli.Env, dir string, now time.Time) (err error) {
	r, err := dispatch.Open(env, agent.Event{Cwd: dir}, now)
	if err != nil {
		return err
	}
	defer r.Close()
	if r.Home == "" {
		return errNoCache
	}
	release, err := spool.Claim(filepath.Join(r.Home, cacheFolder))
	if errors.Is(err, spool.ErrBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	c, err := cacheOf(r)
	if err != nil || !c.settled {
		return err
	}
	if _, err := c.open(); err == nil || errors.Is(err, errTooLarge) {
		return nil
	}
	l, err := Open(r.Memory(), r.Config)
	if err != nil {
		return err
	}
	documents, _, err := l.documents()
	if err != nil {
		return err
	}
	x := rank.NewIndex(documents)
	if len(documents) > maxPatientSections { // until then, events can recall by words
		if err := c.write(x); err != nil {
			return err
		}
	}
	return c.write(x.WithLatent())
}
