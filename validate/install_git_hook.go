package validate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/inert"
	"whence/internal/repo"
	"whence/internal/shell"
	"whence/internal/worktree"
)

// hookMark is the line that identifies our hooks.
const hookMark = "# whence: made by memory-validate install-git-hook"

// gitHookCommands returns the commands that install and uninstall the git hooks.
func gitHookCommands(env cli.Env) []*urfave.Command {
	var dir string
	mergeDriver, noHook := false, false
	flags := []urfave.Flag{&urfave.StringFlag{Name: "repo", Usage: "work in the repository at `DIR`", Destination: &dir}}
	open := func(cmd *urfave.Context) (r *repo.Repository, folder string, err error) {
		if cmd.Args().Present() {
			return nil, "", cli.Usagef("unexpected argument %q", cmd.Args().First())
		}
		at := env.Dir
		if dir != "" {
			at = env.Path(dir)
		}
		if r, err = repo.Open(at, env.Dir, env.Getenv); err != nil {
			return nil, "", err
		}
		folder, err = r.Rel(cli.Root(at))
		return r, folder, err
	}
	return []*urfave.Command{
		{
			Name: "install-git-hook", Usage: "check and fix the memory at each git commit",
			Flags: append(flags[:1:1],
				&urfave.BoolFlag{Name: "merge-driver", Usage: "also have git keep what two branches add to the memory", Destination: &mergeDriver},
				&urfave.BoolFlag{Name: "no-hook", Usage: "with --merge-driver, install no hook: a hook manager runs the checks", Destination: &noHook}),
			Action: func(cmd *urfave.Context) error {
				if noHook && !mergeDriver {
					return cli.Usagef("--no-hook needs --merge-driver: without both there is nothing to install")
				}
				r, folder, err := open(cmd)
				if err != nil {
					return err
				}
				program, err := os.Executable()
				if err != nil {
					return err
				}
				if mergeDriver {
					if err := installMergeDriver(env, r, folder, program); err != nil || noHook {
						return err
					}
				}
				paths, err := r.Install(gitHooks(program, folder))
				if err != nil {
					return err
				}
				for _, path := range paths {
					fmt.Fprintf(env.Stdout, "installed %s\n", inert.Printable(path))
				}
				return printMemory(env, r, folder)
			},
		},
		{
			Name: "uninstall-git-hook", Usage: "remove the hook and the merge driver", Flags: flags,
			Action: func(cmd *urfave.Context) error {
				r, _, err := open(cmd)
				if err != nil {
					return err
				}
				paths, err := r.Uninstall(gitHooks("", "."))
				if err != nil {
					return err
				}
				for _, path := range paths {
					fmt.Fprintf(env.Stdout, "removed %s\n", inert.Printable(path))
				}
				if len(paths) == 0 {
					fmt.Fprintln(env.Stdout, "no hook of whence is installed")
				}
				return uninstallMergeDriver(env, r)
			},
		},
	}
}

// openFolder opens a folder of a repository and reads its settings.
func openFolder(env cli.Env, r *repo.Repository, folder string) (*worktree.Tree, config.Config, error) {
	tree, err := worktree.Open(filepath.Join(r.Root, filepath.FromSlash(folder)))
	if err != nil {
		return nil, config.Config{}, err
	}
	c, err := config.Load(tree, env.Getenv)
	if err != nil {
		tree.Close()
		return nil, config.Config{}, cli.SettingsError(err)
	}
	return tree, c, nil
}

// printMemory prints which memory the hooks check, or that there is none.
func printMemory(env cli.Env, r *repo.Repository, folder string) error {
	tree, c, err := openFolder(env, r, folder)
	if err != nil {
		return err
	}
	defer tree.Close()
	memory, err := cli.Memory(env, tree, c)
	if err == nil {
		_, err = Load(memory, c)
	}
	if err != nil {
		fmt.Fprintf(env.Stderr, "memory-validate: the hook checks what is staged; in %s it has nothing to check yet: %s\n", tree.Dir, inert.Printable(err.Error()))
	} else if folder != "." {
		fmt.Fprintf(env.Stdout, "the memory in %s is checked\n", inert.Printable(folder))
	}
	return nil
}

// gitHooks returns the hooks that run a program, at its present path or else on the PATH. They check the memory in a
// folder (from the root, with slashes) and those of earlier installations.
//
// At pre-merge-commit git has written the tree already: findings stop the merge, and the commit that completes it fixes
// them. A rebase that continues after a conflict runs no pre-commit hook: only prepare-commit-msg can keep conflict
// markers out of its commits.
func gitHooks(program, folder string) []repo.Hook {
	hook := func(event, flags, guard string) repo.Hook {
		h := repo.Hook{Event: event, Mark: hookMark, Command: "memory-validate " + flags}
		h.Script = func(installed string) string { return script(h, program, folders(installed, folder), guard) }
		return h
	}
	return []repo.Hook{hook("pre-commit", "--stage", ""), hook("pre-merge-commit", "--staged", ""), hook("prepare-commit-msg", "--staged", onlyRebases)}
}

