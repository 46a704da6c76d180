package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whence/internal/agent/transcript"
	"whence/internal/files"
	"whence/internal/report"
)

// reportCache is the private file, in the folder of package home, that caches the figures of
// transcripts, one a line. It may be deleted at any time.
const reportCache = "report.cache"

const (
	maxTranscripts = 50_000
	maxCacheBytes  = 64 << 20
	maxGrowing     = 200                // transcripts that are expected to grow: the latest ones
	maxGrowAge     = 3 * 24 * time.Hour // of such a transcript
)

// scanned is the scan of a transcript, with the size and time that the file had.
type scanned struct {
	Version int               `json:"v"`
	Path    string            `json:"path"`
	Size    int64             `json:"size"`
	Time    int64             `json:"time"`
	Cursor  transcript.Cursor `json:"cursor,omitzero"` // none if it is not expected to grow
	Scan    report.Scan       `json:"scan"`
}

// isCurrent reports whether a transcript has not changed since it was scanned.
func (s scanned) isCurrent(f transcriptFile) bool {
	return s.Path == f.Path && s.Size == f.size && s.Time == f.time.UnixNano()
}

// closed returns the scan without the state from which it could be continued.
func (s scanned) closed() scanned {
	s.Cursor, s.Scan.State = transcript.Cursor{}, report.ScanState{}
	return s
}

// mayGrow reports whether a transcript is expected to grow, given when it was last written to and how
// many transcripts are newer.
func mayGrow(newer int, written, now time.Time) bool {
	return newer < maxGrowing && now.Sub(written) <= maxGrowAge
}

// readCache returns the cached scans by the paths of their transcripts, without those that cannot be
// read or are of another version.
func readCache(name string) map[string]scanned {
	known := map[string]scanned{}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxCacheBytes {
		return known
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return known
	}
	for line := range bytes.Lines(src) {
		var s scanned
		if json.Unmarshal(line, &s) == nil && s.Version == report.Version {
			known[s.Path] = s
		}
	}
	return known
}

// writeCache writes the cache, the latest transcripts first, without those that are gone from dir.
func writeCache(name, dir string, known map[string]scanned, found []transcriptFile, now time.Time) error {
	exists := map[string]bool{}
	for _, f := range found {
		exists[f.Path] = true
	}
	var all []scanned
	for path, s := range known {
		if exists[path] || !strings.HasPrefix(path, dir+string(filepath.Separator)) {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b scanned) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Path, b.Path)) })
	var out bytes.Buffer
	for i, s := range all[:min(len(all), maxTranscripts)] {
		s.Version = report.Version
		if !mayGrow(i, time.Unix(0, s.Time), now) {
			s = s.closed()
		}
		line, err := json.Marshal(s)
		if err != nil {
			return err
		}
		if out.Len()+len(line) >= maxCacheBytes {
			break
		}
		out.Write(append(line, '\n'))
	}
	return files.WritePrivate(name, out.Bytes())
}
