package memory

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/inert"
	"whence/internal/worktree"
)

// Layout says where the memory is in a tree.
type Layout struct {
	Index     string   // path of the memory index, with slashes
	Decisions []string // globs of the decision files; ** crosses folders
	Documents []string // globs of those that are one decision each

	Statuses decision.Statuses // meanings of statuses beyond the known ones
}

// IsDocument reports whether a path could name a document.
func (l Layout) IsDocument(name string) bool { return matches(l.Documents, name) }

// skips reports whether a file is left out: by an exception, or because it has the name of a template, an index or the
// like.
func (l Layout) skips(name string) bool {
	return l.Excepts(name) || len(l.Documents) > 0 && isNoRecord(name) && !matches(l.Decisions, name) && !l.names(name)
}

// names reports whether a glob of documents matches a file by its exact base name, in whatever folder.
func (l Layout) names(name string) bool {
	return slices.ContainsFunc(l.Documents, func(pattern string) bool {
		return path.Base(pattern) == path.Base(name) && matches([]string{pattern}, name)
	})
}

// Excepts reports whether an exception, a glob that begins with !, names a file.
func (l Layout) Excepts(name string) bool {
	for _, pattern := range slices.Concat(l.Decisions, l.Documents) {
		if rest, found := strings.CutPrefix(pattern, exception); found && matches([]string{rest}, name) {
			return true
		}
	}
	return false
}

// Paths returns the decision files, sorted: the files that the globs match, except the index. A glob without wildcards
// names a file whether it exists or not, unless a [Source] refuses it. ** does not follow links to folders. Files whose
// names cannot be the heading of a section are left out.
func Paths(tree fs.FS, layout Layout) ([]string, error) {
	paths, err := list(tree, layout)
	return slices.DeleteFunc(paths, func(p string) bool { return checkName(p) != nil }), err
}

// list is Paths, but includes the files whose names cannot be used.
func list(tree fs.FS, layout Layout) ([]string, error) {
	var paths []string
	search := worktree.NewGlobSearch(tree)
	for _, pattern := range slices.Concat(layout.Decisions, layout.Documents) {
		if strings.HasPrefix(pattern, exception) {
			continue
		}
		g, err := worktree.ParseGlob(pattern)
		if err != nil {
			return nil, fmt.Errorf("decision files %s: %w", inert.Quoted(pattern), err)
		}
		if name, isName := g.Name(); isName {
			if _, refused := WhyNot(tree, name); !refused {
				paths = append(paths, name)
			}
			continue
		}
		found, err := search.Find(g)
		if err != nil {
			return nil, fmt.Errorf("decision files %s: %w", inert.Quoted(pattern), err)
		}
		paths = append(paths, slices.DeleteFunc(found, func(p string) bool { return isLeftOut(pattern, p) })...)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	return slices.DeleteFunc(paths, func(p string) bool {
		return p == layout.Index || worktree.InGit(p) || layout.skips(p)
	}), nil
}

// checkName returns an error for a name that cannot be the heading of a section.
func checkName(name string) error {
	if utf8.ValidString(name) && index.IsSectionPath(name) && !strings.ContainsFunc(name, inert.IsUnseen) {
		return nil
	}
	return &worktree.TextError{Name: name, Reason: "has a name that cannot be the heading of a section",
		Remedy: "rename it, in UTF-8, without line breaks, control characters, and spaces at its ends"}
}

// Holds reports whether a path, from the root and with slashes, names the index or could name a decision file: the file
// need not exist.
func (l Layout) Holds(name string) bool {
	name = path.Clean(name)
	return name == l.Index || !worktree.InGit(name) && checkName(name) == nil && !l.skips(name) &&
		(matches(l.Decisions, name) || matches(l.Documents, name))
}

// exception begins a glob of files that are left out, whatever the other globs say.
const exception = "!"

// matches reports whether a glob names a file.
func matches(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(pattern string) bool {
		g, err := worktree.ParseGlob(pattern)
		return err == nil && g.Match(name) && !isLeftOut(pattern, name)
	})
}

// isLeftOut reports whether a file that a glob matches is left out, such as the lock file of an editor.
func isLeftOut(glob, name string) bool {
	return strings.HasPrefix(path.Base(name), ".") && !strings.HasPrefix(path.Base(glob), ".")
}
