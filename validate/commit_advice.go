package validate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
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
		return "commit stopped: look at the change, " + a.add(filesOfChanges(result.Changes)) + " and commit again\n"
	}
	if len(result.Left) == 0 {
		return ""
	}
	count, again := cli.Count(len(result.Left), "finding", "findings"), "commit again"
	if repo.Rewording(a.env.Getenv) {
		return count + ", for after the rebase: git would lose the new message if this stopped the commit\n"
	}
	isPartial := a.git.PartialCommit()
	if isPartial {
		if leftOut, needed := a.leftOut(); leftOut {
			return "commit stopped: " + count + "; " + a.add(append(pathsOf(result.Left), needed...)) + " and commit again without a path\n"
		}
	}
	step, changed := a.step(result)
	if event := a.env.Getenv(gitHookVariable); event == rebaseEvent || event == applyEvent {
		again = fmt.Sprintf("run %q", a.git.Continue())
	} else if isPartial {
		again += ", naming " + a.arguments(changed) + " too"
	}
	return "commit stopped: " + count + "; " + step + " and " + again + "\n"
}

// step returns the command that fixes the findings in the worktree, or else says that it takes an editor;
// and the files that the commit has to take then.
func (a advice) step(result Result) (step string, changed []string) {
	index := []string{a.config.Index}
	if command := a.checkOut(); command != "" {
		return fmt.Sprintf("run \"%s\", fix the lines named above, add them", command), index
	}
	if result.NoIndex {
		return a.indexStep(), index
	}
	found := result.Left
	if memory, err := a.memory(); err == nil {
		if found = a.selected(Check(memory, a.config)); len(found) == 0 {
			changed = a.filesToAdd(memory)
			return "review " + a.arguments(changed) + ", which is right in the worktree, " + a.add(changed), changed
		}
	}
	files := pathsOf(found)
	if FixFlags(found) == "" {
		return "edit the lines named above" + a.addStep(files), files
	}
	files = a.filesOfFixes(found)
	return fmt.Sprintf(`run "%s", look at the change`, a.command(found)) + a.addStep(files), files
}

// indexStep returns the command that brings the index back, or makes it.
func (a advice) indexStep() string {
	if last, err := a.git.Head(); err == nil && last.Has(path.Join(a.below, a.config.Index)) {
		return fmt.Sprintf(`run "%s"`, a.typed.Git("checkout HEAD --", a.config.Index))
	}
	if _, err := fs.Stat(a.tree.FS(), a.config.Index); err == nil {
		return a.add([]string{a.config.Index})
	}
	return fmt.Sprintf(`run "%s", then "%s"`, a.typed.Command("memory-remember entry draft --write"), a.typed.Git("add", a.config.Index))
}

// takesStaged reports whether the commit takes what is staged: git commit -- PATH and -a do not.
func (a advice) takesStaged() bool { return !a.git.PartialCommit() && !a.git.CommitsWorktree() }

// addStep returns the command that adds changed files to the commit, if that is needed.
func (a advice) addStep(names []string) string {
	if !a.takesStaged() {
		return ""
	}
	return ", " + a.add(names)
}

// add returns the command that stages files of the memory.
func (a advice) add(names []string) string {
	return fmt.Sprintf(`run "%s"`, a.typed.Git("add", sorted(names)...))
}

// checkOut returns the command that checks out what git has left out of the worktree, or "".
func (a advice) checkOut() string {
	memory, err := cli.Memory(a.env, a.tree, a.config)
	if r := (corpus.Refusal{}); errors.As(err, &r) {
		return r.Command()
	}
	if err != nil {
		return ""
	}
	if r, absent := memory.NotCheckedOut(); absent {
		return r.Command()
	}
	return ""
}

// leftOut reports whether a partial commit leaves out files of the memory, and returns them if the memory in the
// worktree has no findings: then they are needed.
func (a advice) leftOut() (leftOut bool, needed []string) {
	committed, err := cli.CommitMemory(a.env, a.tree, a.config)
	if err != nil || len(committed.LeftOut()) == 0 {
		return false, nil
	}
	all, err := cli.Memory(a.env, a.tree, a.config)
	if err != nil {
		return true, nil
	}
	if m, err := Load(all, a.config); err != nil || len(a.selected(Check(m, a.config))) > 0 {
		return true, nil
	}
	return true, committed.LeftOut()
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
	if a.takesStaged() {
		line += " --staged"
	}
	return a.typed.Command(line + " " + FixFlags(found))
}

// filesToAdd returns the files to add if the worktree is right and the commit is not: the index if that is enough,
// or else all that differ.
func (a advice) filesToAdd(worktree *corpus.Corpus) (names []string) {
	staged, err := a.stagedMemory()
	if err != nil {
		return []string{a.config.Index}
	}
	if !sameText(staged.Index.Source, worktree.Index.Source) {
		names = append(names, a.config.Index)
		with := *staged
		with.Index, with.IndexMissing = worktree.Index, worktree.IndexMissing
		if len(a.selected(Check(&with, a.config))) == 0 {
			return names
		}
	}
	for _, file := range staged.Decisions {
		if their := fileOf(worktree, file.Path); their == nil || !sameText(file.Source, their.Source) {
			names = append(names, file.Path)
		}
	}
	return names
}

// filesOfFixes lists the files that the fixes of findings change; for one without a fix, the index.
func (a advice) filesOfFixes(found []finding.Finding) (names []string) {
	for _, f := range found {
		if f.Fix == nil {
			names = append(names, a.config.Index)
			continue
		}
		for _, e := range f.Fix.Edits {
			names = append(names, e.Path)
		}
	}
	return names
}

// pathsOf lists the files that findings are in.
func pathsOf(found []finding.Finding) (names []string) {
	for _, f := range found {
		names = append(names, f.Path)
	}
	return names
}

// filesOfChanges lists the files that changes are in.
func filesOfChanges(changes []Change) (names []string) {
	for _, change := range changes {
		names = append(names, change.Path)
	}
	return names
}

// arguments returns paths of the memory as arguments of a command.
func (a advice) arguments(names []string) string {
	var all []string
	for _, name := range sorted(names) {
		all = append(all, a.typed.Word(name))
	}
	return strings.Join(all, " ")
}

// sorted returns names sorted, each once.
func sorted(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// fileOf returns a decision file, or nil.
func fileOf(m *corpus.Corpus, name string) *decision.File {
	at, found := slices.BinarySearchFunc(m.Decisions, name, func(f *decision.File, name string) int { return strings.Compare(f.Path, name) })
	if !found {
		return nil
	}
	return m.Decisions[at]
}

// sameText reports whether two texts differ in their line ends at most: git may convert those.
func sameText(a, b []byte) bool {
	crlf, lf := []byte("\r\n"), []byte("\n")
	return bytes.Equal(bytes.ReplaceAll(a, crlf, lf), bytes.ReplaceAll(b, crlf, lf))
}
