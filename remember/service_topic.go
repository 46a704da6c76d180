package remember

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"time"

	"whence/internal/files"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// Topic describes the work in a repository before the first prompt: its own description, the branch,
// and the files that changed last. Beside an error it returns the rest. Git gets at most half of the
// time that is left.
func Topic(ctx context.Context, root, cwd string, getenv func(string) string) (string, error) {
	var parts []string
	add := func(label, text string) {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			parts = append(parts, label+text)
		}
	}
	words := strings.Fields(overview(root))
	add("Project: ", strings.Join(words[:min(len(words), maxOverviewWords)], " "))
	r, err := repo.Open(root, cwd, getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		err = nil
	}
	if r != nil {
		if deadline, bounded := ctx.Deadline(); bounded {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/2)
			defer cancel()
		}
		branch, files := r.Recent(ctx, maxRecentFiles)
		if !defaultBranches[branch] {
			add("Branch: ", branch)
		}
		add("Files: ", strings.Join(files, " "))
	}
	return strings.Join(parts, ". "), err
}

const (
	maxOverviewWords = 50
	maxRecentFiles   = 20
	maxOverviewBytes = 16 << 10
)

// defaultBranches have names that say nothing about the work.
var defaultBranches = map[string]bool{"": true, "main": true, "master": true, "develop": true, "HEAD": true}

// overviewSource is a file, with the part of it that describes the repository.
type overviewSource struct {
	name string
	part *regexp.Regexp
}

var overviewSources = sync.OnceValue(func() []overviewSource {
	return []overviewSource{
		{"CLAUDE.md", regexp.MustCompile(`(?ms)^## Repository Overview\s*\n(.*?)(?:^#|\z)`)},
		{"README.md", regexp.MustCompile(`(?s)^(?:#[^\n]*\n|\s)*(.*?)(?:\n\s*\n|\n#|\z)`)},
	}
})

// overview returns a repository's description of itself.
func overview(root string) string {
	tree, err := worktree.Open(root)
	if err != nil {
		return ""
	}
	defer tree.Close()
	for _, from := range overviewSources() {
		if part := from.part.FindStringSubmatch(files.ReadBeginning(tree.FS(), from.name, maxOverviewBytes)); part != nil {
			return part[1]
		}
	}
	return ""
}
