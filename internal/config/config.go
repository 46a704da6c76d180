package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"whence/internal/home"
	"whence/internal/shell"
	"whence/internal/worktree"
)

// Names of the settings files of a repository, relative to its root.
const (
	ProjectFile = ".whence.yaml"
	LocalFile   = ".claude/whence.local.md"
)

// UserFile is the name of the user's own settings file, in the folder that package home finds.
const UserFile = "settings.yaml"

// Names that people may mistake for those of settings files.
const misnamedUserFile = "settings.yml"

var misnamedFiles = map[string]string{
	".whence.yml": ProjectFile, ".claude/whence.local.yaml": LocalFile, ".claude/whence.local.yml": LocalFile, "whence.local.md": LocalFile, ".whence.local.md": LocalFile,
	"whence.yaml": ProjectFile, ".claude/whence.yaml": LocalFile,
}

// Config holds the settings in force.
type Config struct {
	Index     string   // path of the memory index, with slashes, from the root
	Decisions []string // globs of the decision files; ** crosses folders
	Documents []string // globs of the files that are one decision each
	Statuses  []string // what further statuses of records mean, apart from the known ones; each as "phrase: kind"
	WordCount Range    // allowed number of words in the fields of an entry
	Enable    []string // the rules of memory-validate to enable that are off by default

	CaptureMode   string // what an agent may store unasked: off, ask-first, or silent (up to the budget)
	CaptureBudget int    // maximum number of silent captures in one agent session

	Injection      bool // whether agents are shown anything unasked
	InjectionLimit int  // maximum number of learnings at the start of a session

	TurnCapture bool // whether sessions are captured
	TurnDays    int  // days that turns are kept; 0: forever

	History bool // whether commit messages are read and recalled

	IgnoredMemory bool // whether Markdown files that git ignores are memory

	Notes        bool // whether notes are kept in .memory/
	NotesRefresh int  // tool calls after which an agent is shown the notes again; 0: never

	EmbeddingURL   string // base URL of a server for embeddings, to which learnings are sent; "": none
	EmbeddingModel string

	Typed shell.Typed // how the user types paths and commands of this memory

	Asks []Setting // settings of the environment or of repository files that ask for more than the user has set
}

// Setting is a setting that a file of a repository, or the environment, asks for.
type Setting struct {
	Source string // the file and the line, or the variable
	Key    string
	Value  string // in its usual form
}

// String returns the setting as a line of a settings file.
func (s Setting) String() string { return s.Key + ": " + s.Value }

// Range is a closed interval.
type Range struct{ Min, Max int }

// String returns the range as written in settings, such as "8..20".
func (r Range) String() string { return fmt.Sprintf("%d..%d", r.Min, r.Max) }

// Error reports settings that cannot be used.
type Error struct {
	Message string
	// Capture reports that the settings may have been meant to decide whether something is captured, or
	// into which store.
	Capture bool
}

func (e *Error) Error() string { return e.Message }

// User holds the settings that do not come from files of the repository.
type User struct {
	Getenv func(string) string
	// Name and Settings are the path and the text of the user's own settings file.
	Name     string
	Settings []byte
	// Main is the main worktree of a linked one that has no LocalFile of the user's own: then the LocalFile of Main
	// counts. Otherwise it is nil.
	Main fs.FS
	// OwnsLocal reports whether the LocalFile that counts belongs to the user, because git does not track it. Nil means that
	// it is not.
	OwnsLocal func() bool
	// Outer holds the settings of the nearest folder above in the same repository; nil if there is none. The files of a
	// folder may only ask for less than those, too.
	Outer *Config

	outerError error // why some settings of Outer cannot be read
	unread     error // why the user's own settings file cannot be read
}

// UserOf returns the user's settings by an environment. It does not set Main, OwnsLocal and Outer.
func UserOf(getenv func(string) string) User {
	u := User{Getenv: getenv}
	dir, err := home.Dir(getenv)
	var unclaimed *home.UnclaimedError
	if errors.As(err, &unclaimed) {
		if _, missing := os.Stat(filepath.Join(unclaimed.Dir, UserFile)); missing == nil {
			u.unread = fmt.Errorf("settings in %s: %w", unclaimed.Dir, err)
		}
	}
	if err != nil {
		return u
	}
	u.Name = filepath.Join(dir, UserFile)
	if _, err := os.Lstat(filepath.Join(dir, misnamedUserFile)); err == nil {
		u.unread = fmt.Errorf("%s is not read: rename it to %s", filepath.Join(dir, misnamedUserFile), UserFile)
	}
	if u.Settings, err = readFile(os.DirFS(dir), UserFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		u.unread = fmt.Errorf("settings in %s: %w", dir, err)
	}
	return u
}

