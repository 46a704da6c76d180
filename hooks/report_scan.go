package hooks

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"whence/internal/agent/transcript"
	"whence/internal/cli"
	"whence/internal/parallel"
	"whence/internal/report"
	"whence/internal/transcripts"
)

// scans holds the scans of all transcripts.
type scans struct {
	all    []report.Scan
	failed []error // why transcripts were skipped
}

// scanTranscripts scans the transcripts in folders and databases that were written to since a time, on
// all processors. Earlier scans are taken from the cache, and continued if the transcript has grown.
func scanTranscripts(ctx context.Context, env cli.Env, folders []string, cache string, since, now time.Time) (s scans) {
	var files []transcripts.File
	for i, folder := range folders {
		if real, err := filepath.EvalSymlinks(folder); err == nil { // the folder itself may be a link
			folders[i] = real
		}
		found, skipped := transcripts.In(ctx, folders[i])
		files, s.failed = append(files, found...), append(s.failed, skipped...)
	}
	slices.SortFunc(files, func(a, b transcripts.File) int {
		return cmp.Or(b.Written.Compare(a.Written), cmp.Compare(a.Name, b.Name))
	})
	known := readCache(cache)
	due := slices.DeleteFunc(slices.Clone(files), func(f transcripts.File) bool { return f.Written.Before(since) })
	done := make([]scanned, len(due))
	errs := make([]error, len(due))
	var progress sync.Mutex
	show, count := cli.Progress(env, "reading transcripts"), 0
	parallel.For(len(due), func(i int) {
		done[i], errs[i] = scan(ctx, due[i], known[due[i].Name])
		if !mayGrow(i, due[i].Written, now) {
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
			s.failed = append(s.failed, fmt.Errorf("%s: %w", due[i].Name, errs[i]))
			delete(known, due[i].Name)
			continue
		}
		s.all = append(s.all, f.Scan)
		if old, found := known[f.Name]; !found || !old.isCurrent(due[i]) {
			known[f.Name], changed = f, true
		}
	}
	if changed {
		if err := writeCache(cache, folders, known, files, now); err != nil {
			s.failed = append(s.failed, err)
		}
	}
	return s
}

// scan scans a transcript, continuing an earlier scan if possible. One that has gone is empty.
func scan(ctx context.Context, f transcripts.File, old scanned) (scanned, error) {
	if old.isCurrent(f) {
		return old, nil
	}
	source, err := transcripts.Open(ctx, f.Name)
	if err != nil || source == nil {
		return scanned{Name: f.Name}, err
	}
	defer source.Close()
	now := scanned{Name: f.Name}
	if old.Cursor != (transcript.Cursor{}) && f.Bytes >= old.Size {
		now.Scan, now.Cursor = old.Scan, old.Cursor
		if start, err := now.read(source, f); err != nil || start == transcript.Onwards {
			return now, err
		}
		now = scanned{Name: f.Name} // it was rewritten
	}
	now.Scan.Agent = source.Agent()
	_, err = now.read(source, f)
	return now, err
}

// read continues to the end of a transcript.
func (s *scanned) read(source transcripts.Source, f transcripts.File) (start transcript.Start, err error) {
	s.Cursor, start, err = source.Read(s.Cursor, func(r transcript.Record) error {
		s.Scan.Add(r)
		return nil
	})
	s.Size, s.Time = f.Bytes, f.Written.UnixNano()
	return start, err
}