// onlyRebases is a guard that exits unless a rebase continues.
const onlyRebases = `
case $GIT_REFLOG_ACTION in
*"(continue)") ;;
*) exit 0 ;;
esac`

// folderMark precedes the quoted name of each folder, in a comment of the hook.
const folderMark = "# whence: folder "

// folders returns the folders of an installed hook and one more, sorted.
func folders(installed, folder string) []string {
	all := []string{folder}
	for line := range strings.Lines(installed) {
		if quoted, found := strings.CutPrefix(strings.TrimSpace(line), folderMark); found {
			if name, err := strconv.Unquote(quoted); err == nil {
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// script returns the text of a hook. guard is shell code that exits if there is nothing to do.
func script(h repo.Hook, program string, folders []string, guard string) string {
	var names, run strings.Builder
	for _, folder := range folders {
		fmt.Fprintf(&names, "\n%s%s", folderMark, strconv.Quote(folder))
		fmt.Fprintf(&run, "\n\t\"$program\" %s --repo %s || status=$?", strings.TrimPrefix(h.Command, "memory-validate "), shell.Quote(folder))
	}
	return strings.NewReplacer("MARK", hookMark+names.String(), "OURS", hookMark, "RUN", run.String(), "GUARD", guard,
		"PROGRAM", shell.Quote(filepath.ToSlash(program))).Replace(`#!/bin/sh
MARKGUARD
for program in PROGRAM memory-validate; do
	command -v "$program" >/dev/null 2>&1 || continue
	status=0RUN
	exit $status
done
ours=$(grep -l "^OURS" "${0%/*}"/* | tr '\n' ' ')
echo "memory-validate is no longer installed: install it, or delete ${ours% }" >&2
exit 1
`)
}

// hookManagers are the settings files and folders of programs that run git hooks.
var hookManagers = []string{".pre-commit-config.yaml", "prek.toml", "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".husky"}

// ChecksCommits reports whether install-git-hook has installed hooks or a merge driver in the repository of a folder.
func ChecksCommits(env cli.Env, dir string) (bool, error) {
	r, err := repo.Open(dir, env.Dir, env.Getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	paths, err := r.Installed(gitHooks("", "."))
	if err != nil || len(paths) > 0 {
		return err == nil, err
	}
	driver, err := r.MergeDriver()
	return isOurDriver(driver), err
}

// Lack names a part that is missing in a clone.
type Lack int

const (
	LacksNothing  Lack = iota
	LacksHook          // there is neither a pre-commit hook nor a hook manager
	LacksDriver        // our hook is there, without the merge driver
	LacksPatterns      // the merge driver is there, but git does not run it for all files of the memory
)

// GitLacks returns what the clone of a folder lacks to check and merge its memory, and the arguments of memory-validate
// that install it. Outside of a repository, nothing is missing.
func GitLacks(env cli.Env, dir string) (lack Lack, install []string, err error) {
	r, err := repo.Open(dir, env.Dir, env.Getenv)
	if err != nil {
		return LacksNothing, nil, nil
	}
	folder, err := r.Rel(dir)
	if err != nil {
		return LacksNothing, nil, err
	}
	ours, err := r.Installed(gitHooks("", "."))
	if err != nil {
		return LacksNothing, nil, err
	}
	checks := r.HasHook("pre-commit") || hasHookManager(r)
	driver, err := driverState(env, r, folder)
	switch {
	case err != nil:
		return LacksNothing, nil, err
	case driver == driverStale:
		lack = LacksPatterns
	case !checks:
		lack = LacksHook
	case driver == driverAbsent && len(ours) > 0:
		lack = LacksDriver
	default:
		return LacksNothing, nil, nil
	}
	install = []string{"install-git-hook", "--merge-driver"}
	if checks && len(ours) == 0 {
		install = append(install, "--no-hook")
	}
	return lack, install, nil
}

// hasHookManager reports whether a repository has settings of a hook manager. It is true if they cannot be looked for.
func hasHookManager(r *repo.Repository) bool {
	tree, err := worktree.Open(r.Root)
	if err != nil {
		return true
	}
	defer tree.Close()
	return slices.ContainsFunc(hookManagers, func(name string) bool {
		_, err := fs.Stat(tree.FS(), name)
		return err == nil
	})
}
