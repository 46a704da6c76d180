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

// maxNamedPaths bounds the files that advice to run git add names.
const maxNamedPaths = 3

// forCommit returns what to type so that a commit succeeds, for people who may not know this
// program. It is empty if nothing stops the commit.
func (o *options) forCommit(env cli.Env, tree *worktree.Tree, c config.Config, result Result) string {
	a := advice{options: o, env: env, tree: tree, config: c, result: result}
	if r, err := repo.Open(tree.Dir, env.Dir, env.Getenv); err == nil {
		if below, err := r.Rel(tree.Dir); err == nil {
			a.repository, a.below = r, below
		}
	}
	if len(result.Left) == 0 {
		if len(result.Changes) > 0 && env.Getenv("PRE_COMMIT") == "1" { // which stops at any change
			return fmt.Sprintf("commit stopped: look at the change, run %s and commit again\n", a.gitAdd(pathsOf(result.Changes), nil))
		}
		return ""
	}
	return a.text() + "\n"
}

// advice words the message for a stopped commit.
type advice struct {
	*options
	env        cli.Env
	tree       *worktree.Tree
	config     config.Config
	repository *repo.Repository // nil outside of one
	below      string           // the folder of the memory, from the root of the repository
	result     Result
}

func (a *advice) text() string {
	merge := a.env.Getenv(gitHookVariable) == "pre-merge-commit"
	inWorktree, noIndex := a.result.Left, a.result.NoIndex
	if a.staged || a.stage {
		inWorktree, noIndex = a.worktreeFindings()
	}
	n := countFixes(inWorktree)
	head, again := a.head(merge), a.again(merge)
	switch {
	case noIndex && a.inLastCommit(a.config.Index):
		return fmt.Sprintf("%s run %s, which brings the index of the last commit back,%s", head, inQuotes("git checkout HEAD -- "+cli.Word(a.fromUser(a.config.Index))), again)
	case noIndex:
		return fmt.Sprintf("%s create %s (an empty file will do), run %s, which drafts its entries, look at them, run %s%s", head, text.Printable(a.fromUser(a.config.Index)),
			inQuotes(a.command([]finding.Finding{{Fix: &finding.Fix{Unsafe: true}}})), a.gitAdd([]string{a.config.Index}, nil), again)
	case merge && countFixes(a.result.Left).safe == len(a.result.Left):
		return head + ` run "git commit", which fixes it and completes the merge`
	case len(inWorktree) == 0:
		return fmt.Sprintf("%s already fixed in the worktree: look at the change, run %s%s", head, a.gitAdd(a.unstaged(true), nil), again)
	case n.all() == 0:
		return fmt.Sprintf("%s edit the lines named above, run %s%s", head, a.gitAdd(pathsToFix(inWorktree, a.result.Changes), a.unstaged(false)), again)
	}
	byHand := ""
	if rest := len(inWorktree) - n.all(); rest > 0 {
		byHand = fmt.Sprintf(", edit what is left (%d)", rest)
	}
	return fmt.Sprintf("%s run %s, look at the change%s, run %s%s", head, inQuotes(a.command(inWorktree)), byHand, a.gitAdd(pathsToFix(inWorktree, a.result.Changes), a.unstaged(false)), again)
}

// inLastCommit reports whether the last commit has a file of the tree.
func (a *advice) inLastCommit(name string) bool {
	if a.repository == nil {
		return false
	}
	last, err := a.repository.Head()
	if err != nil {
		return false
	}
	defer last.Close()
	_, err = fs.Stat(last, path.Join(a.below, name))
	return err == nil
}

// head names what was stopped, by how many findings, and in which folder.
func (a *advice) head(merge bool) string {
	count := cli.Count(len(a.result.Left), "finding", "findings")
	where := ""
	if folder := a.fromUser("."); folder != "." {
		where = " in " + text.Printable(folder)
	}
	switch {
	case repo.Rewording(a.env.Getenv):
		return count + where + ", but git would drop the new message if this stopped the commit: after the rebase,"
	case merge:
		return "merge stopped: " + count + where + ";"
	case !a.stage && !repo.InHook(a.env.Getenv) && !a.continuing():
		return count + where + " in what is staged;"
	}
	return "commit stopped: " + count + where + ";"
}

// continuing reports whether a hook runs for a commit of a continued rebase or git am.
func (a *advice) continuing() bool {
	event := a.env.Getenv(gitHookVariable)
	return event == rebaseEvent || event == applyEvent
}

