package notes

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/inert"
	"whence/internal/lazyregexp"
	"whence/internal/words"
	"whence/internal/worktree"
)

// manifest holds the known dependencies of a file that lists them.
type manifest struct {
	Stamp string   `json:"stamp"` // size and modification time of the file; "": there is no file
	Names []string `json:"names,omitempty"`
}

// manifests lists the files that list dependencies, each with a pattern for the name of one. Lock files are not listed,
// since they follow from these.
var manifests = []struct {
	globs string
	name  func() *regexp.Regexp
}{
	{"go.mod", lazyregexp.New(`(?m)^\s*(?:require\s+)?([^\s()/]+\.[^\s()]+)\s+v\d`)},
	{"package.json composer.json", lazyregexp.New(`"(@?[\w.-]+(?:/[\w.-]+)?)"\s*:\s*"(?:[~^<>=*\d]|v\d|(?:latest|next)"|(?:workspace|npm|file|link|git|github|https?)\b[:+])`)},
	{"requirements.txt requirements-*.txt requirements_*.txt constraints.txt", lazyregexp.New(`(?m)^\s*([A-Za-z0-9][\w.-]*)`)},
	{"Cargo.toml pyproject.toml Pipfile", lazyregexp.New(
		`(?m)^\s*"?([\w.-]+)"?\s*=\s*(?:"[~^<>=*\d]|\{)|^\s*\[[\w.-]*dependencies\.([\w-]+)\]|["']([\w.-]+)(?:\[[^\]]*\])?\s*[<>=~!]=?[^"'\n]*["']`)},
	{"pom.xml", lazyregexp.New(`<artifactId>\s*([^<\s]+)`)},
	{"Gemfile *.gemspec", lazyregexp.New(`(?m)^\s*(?:gem|\w+\.add_\w*dependency)[\s(]+["']([^"']+)`)},
	{"build.gradle build.gradle.kts", lazyregexp.New(`["']([\w.-]+:[\w.-]+)(?::[^"']*)?["']`)},
	{"*.csproj *.fsproj Directory.Packages.props", lazyregexp.New(`<Package(?:Reference|Version)\s[^>]*?(?:Include|Update)="([^"]+)"`)},
	{"mix.exs", lazyregexp.New(`\{:(\w+)\s*,\s*(?:"|\w+:)`)},
	{"Package.swift", lazyregexp.New(`url:\s*"([^"]+)"`)},
}

// Bounds of the stored manifests, and of the names that the line of a change shows.
const (
	maxManifests     = 30
	maxManifestBytes = 256 << 10
	maxNames         = 300
	maxNameBytes     = 100
	maxShownNames    = 5
)

// patternOf returns the pattern for the names in a manifest; nil if a file is not a manifest.
func patternOf(file string) *regexp.Regexp {
	for _, m := range manifests {
		for glob := range strings.FieldsSeq(m.globs) {
			if is, _ := path.Match(glob, path.Base(file)); is {
				return m.name()
			}
		}
	}
	return nil
}

// namesOf returns the names of the dependencies in the text of a manifest.
func namesOf(file, text string) (names []string) {
	for _, found := range patternOf(file).FindAllStringSubmatch(text, maxNames) {
		name := words.Shorten(inert.Line(redacted(strings.Join(found[1:], ""))), maxNameBytes)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// noteDependencies notes the names of the dependencies that a tool call added to manifests or removed from them, by an
// edit or by a command such as go get. When a session begins, it only reads the manifests.
func (v *event) noteDependencies(b *book) (all error) {
	isFirst := b.Manifests == nil
	if isFirst {
		b.Manifests = map[string]manifest{}
	}
	for _, name := range v.manifestsNear(b) {
		was, isKnown := b.Manifests[name]
		now := v.readManifest(name, was.Stamp)
		if now.Stamp == was.Stamp || redacted(name) != name { // the path is stored unredacted
			continue
		}
		edit, isEdit := v.editOf(name)
		before := was.Names
		if !isKnown {
			before = namesBefore(edit, now.Names, isFirst)
		}
		edit.Deleted = now.Stamp == ""
		edit.Created = edit.Created || !isEdit && !isKnown
		if edit.Deleted {
			delete(b.Manifests, name)
		} else if isKnown || len(b.Manifests) < maxManifests {
			b.Manifests[name] = now
		}
		names := differences(before, now.Names)
		if v.Name == agent.SessionStart || !isEdit && !edit.Deleted && names == "" {
			continue
		}
		line := v.changeLine(edit, "dependencies")
		if names != "" && !edit.Deleted {
			line += ": " + names
		}
		all = errors.Join(all, v.noteOnce(decisionsFile, line, ""))
	}
	return all
}

// manifestsNear returns the manifests that an event may have changed: those in the root and in the working folder,
// those that it names, and those already known.
func (v *event) manifestsNear(b *book) []string {
	names := slices.Collect(maps.Keys(b.Manifests))
	folders := []string{"."}
	if cwd, is := v.inProject(v.Cwd); is {
		folders = append(folders, cwd)
	}
	for _, folder := range folders {
		entries, _ := fs.ReadDir(v.folder.tree.FS(), folder)
		for _, e := range entries {
			names = append(names, path.Join(folder, e.Name()))
		}
	}
	for _, e := range v.Edits {
		if name, is := v.inProject(e.Path); is {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return patternOf(name) == nil || isForeign(name) })
}

// readManifest reads a manifest. It leaves the names empty if the file still has the given stamp; the manifest of a
// missing file is empty.
func (v *event) readManifest(name, stamp string) manifest {
	info, err := fs.Lstat(v.folder.tree.FS(), name)
	if err != nil || !info.Mode().IsRegular() {
		return manifest{}
	}
	m := manifest{Stamp: fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano())}
	if m.Stamp != stamp {
		m.Names = namesOf(name, worktree.ReadBeginning(v.folder.tree.FS(), name, maxManifestBytes))
	}
	return m
}

// editOf returns the edit of a file that the event reports, with the path from the root; false if it reports none.
func (v *event) editOf(name string) (agent.Edit, bool) {
	for _, e := range v.Edits {
		if path, is := v.inProject(e.Path); is && path == name {
			e.Path = name
			return e, true
		}
	}
	return agent.Edit{Path: name}, false
}

// namesBefore returns the names that a manifest had before it was first read. With the text of an edit, it undoes that
// edit. There were none if the file is new: if the edit created it, or if it was not in the root when the root was read
// before. Otherwise it returns the same names, since nothing shows what has changed.
func namesBefore(edit agent.Edit, now []string, isFirst bool) []string {
	if edit.Old != "" {
		before, after := namesOf(edit.Path, edit.Old), namesOf(edit.Path, edit.New)
		return append(without(now, without(after, before)), without(before, after)...)
	}
	if edit.Created || !isFirst && path.Dir(edit.Path) == "." {
		return nil
	}
	return now
}

// differences says which names are new, and which are gone.
func differences(before, now []string) string {
	var parts []string
	for _, d := range []struct {
		verb  string
		names []string
	}{{"added ", without(now, before)}, {"removed ", without(before, now)}} {
		more := ""
		if n := len(d.names) - maxShownNames; n > 0 {
			d.names, more = d.names[:maxShownNames], fmt.Sprintf(" and %d more", n)
		}
		if d.names != nil {
			parts = append(parts, d.verb+strings.Join(d.names, ", ")+more)
		}
	}
	return strings.Join(parts, "; ")
}

// without returns the names of a list that are not in another one.
func without(list, other []string) (rest []string) {
	for _, name := range list {
		if !slices.Contains(other, name) {
			rest = append(rest, name)
		}
	}
	return rest
}
