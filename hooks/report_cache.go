package hooks

import (
	"bufio"
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

// Bounds of the cache: the transcripts in it, their bytes, and those expected to grow: the last
// ones, for that long. Others are read again.
const (
	maxTranscripts = 50_000
	maxCacheBytes  = 64 << 20
	maxGrowing     = 200
	maxGrowAge     = 3 * 24 * time.Hour
)

// scanned is the scan of a transcript, and its size and time when it was scanned.
type scanned struct {
	Version int               `json:"v"`
	Path    string            `json:"path"`
	Size    int64             `json:"size"`
	Time    int64             `json:"time"`
	Cursor  transcript.Cursor `json:"cursor,omitzero"` // none if it is not expected to grow
	Scan    report.Scan       `json:"scan"`
}

// isOf reports whether a transcript is still as it was scanned.
func (s scanned) isOf(f transcriptFile) bool {
	return s.Path == f.Path && s.Size == f.size && s.Time == f.time.UnixNano()
}

// goesOn reports whether a transcript may be read on.
func (s scanned) goesOn() bool { return s.Cursor.Offset > 0 }

// closed is a scan without what it takes to go on.
func (s scanned) closed() scanned {
	s.Cursor, s.Scan.State = transcript.Cursor{}, report.ScanState{}
	return s
}

// mayGrow reports whether a transcript is expected to grow: it is one of the last that were
// written to, of which so many are newer.
func mayGrow(newer int, written, now time.Time) bool {
	return newer < maxGrowing && now.Sub(written) <= maxGrowAge
}

// readCache reads the cache, by the paths of the transcripts. What cannot be read, or is of
// another version, is not in it.
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
	lines := bufio.NewScanner(bytes.NewReader(src))
	lines.Buffer(nil, len(src)+1)
	for lines.Scan() {
		var s scanned
		if json.Unmarshal(lines.Bytes(), &s) == nil && s.Version == report.Version {
			known[s.Path] = s
		}
	}
	return known
}

// writeCache writes the cache, the last transcripts first. Those of the folder that was
// scanned and are gone are left out.
func writeCache(name, dir string, known map[string]scanned, found []transcriptFile, now time.Time) error {
	there := map[string]bool{}
	for _, f := range found {
		there[f.Path] = true
	}
	var all []scanned
	for path, s := range known {
		if there[path] || !strings.HasPrefix(path, dir+string(filepath.Separator)) {
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
