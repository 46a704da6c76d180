package validate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/files"
	"whence/internal/index"
	"whence/internal/merge"
	"whence/internal/repo"
	"whence/internal/text"
	"whence/internal/worktree"
)

// maxMergeLines bounds the files that are merged here: git merges longer ones.
const maxMergeLines = 20_000

// mergeDriverCommand returns the command that merges a file for git: the index entry by entry, a
// decision file heading by heading, other files, or after an error, by lines. It exits with status
// 1 if there are conflicts. If it cannot write, the registered command line runs git's own merge.
func mergeDriverCommand(env cli.Env) *urfave.Command {
	size := merge.MarkerSize
	return &urfave.Command{
		Name: "merge-driver", Usage: "merge an index or decision file; run by git", ArgsUsage: "BASE OURS THEIRS PATH",
		Flags: []urfave.Flag{&urfave.IntFlag{Name: "marker-size", Usage: "write conflict markers of `N` characters", Value: size, Destination: &size}},
		Action: func(_ context.Context, cmd *urfave.Command) error {
			if cmd.NArg() != 4 || size < 1 {
				return cli.Usagef("merge-driver takes three versions of a file and its path, as git passes them: %%O %%A %%B %%P")
			}
			base, ours, theirs, path := cmd.Args().Get(0), cmd.Args().Get(1), cmd.Args().Get(2), cmd.Args().Get(3)
			conflicts, err := mergeMemory(env, size, base, ours, theirs, path)
			if err != nil {
				fmt.Fprintf(env.Stderr, "memory-validate: %s is merged by lines: %s\n", text.Printable(path), text.Printable(err.Error()))
				conflicts, err = repo.MergeFile(env.Dir, size, base, ours, theirs)
			}
			if err == nil && conflicts {
				err = cli.ErrFound
			}
			return err
		},
	}
}

// mergeMemory merges a file of the memory into ours. It writes nothing if it returns an error.
func mergeMemory(env cli.Env, markerSize int, base, ours, theirs, path string) (conflicts bool, err error) {
	defer func() {
		if p := recover(); p != nil { // the caller merges by lines
			err = fmt.Errorf("a fault in the program: %v; please report it", p)
		}
	}()
	mergeTexts, err := mergeOf(env, path)
	if err != nil {
		return false, err
	}
	tree, err := worktree.Open(env.Dir) // where git puts the three versions
	if err != nil {
		return false, err
	}
	defer tree.Close()
	var texts [3][]byte
	for i, name := range []string{base, ours, theirs} {
		if texts[i], err = readVersion(tree.FS(), name); err != nil { // replace the name of a temporary file
			return false, errors.New(strings.Replace(err.Error(), name, []string{"its base", "our side", "their side"}[i], 1))
		}
	}
	merged, n := mergeTexts(texts[0], texts[1], texts[2], markerSize)
	return n > 0, tree.Replace(ours, texts[1], merged)
}

// mergeFunc merges three versions of a file.
type mergeFunc func(base, ours, theirs []byte, markerSize int) (text []byte, conflicts int)

// mergeOf returns the merge of a file by the settings of its memory, or else of the root of the
// worktree: the folder may not be checked out, and .git may be elsewhere.
func mergeOf(env cli.Env, path string) (mergeFunc, error) {
	file := filepath.Join(env.Dir, filepath.FromSlash(path))
	for _, root := range []string{cli.Root(filepath.Dir(file)), env.Dir} {
		if merge := mergeIn(env, root, file); merge != nil {
			return merge, nil
		}
	}
	return nil, errors.New("it is neither the index nor a decision file according to the settings in " + env.Dir)
}

// mergeIn returns the merge of a file by the settings of a folder, or nil if they do not name it.
// If the settings cannot be read, as in a conflict of their own, the defaults apply.
func mergeIn(env cli.Env, root, file string) mergeFunc {
	tree, err := worktree.Open(root)
	if err != nil {
		return nil
	}
	defer tree.Close()
	c, _ := config.LoadFrom(tree.FS(), config.UserOf(env.Getenv))
	name, err := filepath.Rel(root, file)
	if err != nil {
		return nil
	}
	name = filepath.ToSlash(name)
	if name == c.Index {
		return func(base, ours, theirs []byte, markerSize int) (text []byte, conflicts int) {
			text, conflicts = index.Merge(base, ours, theirs, markerSize)
			if conflicts == 0 {
				text = OrderEntries(text, mergedDecisions(env, root, c, [3][]byte{base, ours, theirs}))
			}
			return text, conflicts
		}
	}
	for _, pattern := range c.Decisions {
		if g, err := worktree.ParseGlob(pattern); err == nil && g.Match(name) {
			return decision.Merge
		}
	}
	return nil
}

// readVersion reads one of the versions that git merges.
func readVersion(tree fs.FS, name string) ([]byte, error) {
	text, err := files.ReadText(tree, name)
	if err == nil && bytes.Count(text, []byte("\n")) > maxMergeLines {
		err = fmt.Errorf("%s has more than %d lines", name, maxMergeLines)
	}
	return text, err
}
