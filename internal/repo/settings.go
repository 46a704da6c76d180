package repo

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// readSettings reads a settings file of git; nil if it cannot be read, which git will report.
func readSettings(name string) *config.Config {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() { // a pipe would block
		return nil
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	settings := config.New()
	if err := config.NewDecoder(bytes.NewReader(src)).Decode(settings); err != nil {
		return nil
	}
	return settings
}

// worktree returns core.worktree and core.bare of the repository. Those of the main worktree do
// not apply to a linked one.
func (r *Repository) worktree() (dir string, bare bool) {
	files := []string{filepath.Join(r.GitDir, "config"), filepath.Join(r.GitDir, "config.worktree")}
	if r.CommonDir != r.GitDir {
		files = files[1:]
	}
	for _, name := range files {
		settings := readSettings(name)
		if settings == nil {
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
