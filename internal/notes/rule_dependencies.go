package notes

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// manifest is a kind of file that lists dependencies. The first group of the pattern is the name,
// the second, if any, the version.
type manifest struct {
	names []string // of the file; globs
	line  func() *regexp.Regexp
}

// manifests are all kinds except lock files, which follow from them.
var manifests = []manifest{
	{[]string{"go.mod"}, linePattern(`^\s*(?:require\s+)?([a-z0-9.-]+\.[a-z]+/\S+)\s+(v\S+)`)},
	{[]string{"package.json", "composer.json"}, linePattern(`^\s*"((?:@[\w.-]+/)?[\w.-]+(?:/[\w.-]+)?)"\s*:\s*"((?:[~^<>=v]|\d|\*|workspace:|npm:|git|file:)[^"]*)"`)},
	{[]string{"requirements.txt", "requirements-*.txt", "requirements_*.txt", "constraints.txt"}, linePattern(`^\s*([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*((?:[=<>~!]=?=?[^#;\s]+)?)`)},
	{[]string{"Cargo.toml", "pyproject.toml", "Pipfile"}, linePattern(`^\s*(?:([A-Za-z][\w-]*)\s*=\s*(?:"([~^<>=]*\d[^"]*|\*)"|\{.*\})|["']([A-Za-z][\w.-]*)(?:\[[^\]]*\])?([=<>~!]=[^"']*)?["'],?)\s*$`)},
	{[]string{"pom.xml"}, linePattern(`<artifactId>\s*([^<\s]+)\s*</artifactId>`)},
	{[]string{"Gemfile", "*.gemspec"}, linePattern(`^\s*(?:gem|\w+\.add_(?:\w+_)?dependency)[\s(]+['"]([^'"]+)['"](?:\s*,\s*['"]([^'"]+)['"])?`)},
	{[]string{"build.gradle", "build.gradle.kts"}, linePattern(`^\s*\w+[\s(]+['"]([\w.-]+:[\w.-]+)(?::([^'"]+))?['"]`)},
	{[]string{"*.csproj", "*.fsproj", "Directory.Packages.props"}, linePattern(`<Package(?:Reference|Version)\s+Include="([^"]+)"(?:\s+Version="([^"]+)")?`)},
	{[]string{"mix.exs"}, linePattern(`\{\s*:(\w+)\s*,\s*"([^"]+)"`)},
	{[]string{"Package.swift"}, linePattern(`\.package\([^)]*url:\s*"([^"]+)"`)},
}

func linePattern(line string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(line) })
}

// dependencies applies to manifests. It lists what was added and removed, as far as the edit
// shows it.
func dependencies(_ *eventRun, c fileChange) (details []string, applies bool) {
	base := path.Base(c.path)
	for _, m := range manifests {
		if !slices.ContainsFunc(m.names, func(glob string) bool { is, _ := path.Match(glob, base); return is }) {
			continue
		}
		if c.Old != "" || c.Created {
			details = m.difference(c.Old, c.New)
		}
		return details, true
	}
	return nil, false
}

// difference describes the differences between the dependencies of two texts.
func (m manifest) difference(before, after string) (details []string) {
	had, names := m.read(before)
	has, added := m.read(after)
	for _, name := range added {
		was, known := had[name]
		switch is := has[name]; {
		case !known:
			details = append(details, strings.TrimSpace("added "+name+" "+is))
		case was != is && is == "":
			details = append(details, name+" changed")
		case was != is:
			details = append(details, name+" is now "+is)
		}
	}
	for _, name := range names {
		if _, is := has[name]; !is {
			details = append(details, "removed "+name)
		}
	}
	return details
}

// read returns the versions of the dependencies in a text, and their names in order.
func (m manifest) read(text string) (versions map[string]string, names []string) {
	versions = map[string]string{}
	for line := range strings.Lines(beginning(text, maxSourceBytes)) {
		line = strings.TrimRight(line, "\r\n")
		found := m.line().FindStringSubmatch(line)
		if found == nil {
			continue
		}
		var nameAndVersion []string
		for _, group := range found[1:] {
			if group != "" {
				nameAndVersion = append(nameAndVersion, group)
			}
		}
		if len(nameAndVersion) == 0 {
			continue
		}
		name := nameAndVersion[0]
		if slices.Contains([]string{"version", "edition", "rust-version", "name", "node", "module"}, name) {
			continue
		}
		if _, known := versions[name]; !known {
			names = append(names, name)
		}
		versions[name] = strings.Join(nameAndVersion[1:], " ")
	}
	return versions, names
}
