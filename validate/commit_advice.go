package validate

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/repo"
	"whence/internal/text"
	"whence/internal/worktree"
)

// gitHookVariable is the variable that our git hooks set to their event.
const gitHookVariable = "WHENCE_GIT_HOOK"

// advice words the message for a stopped commit, for people who may not know this program.
type advice struct {
	*options
	env        cli.Env
	tree       *worktree.Tree
	config     config.Config
	repository *repo.Repository // nil outside of one
	below      string           // the folder of the memory, from the root of the repository
	result     Result
}

// forCommit returns what to type so that a commit succeeds. It is empty if nothing stops the commit.
func (o *options) forCommit(env cli.Env, tree *worktree.Tree, c config.Config, result Result) string {
	a := advice{options: o, env: env, tree: tree, config: c, result: result}
	if r, err := repo.Open(tree.Dir, env.Dir, env.Getenv); err == nil {
		if below, err := r.Rel(tree.Dir); err == nil {
			a.repository, a.below = r, below
		}
	}
	if len(result.Left) > 0 {
		return a.head() + " " + a.steps() + a.end() + "\n"
	}
	if len(result.Changes) > 0 && env.Getenv("PRE_COMMIT") == "1" { // which stops at any change
		return fmt.Sprintf("commit stopped: look at the change, %s and commit again\n", a.add(nil))
	}
	return ""
}

// head says what was stopped, by how many findings, and in which folder.
func (a *advice) head() string {
	count := cli.Count(len(a.result.Left), "finding", "findings")
	if folder := a.fromUser("."); folder != "." {
		count += " in " + text.Printable(folder)
	}
	switch {
	case repo.Rewording(a.env.Getenv):
		return count + ", but git would drop the new message if this stopped the commit: after the rebase,"
	case !a.stage && !repo.InHook(a.env.Getenv) && a.env.Getenv(gitHookVariable) == "":
		return count + " in what is staged;"
	}
	if a.isMerge() {
		return "merge stopped: " + count + ";"
	}
	return "commit stopped: " + count + ";"
}

func (a *advice) isMerge() bool { return a.env.Getenv(gitHookVariable) == "pre-merge-commit" }

// steps says how to fix the findings in the worktree, where commands fix them.
func (a *advice) steps() string {
	found := a.result.Left
	if m, err := a.memory(); err == nil && (a.staged || a.stage) {
		if fixes, err := CheckFixes(m, a.config); err == nil {
			found = a.selected(fixes)
		}
	}
	n := countFixes(found)
	switch {
	case a.result.NoIndex && a.inLastCommit(a.config.Index):
		return fmt.Sprintf("run %s, which brings the index of the last commit back,", quoted("git checkout HEAD -- "+cli.Word(a.fromUser(a.config.Index))))
	case a.result.NoIndex:
		return `run "memory-remember entry draft --write", look at the entries, ` + a.add(found)
	case a.isMerge() && countFixes(a.result.Left).safe == len(a.result.Left):
		return `run "git commit", which fixes it and completes the merge`
	case len(found) == 0:
		return "already fixed in the worktree: look at the change, " + a.add(nil)
	case n.all() == 0:
		return "edit the lines named above, " + a.add(found)
	}
	byHand := ""
	if rest := len(found) - n.all(); rest > 0 {
		byHand = fmt.Sprintf(", edit what is left (%d)", rest)
	}
	return fmt.Sprintf("run %s, look at the change%s, %s", quoted(a.command(found)), byHand, a.add(found))
}

// inLastCommit reports whether the last commit has a file of the memory.
func (a *advice) inLastCommit(name string) bool {
	if a.repository == nil {
		return false
	}
	last, err := a.repository.Head()
	if err != nil {
		return false
	}
	_, err = fs.Stat(last, path.Join(a.below, name))
	return err == nil
}

// memory reads the memory in the worktree.
func (a *advice) memory() (*corpus.Corpus, error) {
	memory, err := cli.Memory(a.env, a.tree, a.config)
	if err != nil {
		return nil, err
	}
	return Load(WithHistory(memory, a.tree, a.env), a.config)
}

