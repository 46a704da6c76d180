package when

import (
	"path/filepath"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// A commit is stopped only for what it breaks: queries that had no answer before it become one note.

// mentioned is a query in a file, by its path.
type mentioned struct{ path, query string }

// fresh returns the findings that the commit that git is making brings in, and the number of the others.
func (o *options) fresh(all []unresolved) (found []finding.Finding, before int) {
	if len(all) == 0 {
		return nil, 0
	}
	known := o.known(all)
	for _, u := range all {
		if known[u.mentioned] > 0 {
			known[u.mentioned]--
			before++
			continue
		}
		found = append(found, u.finding)
	}
	return found, before
}

// knownMentions counts the queries without an answer in the same files of the parent commits.
func knownMentions(env cli.Env, tree *worktree.Tree, c config.Config, all []unresolved) map[mentioned]int {
	known := map[mentioned]int{}
	parents := cli.Parents(env, tree, c)
	if len(parents) == 0 {
		return known
	}
	git, err := repo.Open(tree.Dir, env.Dir, env.Getenv)
	if err != nil {
		return known
	}
	for _, parent := range parents {
		l, err := Open(parent.Memory, c)
		if err != nil {
			continue
		}
		now := map[mentioned]int{}
		for _, name := range pathsOf(all) {
			path, err := git.Rel(env.Path(filepath.FromSlash(name)))
			if err != nil {
				continue
			}
			src, err := worktree.ReadText(parent.Files, path)
			if err != nil {
				continue
			}
			found, _ := l.check(name, src)
			for _, u := range found {
				now[u.mentioned]++
			}
		}
		for m, n := range now {
			known[m] = max(known[m], n)
		}
	}
	return known
}

// pathsOf lists the files of findings, each once.
func pathsOf(all []unresolved) (paths []string) {
	for i, u := range all {
		if i == 0 || u.path != paths[len(paths)-1] {
			paths = append(paths, u.path)
		}
	}
	return paths
}
