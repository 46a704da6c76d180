package validate

import (
	"bytes"
	"slices"
	"strings"

	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/finding"
)

// filesToAdd returns the files that are right in the worktree and wrong in the commit: those in which the
// fixes of findings are, usually the index, or if that is not enough, all that differ.
func (a advice) filesToAdd(found []finding.Finding, worktree *corpus.Corpus) string {
	names := a.namesOfFixes(found)
	staged, err := a.stagedMemory()
	if err == nil && len(a.selected(Check(overlay(staged, worktree, names), a.config))) > 0 {
		names = differing(staged, worktree)
	}
	return a.arguments(names)
}

// filesOfFixes returns the files that the fixes of findings change.
func (a advice) filesOfFixes(found []finding.Finding) string {
	return a.arguments(a.namesOfFixes(found))
}

// namesOfFixes lists the files that the fixes of findings change; for one without a fix, the index.
func (a advice) namesOfFixes(found []finding.Finding) (names []string) {
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

// filesOfFindings returns the files that findings are in.
func (a advice) filesOfFindings(found []finding.Finding) string {
	var names []string
	for _, f := range found {
		names = append(names, f.Path)
	}
	return a.arguments(names)
}

// filesOfChanges returns the files that changes are in.
func (a advice) filesOfChanges(changes []Change) string {
	var names []string
	for _, change := range changes {
		names = append(names, change.Path)
	}
	return a.arguments(names)
}

// arguments returns paths of the memory as arguments of a command, sorted and each once.
func (a advice) arguments(names []string) string {
	slices.Sort(names)
	var all []string
	for _, name := range slices.Compact(names) {
		all = append(all, a.typed.Word(name))
	}
	return strings.Join(all, " ")
}

// overlay returns a memory in which some files are those of another one.
func overlay(m, other *corpus.Corpus, names []string) *corpus.Corpus {
	with := *m
	if slices.Contains(names, m.IndexPath) {
		with.Index, with.IndexMissing = other.Index, other.IndexMissing
	}
	with.Decisions = nil
	for _, file := range m.Decisions {
		if slices.Contains(names, file.Path) {
			file = fileOf(other, file.Path)
		}
		if file != nil {
			with.Decisions = append(with.Decisions, file)
		}
	}
	return &with
}

// differing lists the files of a memory that are not the same in another one.
func differing(m, other *corpus.Corpus) (names []string) {
	if !sameText(m.Index.Source, other.Index.Source) {
		names = append(names, m.IndexPath)
	}
	for _, file := range m.Decisions {
		if their := fileOf(other, file.Path); their == nil || !sameText(file.Source, their.Source) {
			names = append(names, file.Path)
		}
	}
	return names
}

// fileOf returns a decision file, or nil.
func fileOf(m *corpus.Corpus, name string) *decision.File {
	at, found := slices.BinarySearchFunc(m.Decisions, name, func(f *decision.File, name string) int { return strings.Compare(f.Path, name) })
	if !found {
		return nil
	}
	return m.Decisions[at]
}

// sameText reports whether two texts differ in their line ends at most: git may convert those.
func sameText(a, b []byte) bool { return bytes.Equal(likeLineEnds(a, b), likeLineEnds(b, a)) }
