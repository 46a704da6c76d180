package remember

import (
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
	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/store"
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
				all, err = s.List(ctx, store.Query{Scope: store.Scope{Project: svc.Project, Everywhere: everywhere}})
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
		if err := inert.WriteJSONLine(w, l); err != nil {
			return err
		}
	}
	return nil
}

// importing is the command import, and what it has read.
type importing struct {
	learningOptions
	global bool

	env     cli.Env
	project string
	all     []learning.Learning
	sources []string // the place of each of them, for messages
	skipped []string // what was skipped, and why
}

func importCommand(env cli.Env, parts Parts) *urfave.Command {
	im := importing{learningOptions: learningOptions{Parts: parts}, env: env}
	return &urfave.Command{
		Name: "import", Usage: "import learnings from files", ArgsUsage: "PATH...",
		Description: "A PATH is a file of JSON lines or a Markdown knowledge bank, a folder of such banks, or .wt-tools. " +
			"What is already known stays as it is, and what you have forgotten stays forgotten. The files stay unchanged.",
		Flags: im.flags(
			&urfave.BoolFlag{Name: "global", Usage: "they apply in all repositories", Destination: &im.global},
		),
		Action: func(cmd *urfave.Context) error { return im.run(cmd.Context, cmd.Args().Slice()) },
	}
}

func (im *importing) run(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return cli.Usagef("name a file to import, or - for JSON lines on standard input")
	}
	svc, err := im.service(im.env)
	if err != nil {
		return err
	}
	im.project = svc.Project
	for _, name := range paths {
		if err := im.read(name); err != nil {
			return err
		}
	}
	done, redacted, err := svc.Import(ctx, im.all)
	var wrong *ImportError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s: %w; nothing was imported", im.sources[wrong.At], wrong.Err)
	}
	if err != nil {
		return err
	}
	im.remark(im.env, im.skipped...)
	if svc.Project == "" && !im.global && len(done.Added) > 0 {
		im.remark(im.env, noRepository)
	}
	im.remark(im.env, redactedNotes(redacted)...)
	im.remarkForgotten(done.Forgotten)
	_, err = fmt.Fprintf(im.env.Stdout, "Imported %s, %d already known\n", cli.Count(len(done.Added), "learning", "learnings"),
		len(im.all)-len(done.Added)-len(done.Forgotten))
	return err
}

func (im *importing) remarkForgotten(all []learning.Learning) {
	if len(all) == 0 {
		return
	}
	var names []string
	for _, l := range all {
		names = append(names, inert.Quoted(l.Name))
	}
	im.remark(im.env, fmt.Sprintf("skipped %s (%s): to store one again, type %s", cli.Count(len(all), "forgotten learning", "forgotten learnings"),
		strings.Join(names, ", "), im.typed(im.env, "memory-remember 'TEXT'")))
}

// add adds a learning that was read. The learning applies in this repository, unless it was exported as a
// global one or the user wants all to be global.
func (im *importing) add(l learning.Learning, source string, exported bool) {
	if im.global {
		l.Project = ""
	} else if !exported || l.Project != "" {
		l.Project = im.project
	}
	im.all, im.sources = append(im.all, l), append(im.sources, source)
}

// read reads a file or a folder of Markdown, or standard input for "-".
func (im *importing) read(name string) error {
	if name == "-" {
		return im.records("standard input", im.env.Stdin)
	}
	path := im.env.Path(name)
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("cannot import %s: %w", name, errors.Unwrap(err))
	}
	if info.IsDir() {
		return im.folder(name, path)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("cannot import %s: it is not a regular file", name)
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if read := im.reader(name); read != nil {
		return read(file, name, path)
	}
	return im.records(name, file)
}

const stagedPrefix = ".staged-extract-"

// reader returns the function that reads a file with this name: a knowledge bank, or learnings that wt-tools
// staged. It returns nil for any other file, such as the .ts files with the times of staged learnings.
func (im *importing) reader(name string) func(from fs.File, name, path string) error {
	if strings.EqualFold(filepath.Ext(name), ".md") {
		return im.bank
	}
	if strings.HasPrefix(filepath.Base(name), stagedPrefix) && !strings.HasSuffix(name, ".ts") {
		return im.staged
	}
	return nil
}