// again returns the last step: commit again, or continue.
func (a *advice) again(merge bool) string {
	switch {
	case repo.Rewording(a.env.Getenv):
		return " and commit"
	case a.continuing() && a.repository != nil:
		return fmt.Sprintf(" and %q", a.repository.Continue())
	case a.repository != nil && a.repository.Replaying():
		return " and go on (nothing is fixed during a rebase or a series of cherry-picks, which would stop at it)"
	case merge:
		return `; then "git commit" completes the merge`
	}
	return " and commit again"
}

// worktreeFindings returns the findings in the worktree, where commands fix them, or the staged
// ones if it cannot be read.
func (a *advice) worktreeFindings() (found []finding.Finding, noIndex bool) {
	m, err := a.memory()
	if err != nil {
		return a.result.Left, a.result.NoIndex
	}
	if found, err = CheckFixes(m, a.config); err != nil {
		return a.result.Left, a.result.NoIndex
	}
	return a.selected(found), m.IndexMissing
}

// memory reads the memory in the worktree.
func (a *advice) memory() (*corpus.Corpus, error) {
	memory, err := cli.Memory(a.env, a.tree, a.config)
	if err != nil {
		return nil, err
	}
	return Load(WithHistory(memory, a.tree, a.env), a.config)
}

// command returns the command that makes the fixes.
func (a *advice) command(found []finding.Finding) string {
	program := "memory-validate"
	if own, err := os.Executable(); err == nil && !a.onPath(program) {
		program = cli.Word(filepath.ToSlash(own))
	}
	flags := " " + FixFlags(found)
	if folder := a.fromUser("."); folder != "." {
		flags += " --repo " + cli.Word(folder)
	}
	return program + flags + a.options.repository.Chosen()
}

// onPath reports whether a program is on the user's PATH, before which pre-commit puts the folder
// of the hook.
func (a *advice) onPath(program string) bool {
	found, err := exec.LookPath(program)
	if err != nil || a.env.Getenv("PRE_COMMIT") != "1" {
		return err == nil
	}
	first := filepath.SplitList(a.env.Getenv("PATH"))
	return len(first) == 0 || filepath.Dir(found) != filepath.Clean(first[0])
}

// inQuotes returns a command line as it is typed, between quotes.
func inQuotes(command string) string { return `"` + text.Printable(command) + `"` }

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

// gitAdd returns the command that adds files of the memory, with -p if one of them has other
// changes. "git commit -- PATH" adds by itself: there it is "git diff".
func (a *advice) gitAdd(paths, changed []string) string {
	if a.repository != nil && a.repository.PartialCommit() {
		return `"git diff"`
	}
	command, named := "git add", ""
	for _, p := range paths {
		named += " " + cli.Word(a.fromUser(p))
	}
	if len(paths) == 0 || len(paths) > maxNamedPaths {
		return `"git add" for the files`
	}
	if slices.ContainsFunc(paths, func(p string) bool { return slices.Contains(changed, p) }) {
		command = "git add -p"
	}
	return inQuotes(command + named)
}

// unstaged lists the files of the memory that differ between the worktree and what is staged,
// and with unknown set, those that git does not know.
func (a *advice) unstaged(unknown bool) []string {
	if a.repository == nil || !a.staged && !a.stage {
		return nil
	}
	staged, err := a.repository.Staged()
	if err != nil {
		return nil
	}
	defer staged.Close()
	m, err := a.memory()
	if err != nil {
		return nil
	}
	var paths []string
	differs := func(name string, here []byte) {
		there, err := fs.ReadFile(staged, path.Join(a.below, name))
		if err != nil && unknown || err == nil && !bytes.Equal(there, here) && !bytes.Equal(likeLineEnds(there, here), here) {
			paths = append(paths, name)
		}
	}
	differs(m.IndexPath, m.Index.Source)
	for _, file := range m.Decisions {
		differs(file.Path, file.Source)
	}
	return paths
}

func pathsOf(changes []Change) []string {
	var paths []string
	for _, change := range changes {
		paths = append(paths, change.Path)
	}
	return paths
}

// pathsToFix lists the changed files and those that fixes of the findings will change.
func pathsToFix(found []finding.Finding, changed []Change) []string {
	paths := pathsOf(changed)
	for _, f := range found {
		if f.Fix == nil {
			paths = append(paths, f.Path)
			continue
		}
		for _, e := range f.Fix.Edits {
			paths = append(paths, e.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
