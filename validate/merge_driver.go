package validate

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/merge"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// mergeDriverCommand returns the command with which git merges the index or a decision file. It merges if git can, or
// if both sides only added something. Otherwise it leaves ours as it is and exits with a status other than 0, and
// driverLine has git write its conflicts.
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
				return fmt.Errorf("%s is left to git: %w", path, err)
			}
			if !merged {
				return cli.ErrFound
			}
			return nil
		},
	}
}

// mergeMemory writes the merge of a file of the memory into ours if there is no conflict. If git's own merge would move
// text of a decision file into another section, or bring back what one side has removed, mergeMemory empties base,
// which makes each difference a conflict. An entry in the wrong section of the index is a finding that --fix repairs.
func mergeMemory(env cli.Env, base, ours, theirs, path string) (done bool, err error) {
	read, isIndex := readerOf(env, path)
	if read == nil {
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
	merged, clean, err := repo.MergeFile(env.Dir, base, ours, theirs)
	if err != nil {
		return false, err
	}
	resolved := false
	if !clean {
		var joined []byte
		if joined, resolved, err = resolve(env.Dir, base, ours, theirs, texts, read); err != nil {
			return false, err
		}
		if resolved {
			merged = joined
		}
	}
	var reason string
	if returned := merge.Returned(merged, texts[0], texts[1], texts[2], read); returned != "" {
		reason = fmt.Sprintf("%q, which one side has removed, would be back", returned)
	} else if !clean && !resolved {
		return false, nil
	} else if resolved || !isIndex {
		if heading, line := merge.Misplaced(merged, texts[1], texts[2], read); line != "" {
			reason = fmt.Sprintf("%q would be under %q, where neither side has it", line, heading)
		}
	}
	if reason == "" {
		return true, tree.Replace(ours, texts[1], append([]byte{}, merged...)) // not nil, which would remove the file
	}
	if resolved {
		return false, nil
	}
	if err := tree.Replace(base, texts[0], []byte{}); err != nil {
		return false, err
	}
	return false, fmt.Errorf("this is a conflict, since %s", reason)
}

// maxMarkerSize bounds conflict markers, which must be longer than any run of their characters in the texts.
const maxMarkerSize = 1000 // characters

// resolve resolves the conflicts of three versions of a file, if both sides only added something.
func resolve(dir, base, ours, theirs string, texts [3][]byte, read merge.ReadFunc) (merged []byte, ok bool, err error) {
	size, all := 7, string(bytes.Join(texts[:], []byte("\n")))
	isThere := func(mark string) bool { return strings.Contains(all, strings.Repeat(mark, size)) }
	for slices.ContainsFunc([]string{"<", "|", "=", ">"}, isThere) {
		if size *= 2; size > maxMarkerSize {
			return nil, false, nil
		}
	}
	diff3, _, err := repo.MergeFile(dir, base, ours, theirs, "--diff3", fmt.Sprintf("--marker-size=%d", size))
	if err != nil {
		return nil, false, err
	}
	merged, ok = merge.ResolveAdditions(diff3, texts[0], size, read)
	return merged, ok, nil
}

// readerOf returns the function that reads a file, by the settings of its memory, or else of the root of the worktree:
// the folder may not be checked out, and .git may be elsewhere. It is nil if those settings do not name the file.
func readerOf(env cli.Env, path string) (read merge.ReadFunc, isIndex bool) {
	file := filepath.Join(env.Dir, filepath.FromSlash(path))
	for _, root := range []string{cli.Root(filepath.Dir(file)), env.Dir} {
		tree, err := worktree.Open(root)
		if err != nil {
			continue
		}
		c, _ := config.Load(tree, env.Getenv) // if they have a conflict themselves, the defaults apply
		tree.Close()
		name, _ := worktree.Name(root, file)
		if name == c.Index {
			return index.Pieces, true
		}
		if c.Layout().Holds(name) {
			return decision.Pieces, false
		}
	}
	return nil, false
}
