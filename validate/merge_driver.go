package validate

import (
	"bytes"
	"fmt"
	"path/filepath"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/merge"
	"whence/internal/repo"
	"whence/internal/text"
	"whence/internal/worktree"
)

// maxMergeLines bounds the files that are merged here: git merges longer ones.
const maxMergeLines = 20_000

// mergeDriverCommand returns the command that merges a file for git: the index entry by entry, a
// decision file heading by heading. What that leaves open, and everything after an error, is merged
// by git's own merge of lines. It exits with status 1 if there are conflicts.
func mergeDriverCommand(env cli.Env) *urfave.Command {
	size := repo.MarkerSize
	return &urfave.Command{
		Name: "merge-driver", Usage: "merge an index or decision file; run by git", ArgsUsage: "BASE OURS THEIRS PATH",
		Flags: []urfave.Flag{&urfave.IntFlag{Name: "marker-size", Usage: "write conflict markers of `N` characters", Value: size, Destination: &size}},
		Action: func(cmd *urfave.Context) error {
			if cmd.NArg() != 4 || size < 1 {
				return cli.Usagef("merge-driver takes three versions of a file and its path, as git passes them: %%O %%A %%B %%P")
			}
			base, ours, theirs, path := cmd.Args().Get(0), cmd.Args().Get(1), cmd.Args().Get(2), cmd.Args().Get(3)
			merged, err := mergeMemory(env, base, ours, theirs, path)
			if err != nil {
				fmt.Fprintf(env.Stderr, "memory-validate: %s is merged by lines: %s\n", text.Printable(path), text.Printable(err.Error()))
			}
			if merged {
				return nil
			}
			conflicts, err := repo.MergeFile(env.Dir, size, base, ours, theirs)
			if err == nil && conflicts {
				err = cli.ErrFound
			}
			return err
		},
	}
}

// mergeMemory merges a file of the memory into ours, if that is possible by pieces. Otherwise it
// writes nothing.
func mergeMemory(env cli.Env, base, ours, theirs, path string) (done bool, err error) {
	defer func() {
		if p := recover(); p != nil { // the caller merges by lines
			done, err = false, fmt.Errorf("a fault in the program: %v; please report it", p)
		}
	}()
	cut := cutOf(env, path)
	if cut == nil {
		return false, fmt.Errorf("it is neither the index nor a decision file according to the settings in %s", env.Dir)
	}
	tree, err := worktree.Open(env.Dir) // where git puts the three versions
	if err != nil {
		return false, err
	}
	defer tree.Close()
	var texts [3][]byte
	for i, name := range []string{base, ours, theirs} {
		if texts[i], err = worktree.ReadText(tree.FS(), name); err != nil {
			return false, err
		}
		if bytes.Count(texts[i], []byte("\n")) > maxMergeLines {
			return false, fmt.Errorf("it has more than %d lines", maxMergeLines)
		}
	}
	merged, ok := merge.Pieces(texts[0], texts[1], texts[2], cut)
	if !ok {
		return false, nil
	}
	return true, tree.Replace(ours, texts[1], merged)
}

// cutOf returns how a file is cut, by the settings of its memory, or else of the root of the worktree:
// the folder may not be checked out, and .git may be elsewhere. It is nil if they do not name the file.
func cutOf(env cli.Env, path string) merge.Cut {
	file := filepath.Join(env.Dir, filepath.FromSlash(path))
	for _, root := range []string{cli.Root(filepath.Dir(file)), env.Dir} {
		tree, err := worktree.Open(root)
		if err != nil {
			continue
		}
		c, _ := config.LoadFrom(tree.FS(), config.UserOf(env.Getenv)) // in a conflict of their own, the defaults apply
		tree.Close()
		name, err := filepath.Rel(root, file)
		if err != nil {
			continue
		}
		name = filepath.ToSlash(name)
		if name == c.Index {
			return index.Pieces
		}
		for _, pattern := range c.Decisions {
			if g, err := worktree.ParseGlob(pattern); err == nil && g.Match(name) {
				return decision.Pieces
			}
		}
	}
	return nil
}
