package memory

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"whence/internal/decision"
	"whence/internal/shell"
	"whence/internal/worktree"
)

// Bounds of what is read of a memory: bytes, and lines, since each line takes memory however short it is.
const (
	maxMemoryBytes = 64 << 20
	maxMemoryLines = 150_000
	maxFileLines   = 100_000
)

// ReadText is [worktree.ReadText] for a file of a memory.
func ReadText(tree fs.FS, name string) ([]byte, error) {
	src, err := worktree.ReadText(tree, name)
	if bytes.Count(src, []byte{'\n'}) > maxFileLines {
		return nil, &worktree.TextError{Name: name, Reason: fmt.Sprintf("has more than %d lines", maxFileLines), Remedy: "split it"}
	}
	return src, err
}

// readFiles reads and parses the decision files of a layout. It returns them sorted by path, and a problem for each
// that fails. A folder that a glob matches is left out, but one that is named in the layout, or like a decision file,
// is a problem.
func readFiles(source fs.FS, layout Layout) (files []*decision.File, paths []string, problems []Problem, err error) {
	paths, err = list(source, layout)
	if err != nil {
		return nil, nil, nil, err
	}
	texts, failed := make([][]byte, len(paths)), make([]error, len(paths))
	iter.ForEachIdx(paths, func(i int, name *string) {
		if failed[i] = checkName(*name); failed[i] == nil {
			texts[i], failed[i] = ReadText(source, *name)
		}
	})
	bytesLeft, linesLeft := maxMemoryBytes, maxMemoryLines
	for i, src := range texts { // a tree may not know the size of its files, and one may grow
		bytesLeft, linesLeft = bytesLeft-len(src), linesLeft-bytes.Count(src, []byte{'\n'})
		if failed[i] == nil && min(bytesLeft, linesLeft) < 0 {
			failed[i] = &worktree.TextError{Name: paths[i], Remedy: beyondRemedy,
				Reason: fmt.Sprintf("exceeds the %d MB or %d lines that a memory may have in all", maxMemoryBytes>>20, maxMemoryLines)}
		}
	}
	parsed := make([]*decision.File, len(paths))
	iter.ForEachIdx(paths, func(i int, name *string) {
		if failed[i] == nil {
			parsed[i], failed[i] = layout.parse(*name, texts[i])
		}
	})
	for i, name := range paths {
		isPlainFolder := errors.Is(failed[i], worktree.ErrFolder) && path.Ext(name) != ".md" && !slices.Contains(slices.Concat(layout.Decisions, layout.Documents), name)
		switch {
		case failed[i] == nil:
			files = append(files, parsed[i])
		case isPlainFolder: // left out
		default:
			problems = append(problems, unread("decision file", name, failed[i], typedIn(source)))
		}
	}
	return files, slices.DeleteFunc(paths, func(p string) bool { return checkName(p) != nil }), problems, nil
}

// unread returns the problem of a file that cannot be read.
func unread(what, name string, err error, t shell.Typed) Problem {
	failed := (*worktree.TextError)(nil)
	if !errors.As(err, &failed) {
		return Problem{Path: name, Reason: err.Error(), Remedy: "make it readable", text: what + " " + err.Error(), err: err}
	}
	shown := *failed
	shown.Name = t.Place(failed.Name)
	return Problem{Path: failed.Name, Line: failed.Line, Reason: failed.Reason, Remedy: failed.Remedy, text: what + " " + shown.Error(), err: err}
}

// parse parses a decision file, as a document if it is one. It is an error if the file is nested too deeply to be
// parsed in a reasonable time.
func (l Layout) parse(path string, src []byte) (*decision.File, error) {
	parse := decision.Parse
	if l.IsDocument(path) {
		parse = decision.ParseDocument
	}
	f := parse(path, src)
	if f.TooDeep > 0 {
		return nil, &worktree.TextError{Name: path, Line: f.TooDeep, Reason: "is nested too deeply", Remedy: "flatten its lists or quotes"}
	}
	if len(l.Statuses) > 0 {
		f.ReadStatuses(l.Statuses)
	}
	return f, nil
}
