package validate

import (
	"fmt"
	"path/filepath"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/merge"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// mergeDriverCommand returns the command that merges a file for git: the index entry by entry, a
// decision file heading by heading. If that is not possible, it exits with another status than 0 and leaves
// the file as it is: driverLine then has git merge it by lines.
func mergeDriverCommand(env cli.Env) *urfave.Command {
	return &urfave.Command{
		Name: "merge-driver", Usage: "merge an index or decision file; run by git", ArgsUsage: "BASE OURS THEIRS PATH",
		Action: func(cmd *urfave.Context) error {
			if cmd.NArg() != 4 {
				return cli.Usagef("merge-driver takes three versions of a file and its path, as git passes them: %%O %%A %%B %%P")
			}
			path := cmd.Args().Get(3)
			merged, err := mergeMemory(env, cmd.Args().Get(0), cmd.Args().Get(1), cmd.Args().Get(2), path)
			if err != nil {
				return fmt.Errorf("%s is merged by lines: %w", path, err)
			}
			if !merged {
				return cli.ErrFound
			}
			return nil
		},
	}
}

// mergeMemory merges a file of the memory into ours, if that is possible by pieces. Otherwise it
// leaves ours to git's merge by lines, and if that would be clean, but wrong, changes base so that there
// is a conflict.
func mergeMemory(env cli.Env, base, ours, theirs, path string) (done bool, err error) {
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
	}
	merged, ok := merge.Pieces(texts[0], texts[1], texts[2], cut)
	if ok {
		return true, tree.Replace(ours, texts[1], merged)
	}
	byLines, clean := repo.MergeByLines(env.Dir, base, ours, theirs)
	if !clean {
		return false, nil
	}
	heading, line := merge.Misplaced(byLines, texts[1], texts[2], cut)
	if line == "" {
		return false, nil
	}
	if err := tree.Replace(base, texts[0], merge.Contest(texts[0], texts[1], texts[2], cut)); err != nil {
		return false, err
	}
	return false, fmt.Errorf("this is a conflict, since %q would be under %q, where neither side has it", line, heading)
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
		c, _ := config.Load(tree, env.Getenv) // in a conflict of their own, the defaults apply
		tree.Close()
		name, _ := worktree.Name(root, file)
		if name == c.Index {
			return index.Pieces
		}
		if c.Layout().Holds(name) {
			return decision.Pieces
		}
	}
	return nil
}
