package notes

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/text"
	"whence/internal/worktree"
)

// change is a changed file, with its path from the root of the project.
type change struct {
	agent.Edit
	path string
}

// noteChanges notes the significant changes of a tool call that worked.
func (v *event) noteChanges() (all error) {
	for _, edit := range v.Edits {
		name, is := v.inProject(edit.Path)
		if !is || isForeign(name) {
			continue
		}
		if _, err := fs.Lstat(v.folder.tree.FS(), name); errors.Is(err, fs.ErrNotExist) != edit.Deleted {
			continue // it did not take place
		}
		c := change{edit, name}
		if at := slices.IndexFunc(rules, func(r rule) bool { return r.applies(v, c) }); at >= 0 {
			all = errors.Join(all, v.noteChange(rules[at], c))
		}
	}
	return all
}

// isForeign reports whether a file does not belong to the source of the project.
func isForeign(name string) bool {
	for part := range strings.SplitSeq(path.Dir(name), "/") {
		if slices.Contains([]string{Folder, ".git", "node_modules", "vendor", "third_party", ".venv", "testdata"}, part) {
			return true
		}
	}
	return false
}

// noteChange appends the line of a change: one a day for a file, and another one if headings were added
// that no line about it has.
func (v *event) noteChange(r rule, c change) error {
	src, err := v.folder.read(r.file, maxReadBytes)
	if err != nil {
		return err
	}
	name := oneLine(redacted(c.path)) + " (" + r.name + ") "
	line := v.date() + " " + name + c.how()
	var titles []string
	for _, title := range newHeadings(c.Old, c.New) {
		title = "“" + oneLine(redacted(title)) + "”"
		if r.hasTitles && !hasLine(src, name, title) {
			titles = append(titles, title)
		}
	}
	if len(titles) == 0 && hasLine(src, "- "+line, "") {
		return nil
	}
	if len(titles) > 0 {
		line += ": " + strings.Join(titles, "; ")
	}
	return v.folder.note(r.file, src, line)
}

// hasLine reports whether a text has a line that contains two others.
func hasLine(src []byte, one, other string) bool {
	for line := range bytes.Lines(src) {
		if bytes.Contains(line, []byte(one)) && bytes.Contains(line, []byte(other)) {
			return true
		}
	}
	return false
}

// how returns what happened to the file.
func (c change) how() string {
	switch {
	case c.Deleted:
		return "deleted"
	case c.Created:
		return "created"
	}
	return "changed"
}

// inProject returns the slash-separated path of a file from the root of the project.
func (v *event) inProject(name string) (path string, is bool) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(v.Cwd, name)
	}
	path, is = worktree.Name(v.root, name)
	return path, is && path != "."
}

// rule finds changes of files that matter to later sessions. The first rule that applies counts.
type rule struct {
	name      string // as written in the line
	file      string // that the line is written to
	hasTitles bool   // the line names new headings
	applies   func(v *event, c change) bool
}

var rules = []rule{
	{"decision record", decisionsFile, true, isDecision},
	{"dependencies", decisionsFile, false, isManifest},
	{"configuration", decisionsFile, false, isConfiguration},
	{"new part of the source", findingsFile, false, isNewPart},
}

// isDecision applies to decision files, and to architecture decision records in their usual places.
func isDecision(v *event, c change) bool {
	if v.config.Layout().Holds(c.path) {
		return true
	}
	lower := strings.ToLower(c.path)
	base := path.Base(lower)
	if !slices.Contains([]string{".md", ".adoc", ".rst", ".txt"}, path.Ext(base)) {
		return false
	}
	for part := range strings.SplitSeq(path.Dir(lower), "/") {
		if slices.Contains([]string{"adr", "adrs", "decisions", "decision-records"}, part) {
			return true
		}
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	return strings.HasSuffix(stem, ".adr") || strings.HasPrefix(stem, "adr-") || stem == "decisions"
}

// atxHeading matches a heading of Markdown.
var atxHeading = text.Lazy(`(?m)^#{1,6}[ \t]+(.+?)[ \t#]*\r?$`)

// maxHeadings limits the titles in the line of a change.
const maxHeadings = 3

// newHeadings returns the headings that a text did not have before.
func newHeadings(before, after string) (titles []string) {
	for _, m := range atxHeading().FindAllStringSubmatch(text.Beginning(after, maxSourceBytes), -1) {
		if len(titles) < maxHeadings && !strings.Contains(before, m[1]) && !slices.Contains(titles, m[1]) {
			titles = append(titles, m[1])
		}
	}
	return titles
}

// manifests list dependencies. Lock files follow from them.
var manifests = []string{
	"go.mod", "package.json", "composer.json", "requirements.txt", "requirements-*.txt", "requirements_*.txt", "constraints.txt", "Cargo.toml",
	"pyproject.toml", "Pipfile", "pom.xml", "Gemfile", "*.gemspec", "build.gradle", "build.gradle.kts", "*.csproj", "*.fsproj",
	"Directory.Packages.props", "mix.exs", "Package.swift",
}

func isManifest(_ *event, c change) bool { return isNamed(c, manifests) }

// isNamed reports whether the name of a file matches a pattern.
func isNamed(c change, globs []string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool { is, _ := path.Match(glob, path.Base(c.path)); return is })
}

// configured are files that define how a project is built, tested, run and checked, in any folder.
var configured = []string{
	"Dockerfile", "Dockerfile.*", "*.Dockerfile", "Containerfile", "docker-compose*.y*ml", "compose*.y*ml",
	".env.example", ".env.sample", ".env.template", "Makefile", "justfile", "Justfile", "Taskfile.y*ml", "CMakeLists.txt",
	".gitlab-ci.yml", "Jenkinsfile", "azure-pipelines.yml", ".travis.yml",
	"tsconfig*.json", ".eslintrc*", "eslint.config.*", ".golangci.y*ml", "staticcheck.conf", ".editorconfig",
	"vite.config.*", "webpack.config.*", "babel.config.*", "jest.config.*", "next.config.*", "tailwind.config.*",
	"settings.gradle*", "tox.ini", "setup.cfg",
}

// isConfiguration applies to these files, to those of CI, and to files at the root of the project
// with the extension of a configuration file.
func isConfiguration(_ *event, c change) bool {
	for _, folder := range []string{".github/workflows/", ".circleci/", ".buildkite/", ".woodpecker/"} {
		if strings.HasPrefix(c.path, folder) {
			return true
		}
	}
	isAtRoot := !strings.Contains(c.path, "/")
	return isNamed(c, configured) || isAtRoot && slices.Contains([]string{".toml", ".yaml", ".yml", ".ini", ".cfg"}, path.Ext(c.path))
}

// sources are the extensions of source files.
var sources = []string{
	".go", ".py", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".rs", ".java", ".kt", ".scala", ".c", ".cc", ".cpp", ".h", ".hpp",
	".cs", ".fs", ".rb", ".php", ".swift", ".ex", ".exs", ".erl", ".hs", ".ml", ".clj", ".dart", ".lua", ".zig", ".vue", ".svelte",
}

// isNewPart applies to the first source file of a folder: a package, a module.
func isNewPart(v *event, c change) bool {
	folder := path.Dir(c.path)
	if !c.Created || folder == "." || !slices.Contains(sources, path.Ext(c.path)) {
		return false
	}
	entries, err := fs.ReadDir(v.folder.tree.FS(), folder)
	hasOther := slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() != path.Base(c.path) && slices.Contains(sources, path.Ext(e.Name()))
	})
	return err == nil && !hasOther
}
