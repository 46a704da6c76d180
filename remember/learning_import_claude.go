package remember

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/home"
	"whence/internal/learning"
	"whence/internal/worktree"
)

// claude reads folders of notes that Claude Code has written; without any, those on this repository.
func (read *imported) claude(dir string, folders []string) error {
	if len(folders) == 0 {
		all, err := read.claudeFolders(dir)
		if err != nil {
			return err
		}
		folders = slices.DeleteFunc(slices.Clone(all), func(folder string) bool { return !holdsNotes(folder) })
		if len(folders) == 0 {
			return reportFailure(read.env, fmt.Sprintf("Claude Code keeps no notes on this repository in %s: if they are elsewhere, name their folder", strings.Join(all, " or ")))
		}
	}
	for _, name := range folders {
		path := read.env.Path(name)
		if err := read.inTree(path, name, func(tree fs.FS) error { return read.claudeFolder(tree, path) }); err != nil {
			return err
		}
	}
	return nil
}

// claudeFolders returns the folders where Claude Code keeps its notes on the repository of a folder: of its
// main worktree, which all share, and of this one, as older versions did.
func (read *imported) claudeFolders(dir string) (folders []string, err error) {
	projects, err := agent.Claude.Transcripts(home.UserFolder(read.env.Getenv), read.env.Getenv)
	if err != nil {
		return nil, fmt.Errorf("%w, or name the folder of the notes", err)
	}
	roots := []string{dir}
	if r := read.repository; r != nil {
		roots = []string{r.Root}
		if top, name := filepath.Split(r.Identity()); name == ".git" {
			roots = []string{filepath.Clean(top), r.Root}
		}
	}
	for _, root := range roots {
		folder := filepath.Join(projects, agent.ClaudeProject(root), "memory")
		folders = appendNew(folders, folder)
	}
	return folders, nil
}

func holdsNotes(folder string) bool {
	tree, err := worktree.Open(folder)
	if err != nil {
		return false
	}
	defer tree.Close()
	names, _ := fs.Glob(tree.FS(), "*.md")
	return len(names) > 0
}

// claudeFolder reads the notes in a folder, and what its index says besides.
func (read *imported) claudeFolder(tree fs.FS, path string) error {
	entries, err := fs.ReadDir(tree, ".")
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.IsDir() || !isMarkdown(e.Name()) })
	switch {
	case len(entries) == 0:
		return errors.New("no *.md file is in this folder")
	case len(entries) > maxNotes:
		return errTooManyNotes
	}
	isIndex := func(name string) bool { return strings.EqualFold(name, "MEMORY.md") }
	notes := map[string]bool{}
	for _, e := range entries {
		notes[e.Name()] = !isIndex(e.Name())
	}
	for _, e := range entries {
		from := noteSource{
			shown: "Claude Code: " + e.Name(), path: filepath.Join(path, e.Name()),
			file: read.key(path), entry: e.Name() + "\x00", // one origin for the folder, to report notes that are gone
		}
		src, modified := read.noteFile(tree, e.Name(), from.shown)
		from.modified = modified
		clean := read.redact(src)
		if isIndex(e.Name()) {
			read.parts(learning.ParseClaudeIndex(clean, notes), from)
			continue
		}
		parts := learning.ParseNote(clean, e.Name(), learning.MaxNoteChars)
		for i := range parts {
			parts[i].Personal = parts[i].Type == "user"
		}
		read.parts(parts, from)
	}
	return nil
}
