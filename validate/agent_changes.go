package validate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/dispatch"
	"whence/internal/finding"
	"whence/internal/memory"
)

// Bounds of what a session records. A memory that exceeds one of them blocks no Stop.
const (
	maxRecordedFiles    = 1500
	maxRecordedFindings = 1000
)

// filesSince returns what to record about the files of the memory: the mark of each path → size, modification time and
// a hash of the text. changed lists the files that differ from before; a removed one that the event does not name is
// "". A text is read only if size or time differ and read, which may be nil, does not have it. Both results are nil if
// the session is not recorded or the memory has too many files.
func filesSince(r *dispatch.Request, before map[string]string, read *memory.Memory) (now map[string]string, changed []string) {
	m, isMemory := r.Memory().(*memory.Source)
	if !isMemory || !r.RecordsSession() {
		return nil, nil
	}
	files := m.Files()
	if len(files) > maxRecordedFiles {
		return nil, nil
	}
	now = map[string]string{}
	for name, info := range files {
		mark, state := markOf(name), fmt.Sprintf("%d %d ", info.Size(), info.ModTime().UnixNano())
		recorded, known := before[mark]
		if strings.HasPrefix(recorded, state) {
			now[mark] = recorded
			continue
		}
		sum := markOf(string(textOf(m, name, read)))
		now[mark] = state + sum
		if !known || !strings.HasSuffix(recorded, " "+sum) {
			changed = append(changed, name)
		}
	}
	for mark := range before {
		if now[mark] == "" {
			changed = append(changed, removedFile(r, mark))
		}
	}
	return now, changed
}

// ChangedByCommand returns the files of the memory that, after a Bash command, differ from what the last event of the
// session recorded. A removed file is listed only if the command names it.
func ChangedByCommand(r *dispatch.Request) (edits []agent.Edit) {
	if r.Tool != "Bash" {
		return nil
	}
	before := r.ReadSession().Files
	if before == nil {
		return nil
	}
	now, changed := filesSince(r, before, nil)
	for word := range strings.FieldsSeq(r.Command) {
		if name := r.FromRoot(strings.Trim(word, `"'`)); before[markOf(name)] != "" && now[markOf(name)] == "" {
			changed = append(changed, name)
		}
	}
	for _, name := range changed {
		if name != "" {
			mark := markOf(name)
			edits = append(edits, agent.Edit{Path: filepath.Join(r.Root, filepath.FromSlash(name)), Created: before[mark] == "", Deleted: now[mark] == ""})
		}
	}
	return edits
}

// textOf returns the text of a file of the memory, or nil if it cannot be read: a finding says why.
func textOf(source *memory.Source, name string, read *memory.Memory) []byte {
	if read != nil && name == read.Layout.Index && !read.IndexMissing {
		return read.Index.Source
	}
	if read != nil && read.File(name) != nil {
		return read.File(name).Source
	}
	src, _ := memory.ReadText(source, name)
	return src
}

// removedFile returns the path of a recorded file that is gone, or "" if the event does not name it.
func removedFile(r *dispatch.Request, mark string) string {
	named := namedFiles(r)
	if at := slices.IndexFunc(named, func(name string) bool { return markOf(name) == mark }); at >= 0 {
		return named[at]
	}
	return ""
}

// namedFiles returns the files of the memory that an editing tool names.
func namedFiles(r *dispatch.Request) (names []string) {
	layout := r.Config.Layout()
	for _, edit := range r.Edits {
		if name := r.FromRoot(edit.Path); layout.Holds(name) {
			names = append(names, name)
		}
	}
	return names
}

// changedWithin reports whether a file was last changed during the call that the event reports.
func changedWithin(r *dispatch.Request, name string) bool {
	if r.Duration == 0 {
		return false
	}
	info, err := fs.Stat(r.Memory(), name)
	return err == nil && !info.ModTime().Before(r.Now.Add(-r.Duration)) && !info.ModTime().After(r.Now)
}

// tooMany is recorded instead of findings if there are more than maxRecordedFindings. At the next event, none is new.
const tooMany = "too many"

// record records the memory and its findings, and returns the findings that were not recorded before. isOurs reports
// whether this session has brought in such a finding.
func record(s *dispatch.Session, now map[string]string, found []finding.Finding, isOurs func(finding.Finding) bool) (fresh []finding.Finding) {
	_, wereMany := s.Findings[tooMany]
	findings := map[string]bool{}
	for _, f := range found {
		mark := findingMark(f)
		ours, known := s.Findings[mark]
		if !known && !wereMany {
			fresh, ours = append(fresh, f), isOurs(f)
		}
		findings[mark] = ours
	}
	if len(found) > maxRecordedFindings {
		findings = map[string]bool{tooMany: false}
	}
	if s.Files, s.Findings = now, findings; now == nil {
		s.Findings = nil
	}
	return fresh
}

// findingMark identifies a finding, regardless of its line.
func findingMark(f finding.Finding) string { return markOf(f.Rule, f.Path, f.Message) }

// markOf returns a short hash.
func markOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
