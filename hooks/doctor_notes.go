package hooks

import (
	"os"
	"path/filepath"

	"whence/internal/config"
	"whence/internal/notes"
	"whence/internal/worktree"
)

// checkNotes reports notes that are wanted and cannot be kept.
func (d *doctor) checkNotes(root string, c config.Config) {
	if !c.Notes {
		d.ok("notes", "they are off (%s notes enable keeps some)", programName)
		return
	}
	if err := notes.Check(root); err != nil {
		d.found("notes", "rename "+filepath.Join(root, notes.Folder), "no notes are kept: %v", err)
		return
	}
	s, err := notes.Summarise(root)
	if err != nil {
		d.found("notes", "look at "+filepath.Join(root, notes.Folder), "%v", err)
		return
	}
	if !notes.Present(root) {
		d.ok("notes", "they are on: the next session that begins makes %s/", notes.Folder)
	} else {
		d.ok("notes", "they are on: %d decisions, %d findings, %d failures, %d tool calls", s.Decisions, s.Findings, s.Failures, s.ToolCalls)
	}
	switch ignored, err := notes.Ignored(root); {
	case err != nil:
		d.found("notes", "look at it", "%v", err)
	case !ignored && underGit(root):
		d.note("notes", "%s/ can be committed: %s notes ignore has git pass over it", notes.Folder, programName)
	}
	for _, s := range d.surveys {
		if s.isNarrow() {
			d.note("notes", "%s runs %s for some tools alone, and only those count: %[2]s install --notes --scope %s --agent %s", s.client.Title(), programName, s.scope, s.client)
		}
	}
}

// underGit tells whether a folder lies in a repository.
func underGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(worktree.Find(dir, ".git"), ".git"))
	return err == nil
}
