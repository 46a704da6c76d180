package migrate

import (
	"maps"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/worktree"
	"whence/validate"
)

// titles is a set of titles, by their keys.
type titles map[string]bool

// lostSections maps each section of the index whose entries all lead nowhere to their header titles: its file may have
// moved.
type lostSections map[string]titles

func findLost(env cli.Env, tree *worktree.Tree, c config.Config) (lostSections, error) {
	source, err := cli.Memory(env, tree, c)
	if err != nil {
		return nil, err
	}
	m, err := validate.Begin(source, c)
	if err != nil {
		return nil, err
	}
	lost, led := lostSections{}, map[string]bool{}
	for _, e := range m.Entries {
		led[e.Section] = led[e.Section] || e.Heading != nil
		if lost[e.Section] == nil {
			lost[e.Section] = titles{}
		}
		lost[e.Section][decision.Key(e.Title.Text)] = true
	}
	maps.DeleteFunc(lost, func(section string, _ titles) bool { return led[section] })
	return lost, nil
}

// add adds a title if a lost section has it.
func (t *titles) add(lost lostSections, key string) {
	for _, section := range lost {
		if !section[key] {
			continue
		}
		if *t == nil {
			*t = titles{}
		}
		(*t)[key] = true
	}
}

// folderOf returns the first lost section of a folder all of whose titles are in documents, or "".
func (lost lostSections) folderOf(documents []candidate) string {
	all := titles{}
	for _, f := range documents {
		maps.Copy(all, f.titles)
	}
	return lost.within(all, true)
}

// fileOf returns the first lost section of a file all of whose titles are in f, or "".
func (lost lostSections) fileOf(f candidate) string { return lost.within(f.titles, false) }

func (lost lostSections) within(all titles, isFolder bool) string {
	for _, section := range slices.Sorted(maps.Keys(lost)) {
		isMissing := func(key string) bool { return !all[key] }
		if strings.HasSuffix(section, "/") == isFolder && !slices.ContainsFunc(slices.Collect(maps.Keys(lost[section])), isMissing) {
			return section
		}
	}
	return ""
}
