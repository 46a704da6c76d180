package memory

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
	"whence/internal/shell"
	"whence/internal/worktree"
)

// Source is a tree that contains only memory: the Markdown files that a layout names, that belong to this repository,
// and that are reached without a link. Git tracks them, or they are neither ignored nor hidden. Any other file that a
// layout names, such as one of the user's or of another repository, does not exist.
//
// Links and other repositories are looked for whenever a file is opened. Git's answer is kept: see git_names.go.
type Source struct {
	files   fs.FS                  // without links and other repositories
	whole   fs.FS                  // all files of the repository
	layout  Layout                 // the files that should be memory
	names   map[string]bool        // the files that are
	folders map[string]bool        // that hold memory
	why     map[string]reason      // why other files that the layout names are not memory
	infos   map[string]fs.FileInfo // of the files that the layout names
	absent  func() absentFiles     // files that git tracks and has not checked out; nil for a commit
	commit  bool                   // this is the memory of a commit: it may lack files that the settings name
	ofGit   bool                   // whole is a tree of git, where only a submodule is an empty folder
	dir     string                 // of the worktree; "" for the memory of a commit
	typed   shell.Typed            // how problems name paths and commands
}

// Options say what OpenWorktree may use.
type Options struct {
	Home string    // the user's folder for kept answers; "": none are kept
	Now  time.Time // the time of the request
	// Limit is how long git may take; 0: as long as any command.
	Limit         time.Duration
	AllowsIgnored bool // the files that git ignores are memory too
	Typed         shell.Typed
}

// ErrGit is the error of OpenWorktree if git does not say which files it knows. Then there is no memory.
var ErrGit = errors.New("no memory without git")

// OpenWorktree returns the memory in a worktree. Outside of a repository, all Markdown that is not hidden counts.
func OpenWorktree(tree *worktree.Tree, layout Layout, o Options) (*Source, error) {
	s := &Source{files: tree.Strict().FS(), whole: tree.FS(), layout: layout, why: map[string]reason{}, dir: tree.Dir, typed: o.Typed}
	s.AdviseIn(tree.Dir, func(string) string { return "" })
	candidates, err := s.candidates()
	if err != nil {
		return nil, err
	}
	if len(candidates) == 0 {
		return s.admit(nil), nil
	}
	r, err := repo.Open(tree.Dir, tree.Dir, func(string) string { return "" }) // variables may name another repository
	if errors.Is(err, repo.ErrNoRepository) {
		var names []string
		for _, name := range candidates {
			if hasHiddenPart(name) {
				s.why[name] = isHidden
			} else {
				names = append(names, name)
			}
		}
		return s.admit(names), nil
	}
	var below string
	if err == nil {
		below, err = r.Rel(tree.Dir)
	}
	var known map[string]bool
	if err == nil {
		q := gitQuery{r, tree.Dir, below, layout, candidates, o.AllowsIgnored}
		ctx, cancel := context.Background(), func() {}
		if o.Limit > 0 {
			ctx, cancel = context.WithTimeout(ctx, o.Limit)
		}
		known, err = q.answer(ctx, o)
		cancel()
	}
	if err != nil {
		return nil, fmt.Errorf("%w, which says which files are memory: %w", ErrGit, err)
	}
	var names []string
	for _, name := range candidates {
		tracked, listed := known[name]
		isHiddenFile := hasHiddenPart(path.Join(below, name))
		switch {
		case tracked || listed && !isHiddenFile:
			names = append(names, name)
		case isHiddenFile:
			s.why[name] = isHidden
		default:
			s.why[name] = isIgnored
		}
	}
	return s.admit(names), nil
}

// OpenCommit returns the memory in a folder of a tree of git, in which everything is tracked. If a partial clone lacks
// files of it, the error is a [repo.UnfetchedError].
func OpenCommit(tree *repo.Tree, below string, layout Layout, t shell.Typed) (*Source, error) {
	whole, err := fs.Sub(tree, below)
	if err != nil {
		return nil, err
	}
	files, err := fs.Sub(tree.WithoutLinks(), below)
	if err != nil {
		return nil, err
	}
	paths, err := Paths(files, layout)
	if err != nil {
		return nil, err
	}
	paths = append(paths, layout.Index)
	for i, name := range paths {
		paths[i] = path.Join(below, name)
	}
	if err := tree.Load(paths); err != nil {
		return nil, fmt.Errorf("the memory: %w", err)
	}
	s := &Source{files: files, whole: whole, layout: layout, why: map[string]reason{}, commit: true, ofGit: true, typed: t}
	names, err := s.candidates()
	return s.admit(names), err
}

