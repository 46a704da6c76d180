package remember

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"
	"time"

	"whence/internal/repo"
	"whence/internal/worktree"
)

// Topic is what work in a repository is about, as far as can be told before a word was
// said: its own description, the branch, and the files that changed last. What it returns
// beside an error is known all the same. Git gets at most half of the time that is left.
func Topic(ctx context.Context, root, cwd string, getenv func(string) string) (string, error) {
	var parts []string
	tell := func(what, text string) {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			parts = append(parts, what+text)
		}
	}
	tell("Project: ", firstWords(overview(root), overviewWords))
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
		branch, files := r.Recent(ctx, recentFiles)
		if !nameless[branch] {
			tell("Branch: ", branch)
		}
		tell("Files: ", strings.Join(files, " "))
	}
	return strings.Join(parts, ". "), err
}

// How much of a repository is told.
const (
	overviewWords = 50
	recentFiles   = 20
)

// nameless are branches whose names say nothing of the work.
var nameless = map[string]bool{"": true, "main": true, "master": true, "develop": true, "HEAD": true}

// overviewIn is a file with the part of it that describes the repository.
type overviewIn struct {
	name string
	part *regexp.Regexp
}

var overviews = sync.OnceValue(func() []overviewIn {
	return []overviewIn{
		{"CLAUDE.md", regexp.MustCompile(`(?ms)^## Repository Overview\s*\n(.*?)(?:^#|\z)`)},
		{"README.md", regexp.MustCompile(`(?s)^(?:#[^\n]*\n|\s)*(.*?)(?:\n\s*\n|\n#|\z)`)},
	}
})

// overview is how a repository describes itself.
func overview(root string) string {
	tree, err := worktree.Open(root)
	if err != nil {
		return ""
	}
	defer tree.Close()
	for _, from := range overviews() {
		src, err := readSome(tree.FS(), from.name)
		if err != nil {
			continue
		}
		if part := from.part.FindStringSubmatch(src); part != nil {
			return part[1]
		}
	}
	return ""
}

// readSome reads the beginning of a file. It does not open a pipe or a device, for which
// it would wait.
func readSome(tree fs.FS, name string) (string, error) {
	info, err := fs.Stat(tree, name)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", name)
	}
	if err != nil {
		return "", err
	}
	file, err := tree.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	buf := make([]byte, 1<<14)
	n, err := file.Read(buf)
	if n == 0 && err != nil {
		return "", err
	}
	return string(buf[:n]), nil
}

func firstWords(text string, most int) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(len(words), most)], " ")
}
