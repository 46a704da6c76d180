package hooks

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"whence/internal/agent/transcript"
	"whence/internal/cli"
	"whence/internal/parallel"
	"whence/internal/report"
)

// scans holds the scans of all transcripts in a folder.
type scans struct {
	all    []report.Scan
	failed []error // why transcripts were skipped
}

// scanTranscripts scans the transcripts in a folder and below that were written to since a time, on
// all processors. Earlier scans are taken from the cache, and continued if the transcript has grown.
func scanTranscripts(env cli.Env, dir, cache string, since, now time.Time) (s scans, err error) {
	if real, err := filepath.EvalSymlinks(dir); err == nil { // the folder itself may be a link
		dir = real
	}
	files, err := transcriptsIn(dir, &s.failed)
	if err != nil {
		return s, err
	}
	slices.SortFunc(files, func(a, b transcriptFile) int { return cmp.Or(b.time.Compare(a.time), cmp.Compare(a.Path, b.Path)) })
	known := readCache(cache)
	due := slices.DeleteFunc(slices.Clone(files), func(f transcriptFile) bool { return f.time.Before(since) })
	done := make([]scanned, len(due))
	errs := make([]error, len(due))
	var progress sync.Mutex
	show, count := cli.Progress(env, "reading transcripts"), 0
	parallel.For(len(due), func(i int) {
		done[i], errs[i] = scan(due[i], known[due[i].Path])
		if !mayGrow(i, due[i].time, now) {
			done[i] = done[i].closed()
		}
		progress.Lock()
		defer progress.Unlock()
		count++
		show(count, len(due))
	})
	changed := false
	for i, f := range done {
		if errs[i] != nil {
			s.failed = append(s.failed, errs[i])
			delete(known, due[i].Path)
			continue
		}
		s.all = append(s.all, f.Scan)
		if old, found := known[f.Path]; !found || !old.isCurrent(due[i]) {
			known[f.Path], changed = f, true
		}
	}
	if changed {
		if err := writeCache(cache, dir, known, files, now); err != nil {
			s.failed = append(s.failed, err)
		}
	}
	return s, nil
}

// transcriptFile is the file of a transcript.
type transcriptFile struct {
	Path string
	size int64
	time time.Time
}

// transcriptsIn returns all transcripts in a folder and below. Links are not followed. A folder that
// does not exist has none.
func transcriptsIn(dir string, failed *[]error) (all []transcriptFile, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				*failed = append(*failed, err)
			}
			return nil
		}
		if !entry.Type().IsRegular() || !strings.HasSuffix(path, ".jsonl") {
			return nil
		}
		info, err := entry.Info()
		if err != nil { // it was deleted meanwhile
			return nil
		}
		all = append(all, transcriptFile{path, info.Size(), info.ModTime()})
		return nil
	})
	return all, err
}

// scan scans a transcript, continuing an earlier scan if possible.
func scan(f transcriptFile, old scanned) (scanned, error) {
	if old.isCurrent(f) {
		return old, nil
	}
	file, err := os.Open(f.Path)
	if err != nil {
		return scanned{}, err
	}
	defer file.Close()
	now := scanned{Path: f.Path}
	if old.Cursor.Offset > 0 && f.size > old.Size {
		now.Scan, now.Cursor = old.Scan, old.Cursor
		if start, err := now.read(file, f); err != nil || start == transcript.Onwards {
			return now, err
		}
		now = scanned{Path: f.Path} // it was rewritten
	}
	_, err = now.read(file, f)
	return now, err
}

// read continues to the end of a transcript.
func (s *scanned) read(file *os.File, f transcriptFile) (start transcript.Start, err error) {
	s.Cursor, start, err = transcript.Read(file, f.size, s.Cursor, func(r transcript.Record) error {
		s.Scan.Add(r)
		return nil
	})
	s.Size, s.Time = f.size, f.time.UnixNano()
	if err != nil {
		err = fmt.Errorf("%s: %w", f.Path, err)
	}
	return start, err
}