// end returns the last step: commit again, or continue.
func (a *advice) end() string {
	event := a.env.Getenv(gitHookVariable)
	switch {
	case repo.Rewording(a.env.Getenv):
		return " and commit"
	case a.isMerge() && countFixes(a.result.Left).safe == len(a.result.Left):
		return ""
	case a.isMerge():
		return `; then "git commit" completes the merge`
	case a.repository != nil && (event == rebaseEvent || event == applyEvent):
		return fmt.Sprintf(" and %q", a.repository.Continue())
	case a.repository != nil && a.repository.Replaying():
		return " and go on (nothing is fixed during a rebase or a series of cherry-picks, which would stop at it)"
	}
	return " and commit again"
}

// command returns the command that makes the fixes. pre-commit puts the folder of the hook before the
// user's PATH.
func (a *advice) command(found []finding.Finding) string {
	program := "memory-validate"
	path, err := exec.LookPath(program)
	first := filepath.SplitList(a.env.Getenv("PATH"))
	isPreCommits := a.env.Getenv("PRE_COMMIT") == "1" && len(first) > 0 && filepath.Dir(path) == filepath.Clean(first[0])
	if own, failed := os.Executable(); failed == nil && (err != nil || isPreCommits) {
		program = cli.Word(filepath.ToSlash(own))
	}
	flags := " " + FixFlags(found)
	if folder := a.fromUser("."); folder != "." {
		flags += " --repo " + cli.Word(folder)
	}
	return program + flags + a.options.repository.Chosen()
}

func quoted(command string) string { return `"` + text.Printable(command) + `"` }

// maxNamedPaths bounds the files that advice to run git add names.
const maxNamedPaths = 3

// add returns the step that adds the changed files, and those that fixes change; without either, all that
// are fixed in the worktree. A commit of paths has
// only the files that it names, and the index is the one that is forgotten.
func (a *advice) add(found []finding.Finding) string {
	var paths []string
	for _, change := range a.result.Changes {
		paths = append(paths, change.Path)
	}
	for _, f := range found {
		if f.Fix == nil {
			paths = append(paths, f.Path)
			continue
		}
		for _, e := range f.Fix.Edits {
			paths = append(paths, e.Path)
		}
	}
	if a.repository != nil && a.repository.PartialCommit() {
		return fmt.Sprintf("name %s too, or commit without a path,", text.Printable(cli.Word(a.fromUser(a.config.Index))))
	}
	if m, err := a.memory(); err == nil && len(paths) == 0 {
		for _, file := range m.Decisions {
			paths = append(paths, file.Path)
		}
		paths = slices.DeleteFunc(append(paths, m.IndexPath), func(name string) bool { return !a.hasOtherChanges(name) })
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if len(paths) == 0 || len(paths) > maxNamedPaths {
		return `run "git add" for the files`
	}
	var names []string
	for _, p := range paths {
		names = append(names, cli.Word(a.fromUser(p)))
	}
	command := "git add "
	if len(found) > 0 && slices.ContainsFunc(paths, a.hasOtherChanges) {
		command = "git add -p "
	}
	return "run " + quoted(command+strings.Join(names, " "))
}

// hasOtherChanges reports whether a file of the memory differs from what is staged of it.
func (a *advice) hasOtherChanges(name string) bool {
	if a.repository == nil || !a.staged && !a.stage {
		return false
	}
	staged, err := a.repository.Staged()
	if err != nil {
		return false
	}
	here, err := fs.ReadFile(a.tree.FS(), name)
	there, failed := fs.ReadFile(staged, path.Join(a.below, name))
	return err == nil && (failed != nil || !bytes.Equal(likeLineEnds(there, here), here))
}

// fromUser returns a path of the memory relative to where the commit was started; "." if the
// program finds the memory from there.
func (a *advice) fromUser(name string) string {
	if a.repository == nil {
		return name
	}
	dir := a.repository.StartedIn(a.env.Dir, a.env.Getenv)
	if found, err := a.repository.Rel(cli.Root(dir)); name == "." && err == nil && found == a.below {
		return "."
	}
	from, err := a.repository.Rel(dir)
	if err != nil {
		return name
	}
	rel, err := filepath.Rel(filepath.FromSlash(from), filepath.FromSlash(a.below))
	if err != nil {
		return name
	}
	return path.Join(filepath.ToSlash(rel), name)
}