// candidates lists the Markdown files that the layout names, if they are there.
func (s *Source) candidates() ([]string, error) {
	listed, err := list(s.files, s.layout)
	s.infos = map[string]fs.FileInfo{}
	var names []string
	for _, name := range append(listed, s.layout.Index) {
		info, missing := fs.Lstat(s.files, name)
		if missing == nil {
			s.infos[name] = info
		}
		isNoFile := errors.Is(missing, fs.ErrNotExist) || missing == nil && info.IsDir()
		if isMarkdown(name) && !isNoFile {
			names = append(names, name)
		}
	}
	return names, err
}

// Only returns the memory without the files that are not in a commit: there, they do not exist.
func (s *Source) Only(inCommit func(name string) bool) *Source {
	only := *s
	only.why, only.commit = maps.Clone(s.why), true
	var names []string
	for name := range s.infos {
		switch why := s.why[name]; {
		case !s.names[name] && why != isLarge && why != isBeyond:
		case inCommit(name):
			names = append(names, name)
		default:
			only.why[name] = isUnstaged
		}
	}
	return only.admit(names)
}

// admit makes the named files the memory, except those that are too large or exceed the total. It takes the index
// first, then the decision files in the order of their paths.
func (s *Source) admit(names []string) *Source {
	slices.Sort(names)
	if i := slices.Index(names, s.layout.Index); i > 0 {
		names = slices.Concat(names[i:i+1], names[:i], names[i+1:])
	}
	s.names, s.folders = map[string]bool{}, map[string]bool{".": true}
	total := int64(0)
	for _, name := range names {
		size := int64(0)
		if info := s.infos[name]; info != nil {
			size = info.Size()
		}
		if size > worktree.MaxTextBytes {
			s.why[name] = isLarge
			continue
		}
		if total+size > maxMemoryBytes {
			s.why[name] = isBeyond
			continue
		}
		total += size
		s.names[name] = true
		delete(s.why, name)
		for at := path.Dir(name); !s.folders[at]; at = path.Dir(at) {
			s.folders[at] = true
		}
	}
	return s
}

// Files returns the files of the memory as they were when it was opened.
func (s *Source) Files() map[string]fs.FileInfo {
	all := map[string]fs.FileInfo{}
	for name := range s.names {
		if info := s.infos[name]; info != nil {
			all[name] = info
		}
	}
	return all
}

// isMarkdown reports whether a name belongs to a Markdown file.
func isMarkdown(name string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdc"}, strings.ToLower(path.Ext(name))) // Cursor's rules are .mdc
}

// hasHiddenPart reports whether an element of a path begins with a dot.
func hasHiddenPart(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return len(part) > 1 && part[0] == '.' })
}

// check returns an error unless a name belongs to a file of the memory, or if folders is true, of a folder that holds
// one.
func (s *Source) check(op, name string, folders bool) error {
	if s.names[name] || folders && s.folders[name] {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// Open opens a file of the memory.
func (s *Source) Open(name string) (fs.File, error) {
	if err := s.check("open", name, false); err != nil {
		return nil, err
	}
	return s.files.Open(name)
}

// Stat describes a file of the memory, or a folder that holds one.
func (s *Source) Stat(name string) (fs.FileInfo, error) { return s.Lstat(name) }

// Lstat is Stat: there are no links.
func (s *Source) Lstat(name string) (fs.FileInfo, error) {
	if err := s.check("stat", name, true); err != nil {
		return nil, err
	}
	return fs.Lstat(s.files, name)
}

// ReadLink fails: there are no links.
func (s *Source) ReadLink(name string) (string, error) {
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
}

// ReadDir lists the memory in a folder.
func (s *Source) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := s.check("readdir", name, true); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(s.files, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		at := path.Join(name, e.Name())
		return !s.names[at] && !s.folders[at]
	}), err
}

// WhyNot returns why a file that exists is missing in a tree. Only a [Source] knows that.
func WhyNot(tree fs.FS, name string) (p Problem, refused bool) {
	if source, is := tree.(*Source); is {
		return source.WhyNot(name)
	}
	return Problem{}, false
}

