package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"whence/internal/repo"
	"whence/internal/text"
	"whence/internal/worktree"
)

// Memory is a tree in which only memory exists: the Markdown files that a layout names and that belong
// to this repository. Git tracks them, or they are neither ignored nor hidden. They are reached without
// a link. Whatever else a layout names, a file of the user's or of another repository, does not exist.
//
// Links and other repositories are looked for whenever a file is opened. What git says is kept, see
// memory_kept.go.
type Memory struct {
	files   fs.FS                  // without links and other repositories
	whole   fs.FS                  // all files of the repository
	layout  Layout                 // what is meant to be memory
	names   map[string]bool        // what is
	folders map[string]bool        // that hold memory
	ignored map[string]bool        // what would be if git did not ignore it
	hidden  map[string]bool        // what would be if it were tracked, or not hidden
	infos   map[string]fs.FileInfo // of the files that the layout names
	large   map[string]string      // why a file is too large to be memory
	without map[string]bool        // what Only has left out
	absent  func() absentFiles     // what git tracks and has not checked out
	commit  bool                   // this is the memory of a commit: it may lack files that the settings name
	dir     string                 // of the worktree; "": the memory is of a commit
	kept    string                 // the file with its outlines, see Outlines; "": none
}

// Sources say what OpenMemory may use.
type Sources struct {
	Home string    // the user's folder for what is kept; "": nothing is kept
	Now  time.Time // the time of the request
	// Limit is how long git may take; 0: as long as any command.
	Limit         time.Duration
	AllowsIgnored bool // the files that git ignores are memory too
}

// ErrGit is returned by OpenMemory if git does not say which files are its own. Then there is no memory.
var ErrGit = errors.New("no memory without git")

// OpenMemory returns the memory in a worktree. Outside of a repository all Markdown counts that is not
// hidden.
func OpenMemory(tree *worktree.Tree, layout Layout, s Sources) (*Memory, error) {
	m := &Memory{files: tree.Strict().FS(), whole: tree.FS(), layout: layout, ignored: map[string]bool{}, hidden: map[string]bool{}, dir: tree.Dir}
	m.AdviseIn(tree.Dir, func(string) string { return "" })
	m.kept = keptName(s.Home, tree.Dir, layout, ".outlines")
	candidates, err := m.candidates()
	if err != nil {
		return nil, err
	}
	if len(candidates) == 0 {
		return m.with(nil), nil
	}
	r, err := repo.Open(tree.Dir, tree.Dir, func(string) string { return "" }) // variables may name another repository
	if errors.Is(err, repo.ErrNoRepository) {
		return m.with(slices.DeleteFunc(candidates, func(name string) bool {
			m.hidden[name] = isHidden(name)
			return m.hidden[name]
		})), nil
	}
	var below string
	if err == nil {
		below, err = r.Rel(tree.Dir)
	}
	var known map[string]bool
	if err == nil {
		q := gitQuery{r, tree.Dir, below, layout, candidates, s.AllowsIgnored}
		ctx, cancel := context.Background(), func() {}
		if s.Limit > 0 {
			ctx, cancel = context.WithTimeout(ctx, s.Limit)
		}
		known, err = q.answer(ctx, s)
		cancel()
	}
	if err != nil {
		return nil, fmt.Errorf("%w, which says which files are memory: %w", ErrGit, err)
	}
	var names []string
	for _, name := range candidates {
		tracked, listed := known[name]
		hidden := isHidden(path.Join(below, name))
		if tracked || listed && !hidden {
			names = append(names, name)
		}
		m.ignored[name], m.hidden[name] = !listed && !hidden, !tracked && hidden
	}
	return m.with(names), nil
}

// StagedMemory returns the memory in a tree of git, in which everything is tracked. Files is the same
// tree without links and other repositories.
func StagedMemory(whole, files fs.FS, layout Layout) (*Memory, error) {
	m := &Memory{files: files, whole: whole, layout: layout, commit: true}
	names, err := m.candidates()
	return m.with(names), err
}

// candidates lists the Markdown files that the layout names, if they are there.
func (m *Memory) candidates() ([]string, error) {
	names, err := list(m.files, m.layout)
	m.infos = map[string]fs.FileInfo{}
	return slices.DeleteFunc(append(names, m.layout.Index), func(name string) bool {
		info, err := fs.Lstat(m.files, name)
		if err == nil {
			m.infos[name] = info
		}
		return !isMarkdown(name) || errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir()
	}), err
}

// Only returns the memory without the files that a commit does not have: there, they don't exist.
func (m *Memory) Only(inCommit func(name string) bool) *Memory {
	only := *m
	only.without, only.commit = map[string]bool{}, true
	var names []string
	for _, name := range slices.AppendSeq(slices.Collect(maps.Keys(m.names)), maps.Keys(m.large)) {
		if inCommit(name) {
			names = append(names, name)
		} else {
			only.without[name] = true
		}
	}
	return only.with(names)
}

