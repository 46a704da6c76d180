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
	"whence/internal/inert"
	"whence/internal/lazyregexp"
	"whence/internal/words"
	"whence/internal/worktree"
)

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
		edit.Path = name
		if at := slices.IndexFunc(rules, func(r rule) bool { return r.applies(v, edit) }); at >= 0 {
			all = errors.Join(all, v.noteChange(rules[at], edit))
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

// noteChange appends the line of a change: one a day for a file.
func (v *event) noteChange(r rule, c agent.Edit) error {
	titles := ""
	if found := newHeadings(c.Old, c.New); r.hasTitles && len(found) > 0 {
		titles = ": “" + strings.Join(found, "”; “") + "”"
	}
	return v.noteOnce(r.file, v.changeLine(c, r.name), titles)
}

// changeLine says what happened to a file of some kind.
func (v *event) changeLine(c agent.Edit, kind string) string {
	return v.date() + " " + inert.Line(redacted(c.Path)) + " (" + kind + ") " + outcomeOf(c)
}

// noteOnce appends a line with its end to a note, unless one that begins with the line is there.
func (v *event) noteOnce(file, line, end string) error {
	src, err := v.folder.read(file, maxReadBytes)
	if err != nil || bytes.Contains(src, []byte("- "+line)) {
		return err
	}
	return v.folder.note(file, src, line+end)
}

// outcomeOf returns what happened to the file.
func outcomeOf(c agent.Edit) string {
	if c.Deleted {
		return "deleted"
	}
	if c.Created {
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
	applies   func(v *event, c agent.Edit) bool
}

var rules = []rule{
	{"decision record", decisionsFile, true, isDecision},
	{"new part of the source", findingsFile, false, isNewPart},
}

// isDecision applies to decision files, and to architecture decision records in their usual places.
func isDecision(v *event, c agent.Edit) bool {
	if v.config.Layout().Holds(c.Path) {
		return true
	}
	lower := strings.ToLower(c.Path)
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
var atxHeading = lazyregexp.New(`(?m)^#{1,6}[ \t]+(.+?)[ \t#]*\r?$`)

// maxHeadings limits the titles in the line of a change.
const maxHeadings = 3

// newHeadings returns the headings that a text did not have before.
func newHeadings(before, after string) (titles []string) {
	for _, m := range atxHeading().FindAllStringSubmatch(words.Beginning(after, maxSourceBytes), -1) {
		if len(titles) == maxHeadings || strings.Contains(before, m[1]) {
			continue
		}
		if title := inert.Line(redacted(m[1])); !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	return titles
}

// sources are the extensions of source files.
var sources = []string{
	".go", ".py", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".rs", ".java", ".kt", ".scala", ".c", ".cc", ".cpp", ".h", ".hpp",
	".cs", ".fs", ".rb", ".php", ".swift", ".ex", ".exs", ".erl", ".hs", ".ml", ".clj", ".dart", ".lua", ".zig", ".vue", ".svelte",
}

// isNewPart applies to the first source file of a folder: a package, a module.
func isNewPart(v *event, c agent.Edit) bool {
	folder := path.Dir(c.Path)
	if !c.Created || folder == "." || !slices.Contains(sources, path.Ext(c.Path)) {
		return false
	}
	entries, err := fs.ReadDir(v.folder.tree.FS(), folder)
	hasOther := slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() != path.Base(c.Path) && slices.Contains(sources, path.Ext(e.Name()))
	})
	return err == nil && !hasOther
}