// LoadFrom reads the settings of a repository. The error is an [*Error] that names everything wrong, and the settings that
// can be read are returned with it. Capture is off if an unreadable setting may have been meant to switch it off.
func LoadFrom(tree fs.FS, u User) (Config, error) {
	l := loader{Config: Default(), user: u}
	if u.unread != nil {
		l.wrong("", u.unread)
	}
	l.text(u.Name, u.Settings)
	if u.outerError != nil {
		wrong := (*Error)(nil)
		l.errors = append(l.errors, u.outerError.Error())
		l.unsure = l.unsure || !errors.As(u.outerError, &wrong) || wrong.Capture
	}
	if u.Outer != nil {
		l.within(u.Outer)
	}
	l.limits = new(l.Config)
	for _, name := range slices.Sorted(maps.Keys(misnamedFiles)) {
		l.misnamed(tree, name, misnamedFiles[name])
	}
	l.file(tree, ProjectFile)
	if u.Main == nil {
		l.file(tree, LocalFile)
	} else { // the LocalFile of this worktree, if any, belongs to the repository
		l.user.OwnsLocal = nil
		l.file(tree, LocalFile)
		l.user.OwnsLocal = u.OwnsLocal
		l.file(u.Main, LocalFile)
	}
	l.limits = new(l.Config) // an agent may have let the repository set variables
	l.environment()
	if more := len(l.errors) - maxErrors; more > 0 {
		l.errors = append(l.errors[:maxErrors], fmt.Sprintf("and %d more", more))
	}
	if len(l.errors) > 0 {
		return l.Config, &Error{Message: strings.Join(l.errors, "; "), Capture: l.unsure}
	}
	return l.Config, nil
}

// maxFileBytes and maxKeys bound a settings file: a larger one is a mistake or an attack.
const (
	maxFileBytes = 64 << 10
	maxKeys      = 1000
	maxErrors    = 10 // the number of errors that are named
)

// readFile reads a settings file.
func readFile(tree fs.FS, name string) ([]byte, error) {
	src, err := worktree.ReadText(tree, name)
	if len(src) > maxFileBytes {
		return nil, fmt.Errorf("%s is larger than %d kB: keep nothing but settings in it", name, maxFileBytes>>10)
	}
	return src, err
}

// loader is the state of one call of LoadFrom.
type loader struct {
	Config
	user   User
	limits *Config // only the user's own files may ask for more; nil: while settings.yaml is read
	errors []string
	unsure bool // what is wrong may be about capture
}

// wrong records that a key cannot be read; "" means a whole file. Nothing is captured while a setting that may
// forbid it cannot be read.
func (l *loader) wrong(name string, err error) {
	l.errors = append(l.errors, err.Error())
	if name == "" || keyNamed(name) == nil && speaksOfCapture(name) || name == keyTurnCapture {
		l.TurnCapture, l.unsure = false, true
	}
	name = closestKey(name)
	if (name == "" || name == keyCaptureMode) && l.CaptureMode == "silent" {
		l.CaptureMode = "ask-first"
	}
}

// within copies, from the settings of an outer folder, those of which a folder may not ask for more.
func (l *loader) within(outer *Config) {
	for _, k := range keys {
		if k.asksMore != nil && k.onlyIn == "" {
			reflect.ValueOf(k.field(&l.Config)).Elem().Set(reflect.ValueOf(k.field(outer)).Elem())
		}
	}
}

func (l *loader) environment() {
	for _, k := range keys {
		if k.variable == "" || l.user.Getenv(k.variable) == "" {
			continue
		}
		values := []string{l.user.Getenv(k.variable)}
		if _, isList := k.field(&l.Config).(*[]string); isList {
			values = filepath.SplitList(values[0])
		}
		l.set(k.variable, k.variable, k.name, values)
	}
}

// file reads a settings file of the repository.
func (l *loader) file(tree fs.FS, name string) {
	src, err := readFile(tree, name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		l.wrong("", fmt.Errorf("settings %w", err))
		return
	}
	if name == LocalFile {
		if src, err = frontMatter(src); err != nil {
			l.wrong("", fmt.Errorf("%s: %w", name, err))
			return
		}
	}
	l.text(name, src)
}

// misnamed records an error for a file whose name is nearly that of a settings file, since it would not be read.
func (l *loader) misnamed(tree fs.FS, name, right string) {
	if _, err := fs.Lstat(tree, name); err == nil {
		l.wrong("", fmt.Errorf("%s is not read: rename it to %s", name, right))
	}
}

// set sets a key from a file or a variable, or adds it to Asks if it asks for more than it may. Source is the file with
// the line, or the variable.
func (l *loader) set(file, source, name string, values []string) {
	next := l.Config
	if err := next.Set(source, name, values); err != nil {
		l.wrong(name, err)
		return
	}
	k := keyNamed(name)
	if k.onlyIn != "" && k.onlyIn != file && (k.onlyIn != UserFile || l.limits != nil) {
		l.wrong(name, fmt.Errorf("%s: %s belongs in %s", source, name, l.home(k.onlyIn)))
		return
	}
	if l.limits != nil && k.asksMore != nil && k.asksMore(&next, l.limits) && !l.isUsers(file) {
		l.Asks = append(l.Asks, Setting{Source: source, Key: name, Value: k.value(&next)})
		return
	}
	l.Config = next
	if l.isUsers(file) { // the user has decided
		l.Asks = slices.DeleteFunc(l.Asks, func(s Setting) bool { return s.Key == name })
	}
}

// home describes the only file in which a key counts.
func (l *loader) home(file string) string {
	if file == UserFile {
		return "your own settings, " + cmp.Or(l.user.Name, UserFile) + ": a repository may not name a server"
	}
	return LocalFile + ", which git must not track"
}

// isUsers reports whether a file of the repository is the user's own.
func (l *loader) isUsers(file string) bool {
	return file == LocalFile && l.user.OwnsLocal != nil && l.user.OwnsLocal()
}
