package validate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// hookMark is the line by which the hook is known again.
const hookMark = "# whence: made by memory-validate install-git-hook"

// gitHookCommands are the commands that install and uninstall git's own hook.
func gitHookCommands(env cli.Env) []*urfave.Command {
	var dir string
	flags := []urfave.Flag{&urfave.StringFlag{Name: "repo", Usage: "work in the repository at `DIR`", Destination: &dir}}
	open := func(ctx *urfave.Context) (*repo.Repository, error) {
		if ctx.Args().Present() {
			return nil, cli.Usagef("unexpected argument %q", ctx.Args().First())
		}
		at := env.Dir
		if dir != "" {
			at = env.Path(dir)
		}
		return repo.Open(worktree.Find(at, ".git"), env.Dir, env.Getenv)
	}
	return []*urfave.Command{
		{
			Name: "install-git-hook", Usage: "check and mend the memory at each git commit", Flags: flags,
			Action: func(ctx *urfave.Context) error {
				r, err := open(ctx)
				if err != nil {
					return err
				}
				program, err := os.Executable()
				if err != nil {
					return err
				}
				for _, h := range gitHooks(program) {
					path, before, err := r.Install(h)
					if err != nil {
						return err
					}
					fmt.Fprintf(env.Stdout, "installed %s\n", path)
					if before != "" {
						fmt.Fprintf(env.Stdout, "the hook that was there is now %s and runs first\n", before)
					}
				}
				return nil
			},
		},
		{
			Name: "uninstall-git-hook", Usage: "take that hook away again", Flags: flags,
			Action: func(ctx *urfave.Context) error {
				r, err := open(ctx)
				if err != nil {
					return err
				}
				for _, h := range gitHooks("") {
					path, removed, err := r.Uninstall(h)
					switch {
					case err != nil:
						return err
					case !removed:
						fmt.Fprintf(env.Stdout, "no hook of whence at %s\n", path)
					default:
						fmt.Fprintf(env.Stdout, "removed from %s\n", path)
					}
				}
				return nil
			},
		},
	}
}

// gitHooks are the hooks that run a program: where it was at the time of installing, or
// else on the PATH. A merge without conflicts runs a hook of its own, in which git has
// written the tree already: there what is to be mended stops the merge, and the commit
// that completes it mends it.
func gitHooks(program string) []repo.Hook {
	commit := repo.Hook{Event: "pre-commit", Mark: hookMark}
	commit.Script = script(commit, program, `exec "$program" --stage`)
	merge := repo.Hook{Event: "pre-merge-commit", Mark: hookMark}
	merge.Script = script(merge, program, `"$program" --staged && exit
		echo "git commit completes the merge, and mends what can be mended" >&2
		exit 1`)
	return []repo.Hook{commit, merge}
}

// script is that of a hook; run is what it does with $program.
func script(h repo.Hook, program, run string) string {
	return strings.NewReplacer("MARK", hookMark, "BEFORE", h.Before(), "RUN", run, "PROGRAM", shellQuote(filepath.ToSlash(program))).Replace(`#!/bin/sh
MARK
before=$(dirname "$0")/BEFORE
if [ -x "$before" ]; then
	"$before" "$@" || exit
fi
for program in PROGRAM memory-validate; do
	if command -v "$program" >/dev/null 2>&1; then
		RUN
	fi
done
echo "memory-validate is not installed any more: install it, or delete $0" >&2
exit 1
`)
}

// shellQuote quotes a word for sh.
func shellQuote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