// with makes files the memory, except those that are too large or do not fit: the index comes first, then the
// decision files in the order of their paths.
func (m *Memory) with(names []string) *Memory {
	slices.Sort(names)
	if i := slices.Index(names, m.layout.Index); i > 0 {
		names = slices.Concat(names[i:i+1], names[:i], names[i+1:])
	}
	m.names, m.folders, m.large = map[string]bool{}, map[string]bool{".": true}, map[string]string{}
	total := int64(0)
	for _, name := range names {
		size := int64(0)
		if info := m.infos[name]; info != nil {
			size = info.Size()
		}
		if size > worktree.MaxTextBytes {
			m.large[name] = isLarge
			continue
		}
		if total+size > maxMemoryBytes {
			m.large[name] = isBeyond
			continue
		}
		total += size
		m.names[name] = true
		for at := path.Dir(name); !m.folders[at]; at = path.Dir(at) {
			m.folders[at] = true
		}
	}
	return m
}

// Files returns the files of the memory as they were when it was opened.
func (m *Memory) Files() map[string]fs.FileInfo {
	all := map[string]fs.FileInfo{}
	for name := range m.names {
		if info := m.infos[name]; info != nil {
			all[name] = info
		}
	}
	return all
}

// isMarkdown reports whether the name of a file is one of a Markdown file.
func isMarkdown(name string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdc"}, strings.ToLower(path.Ext(name))) // .mdc: of Cursor
}

// isHidden reports whether an element of a path begins with a dot.
func isHidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return len(part) > 1 && part[0] == '.' })
}

// check returns an error unless a name is that of a file or folder of the memory.
func (m *Memory) check(op, name string, folders bool) error {
	if m.names[name] || folders && m.folders[name] {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// Open opens a file of the memory.
func (m *Memory) Open(name string) (fs.File, error) {
	if err := m.check("open", name, false); err != nil {
		return nil, err
	}
	return m.files.Open(name)
}

// Stat describes a file of the memory, or a folder that holds one.
func (m *Memory) Stat(name string) (fs.FileInfo, error) { return m.Lstat(name) }

// Lstat is Stat: there are no links.
func (m *Memory) Lstat(name string) (fs.FileInfo, error) {
	if err := m.check("stat", name, true); err != nil {
		return nil, err
	}
	return fs.Lstat(m.files, name)
}

// ReadLink fails: there are no links.
func (m *Memory) ReadLink(name string) (string, error) {
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
}

// ReadDir lists the memory in a folder.
func (m *Memory) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := m.check("readdir", name, true); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(m.files, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		at := path.Join(name, e.Name())
		return !m.names[at] && !m.folders[at]
	}), err
}

// Refusal says why a file is not memory although the settings name it.
type Refusal struct {
	Path    string // of the file, or of the link or the repository that it is behind
	reason  string
	command string // that helps, if it depends on more than the path
	typed   text.Typed
}

// The reasons, as they follow the path in a sentence.
const (
	isLink     = "is a symbolic link, and so is not memory"
	isLinked   = "is a symbolic link, and what is behind it is not memory"
	isForeign  = "is another repository, and what is in it is not memory"
	isFolder   = "is a folder, and so is not memory"
	isOther    = "is not Markdown, and so is not memory"
	isDotFile  = "is hidden and not tracked by git, and so is not memory"
	isIgnored  = "is ignored by git, and so is not memory"
	isAbsent   = "is tracked by git, but not checked out"
	isUnstaged = "is not in the commit"
	isLarge    = "is larger than 4 MB, and so is not memory"
	isBeyond   = "exceeds the 64 MB that a memory may have in all, and so is not memory"
)

// isBeyondRemedy says what to do about a file that does not fit into a memory.
const isBeyondRemedy = "remove decision files, or except some in the settings"

// Why follows the path in a sentence.
func (r Refusal) Why() string { return r.reason }

// localSettings is the user's own file of settings for a repository, see package config.
const localSettings = ".claude/whence.local.md"

// Remedy says what to do.
func (r Refusal) Remedy(t text.Typed) string {
	switch r.reason {
	case isLink:
		return fmt.Sprintf("put the file itself in its place, or except it in the settings: %q", exception+r.Path)
	case isLinked:
		return "put the folder itself in its place"
	case isForeign:
		return "name files of this repository in the settings"
	case isFolder:
		return "put a text file in its place"
	case isOther:
		return "name files that end in .md or .markdown in the settings"
	case isDotFile:
		return fmt.Sprintf("run \"%s\", or move it to a path without leading dots", t.Git("add", r.Path))
	case isIgnored:
		return fmt.Sprintf("change the line that \"%s\" shows, or, if it is ignored on purpose, write \"ignored_memory: true\" into %s", t.Git("check-ignore -v", r.Path), t.Path(localSettings))
	case isAbsent:
		return "run " + r.command
	case isLarge:
		return "split it"
	case isBeyond:
		return isBeyondRemedy
	}
	return fmt.Sprintf("run \"%s\", or remove it from the settings", t.Git("add", r.Path))
}

