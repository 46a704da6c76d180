package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"time"

	"whence/internal/agent/transcript"
	"whence/internal/files"
	"whence/internal/report"
	"whence/internal/transcripts"
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
	Name    string            `json:"path"` // of the transcript
	Size    int64             `json:"size"`
	Time    int64             `json:"time"`
	Cursor  transcript.Cursor `json:"cursor,omitzero"` // none if it is not expected to grow
	Scan    report.Scan       `json:"scan"`
}

// isCurrent reports whether a transcript has not changed since it was scanned.
func (s scanned) isCurrent(f transcripts.File) bool {
	return s.Name == f.Name && s.Size == f.Bytes && s.Time == f.Written.UnixNano()
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
			known[s.Name] = s
		}
	}
	return known
}

// writeCache writes the cache, the latest transcripts first, without those that are gone from folders.
func writeCache(name string, folders []string, known map[string]scanned, found []transcripts.File, now time.Time) error {
	exists := map[string]bool{}
	for _, f := range found {
		exists[f.Name] = true
	}
	var all []scanned
	for name, s := range known {
		isIn := func(folder string) bool {
			rest, is := strings.CutPrefix(name, folder)
			return is && rest != "" && (os.IsPathSeparator(rest[0]) || rest[0] == '#')
		}
		if exists[name] || !slices.ContainsFunc(folders, isIn) {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b scanned) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Name, b.Name)) })
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
