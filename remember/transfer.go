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
	"whence/internal/text"
	"whence/internal/worktree"
)

func exportCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts}
	everywhere := false
	return &urfave.Command{
		Name: "export", Usage: "print learnings as JSON lines, to import them elsewhere",
		Description: "Prints the learnings of this repository and the global ones.",
		Flags: o.flags(
			&urfave.BoolFlag{Name: "everywhere", Usage: "print the learnings of all repositories", Destination: &everywhere},
		),
		Action: o.action(env, func(ctx context.Context, svc *Service) error {
			var all []learning.Learning
			err := exceptNone(svc.Read(ctx, func(s *store.Store) (err error) {
				all, err = s.List(ctx, store.Filter{Scope: store.Scope{Project: svc.Project, Everywhere: everywhere}})
				return err
			}))
			if err != nil {
				return err
			}
			slices.Reverse(all) // the oldest first, so that an import keeps their order
			return writeLearnings(env.Stdout, all)
		}),
	}
}

func writeLearnings(w io.Writer, all []learning.Learning) error {
	for _, l := range all {
		if err := text.WriteJSONLine(w, l); err != nil {
			return err
		}
	}
	return nil
}

// importOptions are the flags of the command import.
type importOptions struct {
	learningOptions
	category                learning.Category
	global, everywhere, dry bool
}

func importCommand(env cli.Env, parts Parts) *urfave.Command {
	o := importOptions{learningOptions: learningOptions{Parts: parts}}
	return &urfave.Command{
		Name: "import", Usage: "import learnings from files", ArgsUsage: "PATH...",
		Description: "A PATH is a file of JSON lines or a Markdown knowledge bank, or a folder of such banks. " +
			"What is known already stays as it is. The files stay unchanged.",
		Flags: o.flags(
			&urfave.StringFlag{Name: "category", Usage: "the `CATEGORY` of Markdown entries that have none", Destination: (*string)(&o.category)},
			&urfave.BoolFlag{Name: "global", Usage: "they apply in all repositories", Destination: &o.global},
			&urfave.BoolFlag{Name: "everywhere", Usage: "put each into the repository from which it was exported", Destination: &o.everywhere},
			&urfave.BoolFlag{Name: "dry-run", Usage: "list what would be imported, write nothing", Destination: &o.dry},
		),
		Action: func(cmd *urfave.Context) error {
			paths := cmd.Args().Slice()
			if err := o.check(paths); err != nil {
				return err
			}
			svc, err := o.service(env)
			if err != nil {
				return err
			}
			read, err := o.read(env, svc, paths)
			if err != nil {
				return err
			}
			all := o.placed(read.entries, svc.Project)
			added, redacted, err := svc.Import(cmd.Context, all, o.dry)
			var wrong *ImportError
			if errors.As(err, &wrong) {
				return fmt.Errorf("%s: %w; nothing was imported", read.entries[wrong.At].source, wrong.Err)
			}
			if err != nil {
				return err
			}
			o.remark(env, read.remarks...)
			if svc.Project == "" && !o.global && !o.everywhere && len(added) > 0 {
				o.remark(env, noRepository)
			}
			if len(redacted) > 0 {
				o.remark(env, redactedText(redacted))
			}
			return o.printImported(env, svc, added, len(all)-len(added), read.skipped)
		},
	}
}

// check checks the flags.
func (o *importOptions) check(paths []string) error {
	switch {
	case len(paths) == 0:
		return cli.Usagef("name a file to import, or - for JSON lines on standard input")
	case o.global && o.everywhere:
		return cli.Usagef("--global and --everywhere contradict each other")
	}
	return checkCategory(o.category)
}

// read reads what is to be imported.
func (o *importOptions) read(env cli.Env, svc *Service, paths []string) (*imported, error) {
	read := &imported{env: env, project: svc.Project, root: cli.Root(o.repoDir(env)), category: o.category}
	for _, name := range paths {
		if err := read.add(name); err != nil {
			return nil, err
		}
	}
	return read, nil
}

// placed returns the learnings with the project in which they apply: that of the repository, unless a flag
// or the entry itself says otherwise.
func (o *importOptions) placed(entries []importedEntry, project string) []learning.Learning {
	all := make([]learning.Learning, len(entries))
	for i, e := range entries {
		switch {
		case o.global:
			e.Project = ""
		case !e.placed || !o.everywhere && e.Project != "":
			e.Project = project
		}
		all[i] = e.Learning
	}
	return all
}

func (o *importOptions) printImported(env cli.Env, svc *Service, added []learning.Learning, known, skipped int) error {
	if o.format == "json" {
		counts := map[string]any{"added": len(added), "known": known, "skipped": skipped}
		if o.dry {
			counts["learnings"] = append([]learning.Learning{}, added...)
		}
		return text.WriteJSONLine(env.Stdout, counts)
	}
	p := o.printer(env, svc.Now())
	verb := "Imported"
	if o.dry {
		verb = "Would import"
		for _, l := range added {
			p.title(l)
			for _, reference := range l.References {
				p.detail(reference)
			}
		}
	}
	p.line(fmt.Sprintf("%s %s, %d known already", verb, cli.Count(len(added), "learning", "learnings"), known))
	return p.flush()
}

// maxImportBytes bounds a file to import.
const maxImportBytes = 256 << 20

