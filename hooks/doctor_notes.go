package hooks

import (
	"os"
	"path/filepath"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/notes"
	"whence/internal/worktree"
)

// checkNotes reports notes that are on and cannot be written.
func (d *doctor) checkNotes(root string, c config.Config) {
	if !c.Notes {
		d.ok("notes", "off; to switch them on: %s notes enable", programName)
		return
	}
	folder := cli.Word(filepath.Join(root, notes.Folder))
	if err := notes.Check(root); err != nil {
		d.found("notes", "mv "+folder+" "+folder+".old", "no notes are kept: %v", err)
		return
	}
	s, err := notes.Summarise(root)
	if err != nil {
		d.found("notes", "ls -l "+folder, "%v", err)
		return
	}
	if !notes.Present(root) {
		d.ok("notes", "on; the next session that begins creates %s/", notes.Folder)
	} else {
		d.ok("notes", "on: %d decisions, %d findings, %d failures, %d tool calls", s.Decisions, s.Findings, s.Failures, s.ToolCalls)
	}
	switch ignored, err := notes.Ignored(root); {
	case err != nil:
		d.found("notes", "correct .gitignore as it says", "%v", err)
	case !ignored && underGit(root):
		d.note("notes", "git can commit %s/; to keep it out of git: %s notes ignore", notes.Folder, programName)
	}
	for _, f := range d.files {
		if f.isNarrow() {
			d.note("notes", "%s runs %s after some tools only, and only those count; for all of them: %[2]s install --notes --scope %s --agent %s", f.client.Title(), programName, f.scope, f.client)
		}
	}
}

// underGit reports whether a folder lies in a repository.
func underGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(worktree.Find(dir, ".git"), ".git"))
	return err == nil
}
