package migrate

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// Bounds of what is looked at.
const (
	maxAdoptFiles = 100_000 // as many as a glob may visit
	maxAdoptDepth = 16      // folders; the deepest of the known conventions needs 5 below a package
)

// foreign are folders with files of others, or with material of tests.
var foreign = []string{"node_modules", "vendor", "third_party", "site-packages", "testdata", "fixtures", "__fixtures__", ".memory"}

// adoptableFiles lists the files of a tree: in a repository what git does not ignore. Hidden Markdown is
// among it if git tracks it, since else it cannot be memory.
func adoptableFiles(env cli.Env, tree *worktree.Tree) ([]string, error) {
	tracked, err := filesOfGit(env, tree)
	names := slices.Sorted(maps.Keys(tracked))
	if errors.Is(err, repo.ErrNoRepository) {
		names, err = filesOnDisk(tree.FS())
	}
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return isForeign(name) || !tracked[name] && isMarkdown(name) && !isInstructions(name) && strings.Contains("/"+name, "/.")
	})
	return names[:min(len(names), maxAdoptFiles)], nil
}

func filesOfGit(env cli.Env, tree *worktree.Tree) (map[string]bool, error) {
	r, err := repo.Open(tree.Dir, env.Dir, env.Getenv)
	if err != nil {
		return nil, err
	}
	return r.Files(context.Background(), tree.Dir, nil, false)
}

// checkOut returns a function that returns the command which checks out files that git has left out of the worktree,
// or "" for others.
func checkOut(env cli.Env, tree *worktree.Tree) func(names []string) string {
	return func(names []string) string {
		r, err := repo.Open(tree.Dir, env.Dir, env.Getenv)
		if err != nil {
			return ""
		}
		below, err := r.Rel(tree.Dir)
		if err != nil {
			return ""
		}
		absent, err := r.NotCheckedOut(func(name string) bool {
			return slices.ContainsFunc(names, func(wanted string) bool { return path.Join(below, wanted) == name })
		})
		if err != nil || len(absent) == 0 {
			return ""
		}
		return r.CheckOut(absent, env.Dir)
	}
}

func filesOnDisk(tree fs.FS) (names []string, err error) {
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case len(names) == maxAdoptFiles:
			return fs.SkipAll
		case err != nil || entry.IsDir() && isForeign(name+"/x"):
			return fs.SkipDir
		case entry.Type().IsRegular():
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

func isForeign(name string) bool {
	folders := strings.Split(path.Dir(name), "/")
	return len(folders) > maxAdoptDepth || slices.ContainsFunc(folders, func(folder string) bool { return slices.Contains(foreign, folder) })
}
