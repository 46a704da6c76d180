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
	"whence/internal/finding"
	"whence/internal/memory"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// advice says what stopped a commit, and the command that helps.
type advice struct {
	*options
	env    cli.Env
	tree   *worktree.Tree
	config config.Config
	git    *repo.Repository
	folder string // of the memory, from the root of the repository

	before knownFindings // findings that do not stop the commit
}

func newAdvice(o *options, env cli.Env, tree *worktree.Tree, c config.Config) (advice, error) {
	r, err := repo.Open(tree.Dir, env.Dir, env.Getenv)
	if err != nil {
		return advice{}, err
	}
	folder, err := r.Rel(tree.Dir)
	return advice{options: o, env: env, tree: tree, config: c, git: r, folder: folder}, err
}

// forCommit returns the advice for a commit as one line, or "" if nothing stops the commit.
func (a advice) forCommit(result Result) string {
	if len(result.Left) == 0 && len(result.Changes) > 0 && !a.diff && (a.staged || a.env.Getenv("PRE_COMMIT") == "1") { // pre-commit stops at any change
		return "commit stopped: look at the change, " + a.add(filesOfChanges(result.Changes)) + " and commit again\n"
	}
	if len(result.Left) == 0 {
		return ""
	}
	count := cli.Count(len(result.Left), "finding", "findings")
	if repo.Rewording(a.env.Getenv) {
		return count + ", for after the rebase: git would lose the new message if this stopped the commit\n"
	}
	step, changed := a.step(result)
	if repo.Rebasing(a.env.Getenv) {
		return "commit stopped: " + count + "; " + step + " and run \"git rebase --continue\"\n"
	}
	line := "commit stopped: " + count + "; " + step + " and commit again"
	if a.git.PartialCommit() {
		line += ", naming " + a.arguments(changed) + " too"
	}
	return line + "\n"
}

// stopsCommit returns the findings that stop a commit. In a rebase, only conflict markers do: its next commit may
// resolve the others.
func stopsCommit(env cli.Env, found []finding.Finding) []finding.Finding {
	if !repo.Rebasing(env.Getenv) {
		return found
	}
	return slices.DeleteFunc(found, func(f finding.Finding) bool { return f.Rule != "conflict-marker" })
}

// step returns what to do about the findings in the worktree: run a command that fixes them, or edit. changed lists the
// files that the commit must then include.
func (a advice) step(result Result) (step string, changed []string) {
	index := []string{a.config.Index}
	whole, err := cli.Memory(a.env, a.tree, a.config)
	absent := memory.Problem{}
	isAbsent := errors.As(err, &absent)
	if err == nil {
		absent, isAbsent = whole.NotCheckedOut()
	}
	if isAbsent {
		return absent.Remedy + ", fix the lines named above, add them", index
	}
	found := result.Left
	committed, _ := cli.CommitMemory(a.env, a.tree, a.config) // nil if it cannot be read
	for _, source := range []*memory.Source{whole, committed} {
		if source == nil {
			continue
		}
		m, err := Load(source, a.config)
		if err != nil {
			continue
		}
		if found = a.before.without(m, stopsCommit(a.env, Check(m, a.config))); len(found) == 0 {
			changed = a.filesToAdd(m, result.Left)
			return "the worktree is right: look at the change, " + a.add(changed), changed
		}
		if m.IndexMissing || isBlank(a.tree.FS(), a.config.Index) {
			return a.indexStep(found), index
		}
	}
	changed = a.filesToEdit(found)
	step = "edit the lines named above"
	if !slices.ContainsFunc(found, func(f finding.Finding) bool { return f.Rule != "missing-entry" }) {
		step = "write what is named above into " + a.typed.Path(a.config.Index)
	}
	if FixFlags(found) != "" {
		step = fmt.Sprintf(`run "%s", look at the change`, a.command(found))
	}
	if a.takesStaged() {
		step += ", " + a.add(changed)
	}
	return step, changed
}

