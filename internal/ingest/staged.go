package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"whence/internal/cli"
	"whence/internal/knowledge"
	"whence/internal/learning"
	"whence/internal/redact"
)

// An earlier tool, wt-tools, put what it had extracted from a session aside, to be committed
// at the next one. What it has left is imported once.
const (
	stagedFolder = ".wt-tools"
	stagedPrefix = ".staged-extract-"
	stagedStamp  = ".ts" // the end of the name of a file that says when another was written
)

// How much is read of it: far more than there ever is.
const (
	mostStaged    = 50       // files for one job
	longestStaged = 64 << 10 // bytes of a file
)

// stagedMost is how many lines of a kind are imported of one file, as the earlier tool did.
// Learnings, decisions and contexts count together.
const (
	stagedMost        = 5
	stagedMostOfRules = 2 // of conventions, and of cheat sheets
)

// importStaged imports what lies below the root of a repository. A file is removed when what
// it holds is stored; one that cannot be read or removed is told, and stays. An error is one
// of the store.
func (w *worker) importStaged(root string, b *knowledge.Base) error {
	dir, err := openStaged(root)
	if dir == nil || err != nil {
		if err != nil {
			w.remark("%s: %v", path.Join(root, stagedFolder), err)
		}
		return nil
	}
	defer dir.Close()
	entries, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		w.remark("%s: %v", dir.Name(), err)
	}
	files := 0
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, stagedPrefix) || strings.HasSuffix(name, stagedStamp) {
			continue
		}
		if files++; files > mostStaged {
			return nil // the next job goes on
		}
		text, info, err := readStaged(dir, name)
		if err != nil {
			w.remark("%s in %s is not imported: %v", name, dir.Name(), err)
			continue
		}
		added, err := keepStaged(w.ctx, b, text, info.ModTime())
		if err != nil {
			return fmt.Errorf("import %s: %w", name, err)
		}
		w.done.Imported += added
		if err := removeStaged(dir, name, info); err != nil {
			w.remark("%s in %s is imported, and cannot be removed: %v", name, dir.Name(), err)
			continue
		}
		w.remark("%s imported from %s in %s", cli.Count(added, "learning", "learnings"), name, dir.Name())
	}
	return nil
}

// openStaged opens the folder of the earlier tool, nil if there is none. A link is none, so
// that nothing leads out of the repository.
func openStaged(root string) (*os.Root, error) {
	top, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	info, err := top.Lstat(stagedFolder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return top.OpenRoot(stagedFolder)
}

// readStaged reads a file.
func readStaged(dir *os.Root, name string) (text string, info fs.FileInfo, err error) {
	info, err = dir.Lstat(name) // before opening: a pipe would block
	switch {
	case err != nil:
		return "", nil, err
	case !info.Mode().IsRegular():
		return "", nil, errors.New("it is no regular file")
	case info.Size() > longestStaged:
		return "", nil, fmt.Errorf("it has %d bytes, and at most %d are read", info.Size(), longestStaged)
	}
	file, err := dir.Open(name)
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	src, err := io.ReadAll(io.LimitReader(file, longestStaged))
	return strings.ToValidUTF8(string(src), "\ufffd"), info, err
}

// removeStaged removes a file that was read, with the one that says when it was written,
// unless it has changed since.
func removeStaged(dir *os.Root, name string, was fs.FileInfo) error {
	switch info, err := dir.Lstat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Size() != was.Size() || !info.ModTime().Equal(was.ModTime()) || !os.SameFile(info, was):
		return errors.New("it was changed meanwhile")
	}
	stamp := name + stagedStamp
	if info, err := dir.Lstat(stamp); err == nil && info.Mode().IsRegular() {
		if err := dir.Remove(stamp); err != nil {
			return err
		}
	}
	return dir.Remove(name)
}

// keepStaged stores what a file holds. What is known already stays as it is, so that
// storing it twice comes to the same.
func keepStaged(ctx context.Context, b *knowledge.Base, text string, written time.Time) (added int, err error) {
	learnings := stagedLearnings(text)
	for i := range learnings {
		learnings[i].Project, learnings[i].Created = b.Project, written
	}
	added, _, err = b.Import(ctx, learnings)
	return added, err
}

// stagedLearnings are the learnings of a file. Its lines are "kind|tags|text"; one that
// begins with #CHANGE: names the change on which the session had worked.
func stagedLearnings(text string) (all []learning.Learning) {
	change := ""
	seen := map[string]int{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, is := strings.CutPrefix(line, "#CHANGE:"); is {
			change = learning.Clean(name)
			continue
		}
		parts := strings.SplitN(line, "|", 3)
		if len(parts) < 3 {
			continue
		}
		tags := strings.FieldsFunc(parts[1], func(r rune) bool { return r == ',' || r == ' ' })
		kind, most := strings.TrimSpace(parts[0]), stagedMost
		switch kind {
		case "Learning", "Decision", "Context":
			kind = ""
		case "Convention":
			most, tags = stagedMostOfRules, append(tags, "convention", "cheat-sheet")
		case "CheatSheet":
			most, tags = stagedMostOfRules, append(tags, "cheat-sheet")
		default:
			continue
		}
		l, ok := stagedLearning(parts[2], tags, change)
		if seen[kind]++; seen[kind] <= most && ok {
			all = append(all, l)
		}
	}
	return all
}

// stagedLearning makes a learning of a line. One that is too short for a learning has its
// tags before it: "preference: User wants tabs".
func stagedLearning(text string, tags []string, change string) (l learning.Learning, ok bool) {
	text, kinds := redact.Text(learning.Clean(text))
	if !learning.LongEnough(text) && text != "" {
		text = strings.Join(tags, " ") + ": " + text
	}
	said := text
	if len(kinds) > 0 { // what was taken out says nothing
		said = redact.ReplaceMarks(text, "")
	}
	if !learning.LongEnough(said) {
		return l, false
	}
	l = learning.Learning{
		Description: text, Confidence: learning.Low, Source: learning.Import,
		Reasoning: "Extracted from a past session by an earlier tool.",
	}
	if change != "" {
		l.Reasoning = fmt.Sprintf("Extracted by an earlier tool from a session that worked on %s.", change)
	}
	for _, word := range slices.Concat(tags, learning.Keywords("", text, "")) {
		if word = strings.ToLower(word); learning.ValidKeyword(word) && !slices.Contains(l.Keywords, word) {
			l.Keywords = append(l.Keywords, word)
		}
	}
	return l, true
}
