package config

import (
	"os"
	"slices"
	"time"

	"whence/internal/corpus"
	"whence/internal/home"
	"whence/internal/worktree"
)

// IgnoredMemory is the setting that a repository needs whose memory git ignores. No file can set it: the user
// allows it.
var IgnoredMemory = Setting{Key: "ignored_memory", Value: "true", UserValue: "false"}

// Layout returns where the memory is.
func (c Config) Layout() corpus.Layout {
	return corpus.Layout{Index: c.Index, Decisions: c.Decisions, Documents: c.Documents}
}

// Memory opens the memory in a folder. With keeps, what git answers is kept in the user's folder if that
// exists. Git gets no longer than the limit; 0: as long as any command.
func (c Config) Memory(tree *worktree.Tree, getenv func(string) string, keeps bool, now time.Time, limit time.Duration) (*corpus.Memory, error) {
	s := corpus.Sources{Now: now, Limit: limit, AllowsIgnored: func(repository string) bool {
		return slices.Contains(allowedFor(getenv, repository), IgnoredMemory.String())
	}}
	dir, err := home.Dir(getenv)
	if info, missing := os.Stat(dir); keeps && err == nil && missing == nil && info.IsDir() {
		s.Home = dir
	}
	return corpus.OpenMemory(tree, c.Layout(), s)
}