// indexStep returns the command that restores the index, or makes one. found holds the findings without an index.
func (a advice) indexStep(found []finding.Finding) string {
	staged, err := a.git.Staged()
	if err == nil && !isBlank(staged, path.Join(a.folder, a.config.Index)) {
		return fmt.Sprintf(`run "%s"`, a.typed.Git("checkout --", a.config.Index))
	}
	if last, err := a.git.Head(); err == nil && last.Has(path.Join(a.folder, a.config.Index)) {
		return fmt.Sprintf(`run "%s"`, a.typed.Git("checkout HEAD --", a.config.Index))
	}
	if _, err := fs.Stat(a.tree.FS(), a.config.Index); err == nil {
		return a.add([]string{a.config.Index})
	}
	return fmt.Sprintf(`run "%s", then "%s"`, makesIndex(a.typed, found), a.typed.Git("add", a.config.Index))
}

// isBlank reports whether a file is missing or holds no text.
func isBlank(tree fs.FS, name string) bool {
	src, err := worktree.ReadText(tree, name)
	return len(bytes.TrimSpace(src)) == 0 && (err == nil || errors.Is(err, fs.ErrNotExist))
}

// takesStaged reports whether the commit takes what is staged: git commit -- PATH and -a do not.
func (a advice) takesStaged() bool { return !a.git.PartialCommit() && !a.git.CommitsWorktree() }

// add returns the command that stages files of the memory.
func (a advice) add(names []string) string {
	return fmt.Sprintf(`run "%s"`, a.typed.Git("add", sorted(names)...))
}

// command returns the command that makes the fixes.
func (a advice) command(found []finding.Finding) string {
	line := "memory-validate"
	if a.takesStaged() {
		line += " --staged"
	}
	return a.typed.Command(line + " " + FixFlags(found))
}

// filesToAdd lists the files to add if the memory in the worktree is right but the commit has findings: those that
// differ between the two, except in their line ends, which git may convert.
func (a advice) filesToAdd(inWorktree *memory.Memory, left []finding.Finding) (names []string) {
	staged, err := a.git.Staged()
	if err != nil {
		return []string{a.config.Index}
	}
	all := []string{inWorktree.Layout.Index, config.ProjectFile}
	for _, file := range inWorktree.Files {
		all = append(all, file.Path)
	}
	for _, f := range left {
		all = append(all, f.Path)
	}
	for _, name := range sorted(all) {
		if a.differs(staged, name) {
			names = append(names, name)
		}
	}
	return names
}

// differs reports whether a file of the worktree has other lines than what is staged.
func (a advice) differs(staged *repo.Tree, name string) bool {
	lines := func(tree fs.FS, name string) []byte {
		src, _ := worktree.ReadText(tree, name)
		return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	}
	return !bytes.Equal(lines(a.tree.FS(), name), lines(staged, path.Join(a.folder, name)))
}

// filesToEdit lists the files that the fixes of findings change. For a finding without a fix, it lists the file of the
// finding, or the index if an entry is missing.
func (a advice) filesToEdit(found []finding.Finding) (names []string) {
	for _, f := range found {
		switch {
		case f.Fix != nil:
			for _, e := range f.Fix.Edits {
				names = append(names, e.Path)
			}
		case f.Rule == "missing-entry":
			names = append(names, a.config.Index)
		case f.Rule == "unknown-file" && len(a.config.Documents) > 0 && !isBlank(a.tree.FS(), config.ProjectFile): // adopt writes it
			names = append(names, f.Path, config.ProjectFile)
		default:
			names = append(names, f.Path)
		}
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

// noteSettings returns a line if the commit has other settings than those of the check, else "".
func (a advice) noteSettings() string {
	if !a.otherSettings || repo.Rebasing(a.env.Getenv) {
		return ""
	}
	return fmt.Sprintf("%s of the worktree, by which this was checked, is not what is committed: if it should be, %s\n",
		a.typed.Path(config.ProjectFile), a.add([]string{config.ProjectFile}))
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
