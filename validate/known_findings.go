package validate

import (
	"maps"
	"slices"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/memory"
)

// A commit is stopped only for what it breaks: findings that a parent commit has, too, become one note. CI checks
// outside of a commit, so it sees all of them.

// knownFindings counts the findings of earlier states of a memory, by subject.
type knownFindings map[subject]int

// known returns the findings of the parents of the commit that git is making, by the present settings. It is empty
// outside of a commit, if nothing or a conflict marker was found, or if the parents cannot be read.
func (a advice) known(found []finding.Finding, c config.Config) knownFindings {
	isConflict := func(f finding.Finding) bool { return f.Rule == "conflict-marker" }
	if len(found) == 0 || slices.ContainsFunc(found, isConflict) {
		return nil
	}
	all := knownFindings{}
	for _, parent := range cli.Parents(a.env, a.tree, c) {
		m, err := Load(parent.Memory, c)
		if err != nil {
			continue
		}
		for key, n := range newKnown(m, Check(m, c)) {
			all[key] = max(all[key], n)
		}
	}
	return all
}

// without returns the findings of a memory that are not in k.
func (k knownFindings) without(m *memory.Memory, found []finding.Finding) (fresh []finding.Finding) {
	left := maps.Clone(k)
	for _, f := range found {
		subjects := subjectsOf(m, f)
		if slices.ContainsFunc(subjects, func(s subject) bool { return left[s] == 0 }) {
			fresh = append(fresh, f)
			continue
		}
		for _, s := range subjects {
			left[s]--
		}
	}
	return fresh
}

// newKnown counts the findings of a memory.
func newKnown(m *memory.Memory, found []finding.Finding) knownFindings {
	known := knownFindings{}
	for _, f := range found {
		for _, s := range subjectsOf(m, f) {
			known[s]++
		}
	}
	return known
}

// subjectsOf returns the subjects of a finding: its line, and the heading without an entry that it names. A
// missing-entry finding has only the heading, which it shares with unknown-header if an entry seems to belong to that
// heading.
func subjectsOf(m *memory.Memory, f finding.Finding) (all []subject) {
	if f.Rule != "missing-entry" {
		all = append(all, subjectOf(m, f))
	}
	if f.Heading != "" {
		all = append(all, subject{rule: "missing-entry", text: f.Heading})
	}
	return all
}
