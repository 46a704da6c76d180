package validate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// gitHookVariable is the variable that our git hooks set to their event.
const gitHookVariable = "WHENCE_GIT_HOOK"

// advice says what stopped a commit, and the command that helps.
type advice struct {
	*options
	env    cli.Env
	tree   *worktree.Tree
	config config.Config
	git    *repo.Repository
	below  string // the folder of the memory, from the root of the repository
}

func newAdvice(o *options, env cli.Env, tree *worktree.Tree, c config.Config) (advice, error) {
	r, err := repo.Open(tree.Dir, env.Dir, env.Getenv)
	if err != nil {
		return advice{}, err
	}
	below, err := r.Rel(tree.Dir)
	return advice{o, env, tree, c, r, below}, err
}

// forCommit returns the advice for a commit, a line. It is empty if nothing stops the commit.
func (a advice) forCommit(result Result) string {
	if len(result.Left) == 0 && len(result.Changes) > 0 && !a.diff && (a.staged || a.env.Getenv("PRE_COMMIT") == "1") { // which stops at any change
		return fmt.Sprintf("commit stopped: look at the change, run \"git add %s\" and commit again\n", a.filesOfChanges(result.Changes))
	}
	if len(result.Left) == 0 {
		return ""
	}
	count, again := cli.Count(len(result.Left), "finding", "findings"), "commit again"
	if repo.Rewording(a.env.Getenv) {
		return count + ", for after the rebase: git would lose the new message if this stopped the commit\n"
	}
	step, changed := a.step(result)
	if event := a.env.Getenv(gitHookVariable); event == rebaseEvent || event == applyEvent {
		again = fmt.Sprintf("run %q", a.git.Continue())
	} else if a.git.PartialCommit() && a.hasUnstagedMemory() {
		again += " without a path"
	} else if a.git.PartialCommit() {
		again += ", naming " + changed + " too"
	}
	return "commit stopped: " + count + "; " + step + " and " + again + "\n"
}

// step returns the command that fixes the findings in the worktree, or else says that it takes an editor;
// and the files that the commit has to take then.
func (a advice) step(result Result) (step, changed string) {
	found, right := result.Left, false
	changed = a.typed.Word(a.config.Index)
	if command := a.checkOut(); command != "" {
		return fmt.Sprintf("run \"%s\", fix the lines named above, add them", command), changed
	}
	memory, err := a.memory()
	if err == nil {
		if fixes, err := CheckFixes(memory, a.config); err == nil {
			found = a.selected(fixes)
			right = len(found) == 0
		}
	}
	switch {
	case result.NoIndex && a.inLastCommit(a.config.Index):
		return fmt.Sprintf(`run "git checkout HEAD -- %s"`, changed), changed
	case result.NoIndex && a.isInWorktree(a.config.Index):
		return fmt.Sprintf(`run "git add %s"`, changed), changed
	case result.NoIndex:
		return fmt.Sprintf(`run "%s", then "git add %s"`, a.typed.Command("memory-remember entry draft --write"), changed), changed
	case right:
		changed = a.filesToAdd(result.Left, memory)
		return fmt.Sprintf(`review %[1]s, which is right in the worktree, run "git add %[1]s"`, changed), changed
	case FixFlags(found) == "":
		return "edit the lines named above" + a.addStep(a.filesOfFindings(found)), a.filesOfFindings(found)
	case a.git.PartialCommit() && FixFlags(found) == "--unsafe-fixes" && a.hasUnstagedMemory():
		return fmt.Sprintf(`run "git add %s"`, a.filesOfFindings(found)), changed
	}
	changed = a.filesOfFixes(found)
	return fmt.Sprintf(`run "%s", look at the change`, a.command(found)) + a.addStep(changed), changed
}

// addStep returns the command that adds changed files to the commit, if it takes what is staged.
func (a advice) addStep(files string) string {
	if a.git.PartialCommit() || a.git.CommitsWorktree() {
		return ""
	}
	return fmt.Sprintf(`, run "git add %s"`, files)
}

// checkOut returns the command that checks out what git has left out of the worktree, or "".
func (a advice) checkOut() string {
	memory, err := cli.Memory(a.env, a.tree, a.config)
	r, absent := corpus.Refusal{}, false
	if err == nil {
		r, absent = memory.NotCheckedOut()
	} else {
		absent = errors.As(err, &r)
	}
	if !absent {
		return ""
	}
	return r.Command()
}

// forPath returns the advice for a commit of named files that needs a fix in others.
func (a advice) forPath(result Result) string {
	step := fmt.Sprintf("run \"%s\", look at the change and ", a.command(result.Fixed))
	if memory, err := a.memory(); err == nil && len(a.selected(Check(memory, a.config))) == 0 {
		step = ""
	}
	return step + "commit again, naming " + a.filesOfChanges(result.Changes) + " too"
}

func (a advice) inLastCommit(name string) bool {
	last, err := a.git.Head()
	if err != nil {
		return false
	}
	_, err = fs.Stat(last, path.Join(a.below, name))
	return err == nil
}

// isInWorktree reports whether a file is there, though it may not be staged.
func (a advice) isInWorktree(name string) bool {
	_, err := fs.Stat(a.tree.FS(), name)
	return err == nil
}

// hasUnstagedMemory reports whether the worktree has memory that the commit does not have.
func (a advice) hasUnstagedMemory() bool {
	memory, err := cli.CommitMemory(a.env, a.tree, a.config)
	return err == nil && memory.LeavesOut()
}

// memory reads the memory in the worktree as far as the commit has its files.
func (a advice) memory() (*corpus.Corpus, error) {
	memory, err := cli.CommitMemory(a.env, a.tree, a.config)
	if err != nil {
		return nil, err
	}
	return Load(memory, a.config)
}

// stagedMemory reads the memory that is about to be committed.
func (a advice) stagedMemory() (*corpus.Corpus, error) {
	staged, err := a.git.Staged()
	if err != nil {
		return nil, err
	}
	memory, err := cli.StagedMemory(staged, a.below, a.config)
	if err != nil {
		return nil, err
	}
	return Load(memory, a.config)
}

// command returns the command that makes the fixes.
func (a advice) command(found []finding.Finding) string {
	line := "memory-validate"
	if !a.git.PartialCommit() && !a.git.CommitsWorktree() { // what git commit -- PATH and -a take is not staged
		line += " --staged"
	}
	return a.typed.Command(line + " " + FixFlags(found))
}
