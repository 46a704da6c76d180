package remember

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/decision"
	"whence/internal/memory"
	"whence/internal/record"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// writing holds the new texts of the files that a decision changes, and where the decision is in them.
type writing struct {
	path, title string
	isRecord    bool
	texts       map[string][]byte // of the files that change, by path
}

// writing returns the texts of the files with the decision.
func (a *attempt) writing(d decided, old *memory.Heading) (writing, error) {
	if old != nil && !old.File.Document {
		return a.instead(d, old)
	}
	name, isFolder, err := a.target(d, old)
	if err != nil {
		return writing{}, err
	}
	folder := path.Dir(name)
	if isFolder {
		folder = name
	}
	names, records, err := a.records(folder)
	if err != nil {
		return writing{}, err
	}
	if isFolder {
		name = path.Join(folder, record.NextName(names, d.title, d.day))
	}
	w := writing{path: name, title: d.title, isRecord: isFolder || a.Layout.IsDocument(name), texts: map[string][]byte{}}
	said := record.Decision{Title: d.title, Text: d.text}
	if old != nil {
		if said.Supersedes = old.File.Path; folder != path.Dir(old.File.Path) || !w.isRecord {
			return w, cli.Usagef("--file %s: the record that it supersedes is in %s: name that folder, or leave --file out", a.config.Typed.Path(name), a.config.Typed.Path(path.Dir(old.File.Path)))
		}
		if w.texts[old.File.Path] = old.File.SupersededBy(name); w.texts[old.File.Path] == nil {
			return w, cli.Usagef("%s: its status cannot be changed: write there that it is superseded, and leave --supersedes out", a.place(old))
		}
	}
	if !a.Layout.Holds(name) {
		return w, cli.Usagef("%s would not be memory: name a file with --file that \"decisions\" or \"documents\" in .whence.yaml names", a.config.Typed.Path(name))
	}
	if w.isRecord {
		w.texts[name] = record.Write(name, records, said, d.day)
		return w, nil
	}
	file := a.File(name)
	if file == nil {
		file = decision.Parse(name, record.NewFile(name))
	}
	w.title, w.texts[name] = record.Section(file, said, d.day)
	return w, nil
}

// target returns the decision file, or the folder of records, to which a decision belongs.
func (a *attempt) target(d decided, old *memory.Heading) (name string, isFolder bool, err error) {
	if d.file == "" && old != nil {
		return path.Dir(old.File.Path), true, nil
	}
	var folders, files []string
	for _, f := range a.Files {
		if f.Document {
			folders = append(folders, path.Dir(f.Path))
		} else {
			files = append(files, f.Path)
		}
	}
	folders = slices.Compact(folders)
	if d.file != "" {
		name := a.pathOf(d.file)
		if f := a.File(name); f != nil && f.Document {
			return "", false, cli.Usagef("--file %s is a record: name its folder for the next one, and --supersedes %[1]s if that replaces it", a.config.Typed.Word(name))
		}
		return name, slices.Contains(folders, name) || a.Layout.IsDocument(path.Join(name, "0001-a.md")), nil
	}
	switch places := slices.Concat(folders, files); {
	case len(places) == 1:
		return places[0], len(folders) == 1, nil
	case len(places) > 1:
		var named []string
		for _, p := range places[:min(len(places), maxPlaces)] {
			named = append(named, a.config.Typed.Word(p))
		}
		left := ""
		if len(places) > maxPlaces {
			left = fmt.Sprintf(" … and %d more", len(places)-maxPlaces)
		}
		return "", false, cli.Usagef("where does it belong? Name the file or folder with --file: %s%s", strings.Join(named, ", "), left)
	}
	for _, glob := range slices.Concat(a.Layout.Decisions, a.Layout.Documents) {
		name := strings.NewReplacer("**/", "", "*", "decisions").Replace(glob)
		if a.Layout.IsDocument(name) {
			return path.Dir(name), true, nil
		}
		if a.Layout.Holds(name) {
			return name, false, nil
		}
	}
	return "", false, cli.Usagef("name the file with --file")
}