// WhyNot returns why a file is not memory. refused is false if the file is memory or does not exist.
func (s *Source) WhyNot(name string) (p Problem, refused bool) {
	info, err := fs.Lstat(s.files, name)
	var foreign *worktree.ForeignError
	why := s.why[name]
	switch {
	case errors.As(err, &foreign) && foreign.Link && foreign.Path != name:
		return s.refusal(foreign.Path, isBehindLink), true
	case errors.As(err, &foreign) && !foreign.Link:
		return s.refusal(foreign.Path, isOtherRepository), true
	case foreign != nil:
		return s.refusal(name, isLink), true
	case why == isUnstaged && name == s.layout.Index:
		return Problem{}, false
	case why == isLarge || why == isBeyond || why == isUnstaged:
		return s.refusal(name, why), true
	case errors.Is(err, fs.ErrNotExist):
		return s.whyMissing(name)
	case err != nil || s.names[name]:
		return Problem{}, false
	case info.IsDir():
		return s.refusal(name, isFolder), true
	case !isMarkdown(name):
		return s.refusal(name, isNoMarkdown), true
	case why != isMemory:
		return s.refusal(name, why), true
	}
	return Problem{}, false // it is new since then, and a change that would create it starts again
}

// whyMissing is WhyNot for a file that is not in the tree. In a tree of git, it may be a link or in a submodule.
func (s *Source) whyMissing(name string) (p Problem, refused bool) {
	if submodule := s.submoduleOf(name); submodule != "" {
		return s.refusal(submodule, isOtherRepository), true
	}
	_, err := fs.Stat(s.whole, name)
	isNamed := s.commit && slices.Contains(slices.Concat(s.layout.Decisions, s.layout.Documents), name)
	switch {
	case isNamed && errors.Is(err, fs.ErrNotExist):
		return s.refusal(name, isUnstaged), true
	case isNamed:
		return Problem{}, false
	case err == nil:
		return s.refusal(name, isLink), true
	case s.absent == nil || len(s.names) == 0: // an event without a memory asks git nothing; see NotCheckedOut
		return Problem{}, false
	case slices.Contains(s.absent().names, name):
		return s.notCheckedOut(name), true
	}
	return Problem{}, false
}

// submoduleOf returns the submodule that holds a path of a tree of git, or "". No other folder is empty there.
func (s *Source) submoduleOf(name string) string {
	for at := name; s.ofGit && at != "."; at = path.Dir(at) {
		if entries, err := fs.ReadDir(s.whole, at); err == nil && len(entries) == 0 {
			return at
		}
	}
	return ""
}

// Refusals lists why files that were probably meant are not memory: those that the settings name without wildcards,
// links, folders with the name of a file, files that are too large, and the first file of a glob all of whose files are
// ignored. It looks through the whole tree, which no event does.
func (s *Source) Refusals() []Problem {
	all := map[string]Problem{}
	search := worktree.NewGlobSearch(s.whole)
	for _, pattern := range slices.Concat([]string{s.layout.Index}, s.layout.Decisions, s.layout.Documents) {
		g, err := worktree.ParseGlob(pattern)
		if err != nil || strings.HasPrefix(pattern, exception) {
			continue
		}
		found := []string{pattern}
		name, isName := g.Name()
		if isName = isName || pattern == s.layout.Index; isName {
			found[0] = cmp.Or(name, pattern)
		} else {
			found, _ = search.Find(g)
			if p, _ := s.WhyNot(path.Join(g.Base(), "x.md")); p.why == isOtherRepository {
				all[p.Path] = p
			}
		}
		var ignored []Problem
		holdsMemory := false
		for _, name := range found {
			p, refused := s.WhyNot(name)
			switch {
			case p.why == isUnstaged, name == s.layout.Index && pattern != name, isLeftOut(pattern, name), s.layout.skips(name):
			case s.names[name]:
				holdsMemory = true
			case p.why == isIgnored:
				ignored = append(ignored, p)
			case refused && (isName || slices.Contains([]reason{isLink, isBehindLink, isLarge, isBeyond}, p.why) || p.why == isFolder && isMarkdown(name)):
				all[p.Path] = p
			}
		}
		if len(ignored) > 0 && !holdsMemory {
			all[ignored[0].Path] = ignored[0]
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
}
