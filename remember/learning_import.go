package remember

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/text"
	"whence/internal/worktree"
)

// maxImportBytes bounds a file to import.
const maxImportBytes = 256 << 20

func importCommand(env cli.Env, server *team.Server) *urfave.Command {
	o := learningOptions{server: server}
	var category learning.Category
	global, everywhere, dry := false, false, false
	return &urfave.Command{
		Name: "import", Usage: "import learnings from files", ArgsUsage: "FILE...",
		Description: "A FILE holds JSON lines or a Markdown knowledge bank, or is a folder of such banks, the memory.db of iflow-dev or pd, or .wt-tools. Importing again updates the learnings that have changed. The files stay unchanged.",
		Flags: o.flags(
			&urfave.StringFlag{Name: "category", Usage: "the `CATEGORY` of Markdown entries that have none (default: by file name)", Destination: (*string)(&category)},
			&urfave.BoolFlag{Name: "global", Usage: "they apply in all repositories", Destination: &global, DisableDefaultText: true},
			&urfave.BoolFlag{Name: "everywhere", Usage: "put each into the repository from which it was exported", Destination: &everywhere, DisableDefaultText: true},
			&urfave.BoolFlag{Name: "dry-run", Usage: "print what would be imported, write nothing", Destination: &dry, DisableDefaultText: true},
		),
		Action: func(ctx *urfave.Context) error {
			if !ctx.Args().Present() {
				return cli.Usagef("name a file to import, or - for JSON lines on standard input")
			}
			if global && everywhere {
				return cli.Usagef("--global and --everywhere contradict each other")
			}
			if err := checkCategory(category); err != nil {
				return err
			}
			svc, err := o.service(env)
			if err != nil {
				return err
			}
			read := imported{project: svc.Project, root: cli.Root(o.repoDir(env))}
			for _, name := range ctx.Args().Slice() {
				if err := read.add(ctx.Context, env, name, category); err != nil {
					return err
				}
			}
			unplaced := learning.OriginOf(svc.Project, databaseFile, "").File
			if everywhere && slices.ContainsFunc(read.entries, func(e importedEntry) bool { return e.Origin.File == unplaced }) {
				return cli.Usagef("--everywhere: a memory.db does not say which repository of this machine a learning belongs to: leave it out, or use --global")
			}
			all := make([]learning.Learning, len(read.entries))
			for i, e := range read.entries {
				switch {
				case global:
					e.Project = ""
				case !e.placed || !everywhere && e.Project != "":
					e.Project = svc.Project
				}
				all[i] = e.Learning
			}
			done, err := svc.Import(ctx.Context, all, dry)
			var wrong *ImportError
			if errors.As(err, &wrong) {
				return fmt.Errorf("%s: %w; nothing was imported", read.entries[wrong.At].source, wrong.Err)
			}
			if err != nil {
				return err
			}
			o.remark(env, append(read.skipped, importRemarks(done)...)...)
			if o.format == "json" {
				return text.WriteJSONLine(env.Stdout, map[string]int{
					"added": done.Added, "updated": done.Updated, "known": done.Known, "kept": len(done.Kept), "missing": len(done.Missing), "skipped": len(read.skipped),
				})
			}
			verb := "Imported"
			if dry {
				verb = "Would import"
			}
			updated := ""
			if done.Updated > 0 {
				updated = fmt.Sprintf(", %d updated", done.Updated)
			}
			_, err = fmt.Fprintf(env.Stdout, "%s %s%s, %d known already\n", verb, cli.Count(done.Added, "learning", "learnings"), updated, done.Known)
			return err
		},
	}
}

func importRemarks(done ImportResult) (remarks []string) {
	for _, k := range done.Kept {
		remarks = append(remarks, fmt.Sprintf("%q is kept as it is here (%s): memory-remember show %s", k.Name, k.Why, k.ID[:8]))
	}
	for _, l := range done.Missing {
		remarks = append(remarks, fmt.Sprintf("%q is no longer in its file, but was kept: memory-remember forget %s deletes it", l.Name, l.ID[:8]))
	}
	if text := redactedText(done.Redacted); text != "" {
		remarks = append(remarks, text)
	}
	return remarks
}

type imported struct {
	project string
	root    string // of the repository; paths of files are relative to it
	entries []importedEntry
	skipped []string // what was skipped, and why
}

type importedEntry struct {
	learning.Learning
	source string // its place, for messages
	placed bool   // it says itself where it applies: in its project or, without one, in all
}

func (read *imported) put(l learning.Learning, source string) {
	read.entries = append(read.entries, importedEntry{Learning: l, source: source})
}

// add reads a file or a folder of Markdown, or standard input for "-".
func (read *imported) add(ctx context.Context, env cli.Env, name string, category learning.Category) error {
	if name == "-" {
		return read.records("standard input", env.Stdin)
	}
	path := env.Path(name)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("cannot import %s: %w", name, errors.Unwrap(err))
	case info.IsDir():
		return read.folder(name, path, category)
	case !info.Mode().IsRegular():
		return fmt.Errorf("cannot import %s: it is not a regular file", name)
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	header := make([]byte, 16)
	if n, _ := file.ReadAt(header, 0); store.IsDatabase(header[:n]) {
		return read.database(ctx, name, path)
	}
	return read.file(file, name, path, category)
}