// folder reads the Markdown and staged files of a folder. Because the user did not name the files, it follows no
// symbolic links out of the folder.
func (im *importing) folder(name, path string) error {
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
		read := im.reader(e.Name())
		if e.IsDir() || read == nil {
			continue
		}
		found = true
		file, err := tree.FS().Open(e.Name())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		err = read(file, filepath.Join(name, e.Name()), filepath.Join(path, e.Name()))
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("%s: this folder holds neither *.md nor %s* files", name, stagedPrefix)
	}
	return nil
}

// staged reads learnings that wt-tools staged, and gives them the modification time of their file.
func (im *importing) staged(from fs.File, name, _ string) error {
	info, err := from.Stat()
	if err != nil {
		return err
	}
	src, err := readInput(name, from, maxImportBytes)
	if err != nil {
		return err
	}
	for _, l := range learning.ParseStaged(string(src)) {
		l.Created = info.ModTime()
		im.add(l, name, false)
	}
	return nil
}

// bank reads a knowledge bank. The name of the file may be a category.
func (im *importing) bank(from fs.File, name, path string) error {
	src, err := readInput(name, from, maxImportBytes)
	if err != nil {
		return err
	}
	category, _ := learning.ParseCategory(strings.TrimSuffix(strings.ToLower(filepath.Base(name)), ".md"))
	all, err := learning.ParseBank(src, category)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(all) == 0 {
		im.skipped = append(im.skipped, name+` was skipped: it has no heading of level 3, such as "### Pattern: Name", with the text of a learning below`)
	}
	_, inside := worktree.Name(cli.Root(im.repoDir(im.env)), path)
	for _, l := range all {
		source := fmt.Sprintf("%s: %q", name, l.Name)
		if !learning.LongEnough(l.Description) { // a bank has headings with little text
			im.skipped = append(im.skipped, fmt.Sprintf("%s was skipped: its text is shorter than %d characters", source, learning.MinDescriptionChars))
			continue
		}
		if inside { // others may have written it
			l.Confidence = learning.Low
		}
		im.add(l, source, false)
	}
	return nil
}

// records reads JSON lines.
func (im *importing) records(name string, from io.Reader) error {
	src, err := readInput(name, from, maxImportBytes)
	if err != nil {
		return err
	}
	for _, line := range jsonLines(src) {
		place := fmt.Sprintf("%s:%d", name, line.number)
		var l learning.Learning
		unknown, err := DecodeObject(line.src, &l)
		if notText := (*NotTextError)(nil); errors.As(err, &notText) {
			return cli.Usagef("%s: %v; nothing was imported", place, err)
		}
		if err == nil && len(unknown) > 0 { // a mistyped one may matter
			err = fmt.Errorf("unknown field %q", unknown[0])
		}
		if err != nil {
			return fmt.Errorf("%s: not a learning: %w (one JSON object a line, as export prints them); nothing was imported", place, err)
		}
		im.add(learning.Imported(l), place, l.Project != "" || !l.Created.IsZero())
	}
	return nil
}

// ImportError reports a learning that cannot be imported, so that none is.
type ImportError struct {
	At  int // its place among the learnings, from 0
	Err error
}

func (e *ImportError) Error() string { return fmt.Sprintf("learning %d: %v", e.At+1, e.Err) }
func (e *ImportError) Unwrap() error { return e.Err }

// Import cleans learnings, completes them, and adds them as Store.Import does. It also returns the kinds of secrets
// that it removed.
func (svc *Service) Import(ctx context.Context, all []learning.Learning) (done store.Imported, redacted []string, err error) {
	for i := range all {
		if err := checkLength(all[i]); err != nil {
			return done, redacted, &ImportError{At: i, Err: err}
		}
		redacted = learning.Union(redacted, clean(&all[i]))
		complete(&all[i])
		if err := all[i].Validate(); err != nil {
			return done, redacted, &ImportError{At: i, Err: err}
		}
	}
	if len(all) == 0 {
		return done, nil, nil
	}
	err = svc.write(ctx, func(s *store.Store) error {
		done, err = s.Import(ctx, all, svc.Now())
		return err
	})
	if err == nil && len(done.Added) > 0 {
		svc.stored()
	}
	return done, redacted, err
}