// Text returns the path, why, and what to do.
func (r Refusal) Text(t text.Typed) string {
	return t.Path(r.Path) + " " + r.Why() + ": " + r.Remedy(t)
}

// For returns the refusal as an error for a user.
func (r Refusal) For(t text.Typed) Refusal {
	r.typed = t
	return r
}

// Error makes a refusal the error of what cannot be read for it.
func (r Refusal) Error() string { return r.Text(r.typed) }

// Is reports whether the target is ErrNoMemory.
func (r Refusal) Is(target error) bool { return target == ErrNoMemory }

// Command returns the command that helps, if there is one that depends on more than the path.
func (r Refusal) Command() string { return r.command }

// IsIgnored reports whether git ignores the file.
func (r Refusal) IsIgnored() bool { return r.reason == isIgnored }

// WhyNot returns why a file is not memory; refused is false if it is, or does not exist.
func (m *Memory) WhyNot(name string) (r Refusal, refused bool) {
	info, err := fs.Lstat(m.files, name)
	var foreign *worktree.ForeignError
	switch {
	case errors.As(err, &foreign) && foreign.Link && foreign.Path != name:
		return Refusal{Path: foreign.Path, reason: isLinked}, true
	case errors.As(err, &foreign) && !foreign.Link:
		return Refusal{Path: foreign.Path, reason: isForeign}, true
	case foreign != nil:
		return Refusal{Path: name, reason: isLink}, true
	case m.large[name] != "":
		return Refusal{Path: name, reason: m.large[name]}, true
	case m.without[name]:
		return Refusal{Path: name, reason: isUnstaged}, name != m.layout.Index
	case errors.Is(err, fs.ErrNotExist): // in a tree of git, this may be a link or a submodule
		if submodule := m.submoduleOf(name); submodule != "" {
			return Refusal{Path: submodule, reason: isForeign}, true
		}
		_, err := fs.Stat(m.whole, name)
		if m.commit && slices.Contains(slices.Concat(m.layout.Decisions, m.layout.Documents), name) {
			return Refusal{Path: name, reason: isUnstaged}, errors.Is(err, fs.ErrNotExist)
		}
		if err == nil {
			return Refusal{Path: name, reason: isLink}, true
		}
		if m.absent == nil || len(m.names) == 0 { // an event without a memory asks git nothing; see NotCheckedOut
			return Refusal{}, false
		}
		absent := m.absent()
		return Refusal{Path: name, reason: isAbsent, command: absent.command}, slices.Contains(absent.names, name)
	case err != nil || m.names[name]:
		return Refusal{}, false
	case info.IsDir():
		return Refusal{Path: name, reason: isFolder}, true
	case !isMarkdown(name):
		return Refusal{Path: name, reason: isOther}, true
	case m.ignored[name]:
		return Refusal{Path: name, reason: isIgnored}, true
	case m.hidden[name]:
		return Refusal{Path: name, reason: isDotFile}, true
	}
	return Refusal{}, false // it has come since, and a change that makes it starts again
}

// submoduleOf returns the submodule that holds a path, in a tree of git, or "". No other folder is empty there.
func (m *Memory) submoduleOf(name string) string {
	for at := name; m.commit && at != "."; at = path.Dir(at) {
		if entries, err := fs.ReadDir(m.whole, at); err == nil && len(entries) == 0 {
			return at
		}
	}
	return ""
}

// Refusals lists why files that were probably meant are not memory: those that the settings name
// without wildcards, links, folders with the name of a file, and the first file of a glob all of whose files are ignored.
func (m *Memory) Refusals() []Refusal {
	all := map[string]Refusal{}
	search := worktree.NewGlobSearch(m.whole)
	for _, pattern := range slices.Concat([]string{m.layout.Index}, m.layout.Decisions, m.layout.Documents) {
		g, err := worktree.ParseGlob(pattern)
		if err != nil || strings.HasPrefix(pattern, exception) {
			continue
		}
		found := []string{pattern}
		name, isName := g.Name()
		if isName = isName || pattern == m.layout.Index; isName {
			found[0] = cmp.Or(name, pattern)
		} else {
			found, _ = search.Find(g)
			if r, _ := m.WhyNot(path.Join(g.Base(), "x.md")); r.reason == isForeign {
				all[r.Path] = r
			}
		}
		var ignored []Refusal
		holdsMemory := false
		for _, name := range found {
			r, refused := m.WhyNot(name)
			switch {
			case r.reason == isUnstaged, name == m.layout.Index && pattern != name, hidden(pattern, name), m.layout.skips(name):
			case m.names[name]:
				holdsMemory = true
			case r.IsIgnored():
				ignored = append(ignored, r)
			case refused && (isName || slices.Contains([]string{isLink, isLinked, isLarge, isBeyond}, r.reason) || r.reason == isFolder && isMarkdown(name)):
				all[r.Path] = r
			}
		}
		if len(ignored) > 0 && !holdsMemory {
			all[ignored[0].Path] = ignored[0]
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b Refusal) int { return strings.Compare(a.Path, b.Path) })
}