// folder reads the Markdown and staged files of a folder. The user did not name them, so that
// symbolic links in it lead nowhere else.
func (read *imported) folder(name, path string, category learning.Category) error {
	tree, err := worktree.Open(path)
	if err != nil {
		return err
	}
	defer tree.Close()
	entries, err := fs.ReadDir(tree.FS(), ".")
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || !strings.EqualFold(filepath.Ext(e.Name()), ".md") && !isStaged(e.Name()) {
			continue
		}
		found = true
		file, fault := tree.FS().Open(e.Name())
		if fault != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", name, fault))
			continue
		}
		err = errors.Join(err, read.file(file, filepath.Join(name, e.Name()), filepath.Join(path, e.Name()), category), file.Close())
	}
	if !found {
		return fmt.Errorf("%s: this folder holds neither *.md nor %s* files", name, stagedPrefix)
	}
	return err
}

// isStaged reports whether a file holds learnings that wt-tools has staged; .ts files hold their
// times.
func isStaged(name string) bool {
	return strings.HasPrefix(name, stagedPrefix) && !strings.HasSuffix(name, ".ts")
}

const stagedPrefix = ".staged-extract-"

// maxStagedBytes is far above the size of such a file.
const maxStagedBytes = 64 << 10

func (read *imported) staged(name string, from fs.File) error {
	info, err := from.Stat()
	if err != nil {
		return err
	}
	if info.Size() > maxStagedBytes {
		return fmt.Errorf("%s has %d bytes, more than the %d that wt-tools writes: split it", name, info.Size(), maxStagedBytes)
	}
	src, err := readAll(name, from)
	if err != nil {
		return err
	}
	for _, l := range learning.ParseStaged(strings.ToValidUTF8(string(src), "\ufffd")) {
		l.Created = info.ModTime()
		read.put(l, name)
	}
	return nil
}

// databaseFile is the origin of the learnings in any memory.db.
const databaseFile = "memory.db"

// database reads the memory.db of the plugin that introduced /remember.
func (read *imported) database(ctx context.Context, name, path string) error {
	p, err := store.ReadPredecessor(ctx, path)
	if err != nil {
		return fmt.Errorf("cannot import %s: %w", name, err)
	}
	for _, why := range p.Skipped {
		read.skipped = append(read.skipped, name+": "+why)
	}
	for _, l := range p.Learnings {
		id := learning.ID(l.Description)
		l.Origin = learning.OriginOf(read.project, databaseFile, id)
		l.Origin.ID = id
		read.put(l, fmt.Sprintf("%s: %q", name, l.Name))
	}
	return nil
}

// file reads a file; the user called it name, its absolute path is path.
func (read *imported) file(file fs.File, name, path string, category learning.Category) error {
	if isStaged(filepath.Base(name)) {
		return read.staged(name, file)
	}
	if !strings.EqualFold(filepath.Ext(name), ".md") {
		return read.records(name, file)
	}
	src, err := readAll(name, file)
	if err != nil {
		return err
	}
	if category == "" {
		base := strings.TrimSuffix(strings.ToLower(filepath.Base(name)), ".md")
		if c, err := learning.ParseCategory(base); err == nil {
			category = c
		}
	}
	all, err := learning.ParseBank(src, category)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	headings := map[string]int{}
	for _, l := range all {
		headings[l.Name]++
		l.Origin = learning.OriginOf(read.project, read.key(path), fmt.Sprint(l.Name, "\x00", headings[l.Name]))
		source := fmt.Sprintf("%s: %q", name, l.Name)
		if !learning.LongEnough(l.Description) { // a bank has headings with little text
			read.skipped = append(read.skipped, fmt.Sprintf("%s was skipped: its text is shorter than %d characters", source, learning.MinDescriptionChars))
			continue
		}
		read.put(l, source)
	}
	return nil
}

// key returns the path of a file in its repository, equal in all clones, or else its whole path.
func (read *imported) key(path string) string {
	if rel, err := filepath.Rel(read.root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// records reads JSON lines.
func (read *imported) records(name string, from io.Reader) error {
	src, err := readAll(name, from)
	if err != nil {
		return err
	}
	number := 0
	for line := range bytes.Lines(src) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		place := fmt.Sprintf("%s:%d", name, number)
		var r LearningJSON
		switch err := text.DecodeJSON(line, &r); {
		case errors.Is(err, text.ErrMoreJSON):
			return fmt.Errorf("%s: %w in a line; nothing was imported", place, err)
		case err != nil:
			return fmt.Errorf("%s: not a learning: %w (one JSON object a line, as export prints them); nothing was imported", place, err)
		}
		l := r.Learning()
		if r.ID != "" {
			l.Origin = learning.OriginOf(read.project, "", r.ID)
			l.Origin.ID = r.ID
		}
		read.entries = append(read.entries, importedEntry{l, place, l.Project != "" || !l.Created.IsZero()})
	}
	return nil
}

func readAll(name string, from io.Reader) ([]byte, error) {
	src, err := io.ReadAll(io.LimitReader(from, maxImportBytes+1))
	if err == nil && len(src) > maxImportBytes {
		err = fmt.Errorf("%s is longer than %d MB: split it", name, maxImportBytes>>20)
	}
	return src, err
}