// imported holds the learnings that were read.
type imported struct {
	env      cli.Env
	project  string
	root     string // of the repository; paths of files are relative to it
	category learning.Category

	entries []importedEntry
	skipped int
	remarks []string // what was skipped, and why
}

type importedEntry struct {
	learning.Learning
	source string // its place, for messages
	placed bool   // it says itself where it applies: in its project or, without one, in all
}

func (read *imported) put(l learning.Learning, source string) {
	read.entries = append(read.entries, importedEntry{Learning: l, source: source})
}

// skip counts what is not imported, and says why.
func (read *imported) skip(count int, why string) {
	read.skipped, read.remarks = read.skipped+count, append(read.remarks, why)
}

// add reads a file or a folder of Markdown, or standard input for "-".
func (read *imported) add(name string) error {
	if name == "-" {
		return read.records("standard input", read.env.Stdin)
	}
	path, info, err := read.stat(name)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return read.folder(name, path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("cannot import %s: it is not a regular file", name)
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return read.file(file, name, path)
}

// stat returns the absolute path of what the user has named, and describes it.
func (read *imported) stat(name string) (path string, info fs.FileInfo, err error) {
	path = read.env.Path(name)
	if info, err = os.Stat(path); err != nil {
		return "", nil, fmt.Errorf("cannot import %s: %w", name, errors.Unwrap(err))
	}
	return path, info, nil
}

// folder reads the Markdown files of a folder. The user did not name them, so that
// symbolic links in it lead nowhere else.
func (read *imported) folder(name, path string) error {
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
		if e.IsDir() || !strings.EqualFold(filepath.Ext(e.Name()), ".md") {
			continue
		}
		found = true
		file, fault := tree.FS().Open(e.Name())
		if fault != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", name, fault))
			continue
		}
		err = errors.Join(err, read.file(file, filepath.Join(name, e.Name()), filepath.Join(path, e.Name())), file.Close())
	}
	if !found {
		return fmt.Errorf("%s: this folder holds no *.md files", name)
	}
	return err
}

// file reads a file; the user called it name, its absolute path is path.
func (read *imported) file(file fs.File, name, path string) error {
	if !strings.EqualFold(filepath.Ext(name), ".md") {
		return read.records(name, file)
	}
	src, err := readAll(name, file)
	if err != nil {
		return err
	}
	return read.bank(src, name, path)
}

// bank reads a knowledge bank.
func (read *imported) bank(src []byte, name, path string) error {
	category := read.category
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
	for _, l := range all {
		source := fmt.Sprintf("%s: %q", name, l.Name)
		if !learning.LongEnough(l.Description) { // a bank has headings with little text
			read.skip(1, tooShort(source))
			continue
		}
		if _, inside := worktree.Name(read.root, path); inside { // others may have written it
			l.Confidence = learning.Low
		}
		read.put(l, source)
	}
	return nil
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
		var l learning.Learning
		unknown, err := text.DecodeObject(line, &l)
		var notText *text.NotTextError
		switch {
		case errors.Is(err, text.ErrMoreJSON):
			return fmt.Errorf("%s: %w in a line; nothing was imported", place, err)
		case errors.As(err, &notText):
			return cli.Usagef("%s: %v; nothing was imported", place, err)
		case err == nil && len(unknown) > 0: // a mistyped one may matter
			err = fmt.Errorf("unknown field %q", unknown[0])
		}
		if err != nil {
			return fmt.Errorf("%s: not a learning: %w (one JSON object a line, as export prints them); nothing was imported", place, err)
		}
		l = learning.Imported(l)
		read.entries = append(read.entries, importedEntry{l, place, l.Project != "" || !l.Created.IsZero()})
	}
	return nil
}

func readAll(name string, from io.Reader) ([]byte, error) {
	src, err := io.ReadAll(io.LimitReader(from, maxImportBytes+1))
	if err == nil && len(src) > maxImportBytes {
		err = fmt.Errorf("%s is longer than %d MB: split it", name, maxImportBytes>>20)
	}
	if err == nil {
		err = checkUTF8(name, string(src))
	}
	return src, err
}

func tooShort(source string) string {
	return fmt.Sprintf("%s was skipped: its text is shorter than %d characters", source, learning.MinDescriptionChars)
}

// ImportError reports a learning that cannot be imported; then none is.
type ImportError struct {
	Name string
	At   int // its place among the learnings, from 0
	Err  error
}

func (e *ImportError) Error() string { return "learning " + e.Name + ": " + e.Err.Error() }
func (e *ImportError) Unwrap() error { return e.Err }

// Import adds learnings as they are, cleaned, and returns those that are new, and the kinds of secrets
// that it removed. Those that are known stay as they are. A dry run changes nothing.
func (svc *Service) Import(ctx context.Context, all []learning.Learning, dryRun bool) (added []learning.Learning, redacted []string, err error) {
	for i := range all {
		redacted = appendNew(redacted, clean(&all[i])...)
		complete(&all[i])
		if err := all[i].Validate(); err != nil {
			return nil, redacted, &ImportError{Name: all[i].Name, At: i, Err: err}
		}
	}
	if len(all) == 0 {
		return nil, nil, nil
	}
	err = svc.write(ctx, func(s *store.Store) error {
		added, err = s.Import(ctx, all, svc.Now(), dryRun)
		return err
	})
	if err == nil && !dryRun && len(added) > 0 {
		svc.stored()
	}
	return added, redacted, err
}
