package repo

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// worktree returns core.worktree and core.bare of the settings of a repository. Those of the
// main worktree do not hold for a linked one. Settings that cannot be read are skipped, as
// git will report them.
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
