package repo

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// worktree is what the settings of a repository say about its worktree: core.worktree,
// or that it has none. Those of the main worktree say nothing about a linked one. What
// cannot be read is left to git to complain about.
func (r *Repository) worktree() (dir string, bare bool) {
	files := []string{filepath.Join(r.GitDir, "config"), filepath.Join(r.GitDir, "config.worktree")}
	if r.CommonDir != r.GitDir {
		files = files[1:]
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		settings := config.New()
		if err := config.NewDecoder(bytes.NewReader(src)).Decode(settings); err != nil {
			continue
		}
		core := settings.Section("core")
		if core.HasOption("worktree") {
			dir = core.Option("worktree")
		}
		if core.HasOption("bare") {
			bare = strings.EqualFold(core.Option("bare"), "true")
		}
	}
	return dir, bare
}