// maxPlaces bounds the places that an error lists.
const maxPlaces = 12

// records lists the Markdown files of a folder by name, and those of them that are records.
func (a *attempt) records(folder string) (names []string, records []*decision.File, err error) {
	entries, err := fs.ReadDir(a.tree.FS(), folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for _, f := range a.Files {
		if f.Document && path.Dir(f.Path) == folder {
			records = append(records, f)
		}
	}
	for _, e := range entries {
		if name := path.Join(folder, e.Name()); path.Ext(name) == ".md" && (a.File(name) != nil || a.Layout.Excepts(name)) {
			names = append(names, e.Name())
		}
	}
	return names, records, nil
}

// instead returns the text of a decision file in which a decision replaces another one. A section has no status, so the
// old one is removed; its text must be committed.
func (a *attempt) instead(d decided, old *memory.Heading) (writing, error) {
	if d.file != "" {
		return writing{}, cli.Usagef("--file: the new decision replaces %s: leave --file out", a.place(old))
	}
	if record.IsLog(old.File) {
		return writing{}, cli.Usagef("%s is in a log, which keeps what was decided: say there what replaces it, and leave --supersedes out", a.place(old))
	}
	for _, h := range a.HeadingsOf(old.File)[old.Number+1:] {
		if h.Start < old.End && h.Semantic() {
			return writing{}, cli.Usagef("%s: its section holds another decision, %q: change the text there", a.place(old), h.Title)
		}
	}
	kept, err := a.isCommitted(old)
	if err != nil {
		return writing{}, err
	}
	if !kept {
		return writing{}, cli.Usagef("%s: the text that would be replaced is not committed: run \"%s\" and commit it, or change it there", a.place(old), a.config.Typed.Git("add", old.File.Path))
	}
	said := record.Decision{Title: d.title, Text: d.text}
	return writing{path: old.File.Path, title: d.title, texts: map[string][]byte{old.File.Path: record.Instead(old.File, *old.Heading, said)}}, nil
}

// isCommitted reports whether HEAD has the section of a heading unchanged.
func (a *attempt) isCommitted(h *memory.Heading) (bool, error) {
	git, err := repo.Open(a.tree.Dir, a.env.Dir, a.env.Getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		return false, nil
	}
	if err != nil {
		return false, cli.SettingsError(err)
	}
	below, err := git.Rel(a.tree.Dir)
	if err != nil {
		return false, err
	}
	head, err := git.Head()
	if err != nil {
		return false, err
	}
	src, err := worktree.ReadText(head, path.Join(below, h.File.Path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return bytes.Contains(src, h.File.Source[h.Start:h.End]), err
}

// withTexts returns the memory with the texts of a writing, without the entry of a section that is gone.
func (a *attempt) withTexts(w writing, old *memory.Heading) (*memory.Memory, error) {
	before := a.Memory
	if old != nil && !old.File.Document {
		var err error
		if before, err = a.Remove(a.Leading(old)...); err != nil {
			return nil, err
		}
	}
	return before.WithTexts(w.texts)
}

// written returns the heading of the new decision. It returns an error if the rest of the file, such as an open
// comment, keeps the heading from having the text.
func written(after *memory.Memory, w writing, text string) (*memory.Heading, error) {
	file := after.File(w.path)
	for _, h := range after.HeadingsOf(file) {
		source := strings.ReplaceAll(string(file.Source[h.Start:h.End]), "\r\n", "\n")
		isIt := w.isRecord || h.Key == decision.Key(w.title)
		if isIt && file.Document == w.isRecord && strings.Contains(source, strings.Trim(text, "\n")) {
			return h, nil
		}
	}
	return nil, fmt.Errorf("%s: the decision would not be read as it is written: close the comments and fences there first", w.path)
}

// pathOf returns a typed path relative to the root of the memory.
func (a *attempt) pathOf(named string) string {
	rel, err := filepath.Rel(a.tree.Dir, a.env.Path(named))
	if err != nil {
		return path.Clean(named)
	}
	return filepath.ToSlash(rel)
}
