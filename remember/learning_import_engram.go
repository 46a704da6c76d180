package remember

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/learning"
)

// engram reads an export of engram, or one on standard input for "-": the observations of the projects that
// are named or, without any, of the repository of a folder.
func (read *imported) engram(name string, projects []string, dir string) error {
	src, err := read.named(name)
	if err != nil {
		return err
	}
	export, err := learning.ParseEngram(src)
	if err != nil {
		return fmt.Errorf("%s: not an export of engram: %w; nothing was imported", name, err)
	}
	read.redacted = appendNew(read.redacted, export.Redacted...)
	if len(projects) == 0 {
		projects = read.engramProjects(dir)
	}
	for i := range projects {
		projects[i] = strings.ToLower(strings.TrimSpace(projects[i]))
	}
	others := map[string]int{}
	for _, o := range export.Observations {
		if !slices.Contains(projects, o.EngramProject) {
			others[o.EngramProject]++
			continue
		}
		l := o.Learning
		l.Category = read.category
		l.References = []string{o.Source}
		l.Origin = learning.OriginOf(read.project, "engram", o.Key)
		l.Origin.ID = o.Key
		read.putNote(l, o.Source)
	}
	for _, left := range []struct {
		count     int
		one, many string
	}{
		{export.Deleted, "deleted observation was", "deleted observations were"},
		{export.Summaries, "summary of a session was", "summaries of sessions were"},
		{export.Unreadable, "observation of an unknown form was", "observations of an unknown form were"},
	} {
		if left.count > 0 {
			read.skip(left.count, fmt.Sprintf("%s: %s skipped", name, cli.Count(left.count, left.one, left.many)))
		}
	}
	if len(others) > 0 {
		read.skipProjects(name, projects, others)
	}
	return nil
}

// engramProjects returns the names that engram may have given to the repository of a folder: its remote's, its
// folder's. It does not read .engram/config.json: files of a repository must not choose what is shown in it.
func (read *imported) engramProjects(dir string) (names []string) {
	r := read.repository
	if r == nil {
		return []string{filepath.Base(dir)}
	}
	if name := r.SharedName(); name != "" {
		names = append(names, path.Base(name))
	}
	if top, name := filepath.Split(r.Identity()); name == ".git" {
		names = append(names, filepath.Base(top))
	}
	return append(names, filepath.Base(r.Root))
}

// maxNamedProjects bounds a message.
const maxNamedProjects = 8

// skipProjects reports the observations of other projects, those with the most first.
func (read *imported) skipProjects(name string, projects []string, others map[string]int) {
	names, total := slices.Collect(maps.Keys(others)), 0
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(others[b]-others[a], strings.Compare(a, b)) })
	var listed []string
	for i, other := range names {
		if total += others[other]; i < maxNamedProjects {
			listed = append(listed, fmt.Sprintf("%s (%d)", cmp.Or(other, "no project"), others[other]))
		}
	}
	if len(names) > maxNamedProjects {
		listed = append(listed, fmt.Sprintf("%d more", len(names)-maxNamedProjects))
	}
	read.skip(total, fmt.Sprintf("%s: skipped %s of other projects than %s: %s (--project %s imports those of the first)",
		name, cli.Count(total, "observation", "observations"), strings.Join(slices.Compact(slices.Sorted(slices.Values(projects))), " and "), strings.Join(listed, ", "), cli.Quote(names[0])))
}
