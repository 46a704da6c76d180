package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"whence/internal/home"
	"whence/internal/text"
	"whence/internal/worktree"
)

// Names of the files that hold settings, from the root of the repository.
const (
	ProjectFile = ".whence.yaml"
	LocalFile   = ".claude/whence.local.md"
)

// UserFile is the name of the user's own settings file, in the folder of package home.
const UserFile = "settings.yaml"

// Config is the settings in force.
type Config struct {
	Index     string   // path of the memory index, with slashes, from the root
	Decisions []string // globs of the decision files; ** crosses folders
	Documents []string // globs of the files that are one decision each
	WordCount Range    // allowed number of words in the fields of an entry
	Enable    []string // rules of memory-validate that are off unless named here

	CaptureMode   string // what an agent may store unasked: off, ask-first, or silent (up to the budget)
	CaptureBudget int    // silent captures of one agent session, 0 or more

	Injection      bool // whether agents are shown anything unasked
	InjectionLimit int  // max. learnings at the start of a session

	TurnCapture bool // whether sessions are captured
	TurnDays    int  // days that turns are kept; 0: forever

	Notes        bool // whether notes are kept in .memory/
	NotesRefresh int  // tool calls until an agent is shown them again; 0: never

	EmbeddingURL   string // base URL of a server for embeddings, which is sent learnings; "": none
	EmbeddingModel string

	Typed text.Typed // how a command of the user types paths and commands of this memory

	Asks []Setting // what the environment and files of the repository ask for and the user has not allowed
}

// Range is a closed interval.
type Range struct{ Min, Max int }

// String returns a range as it is written: "8..20".
func (r Range) String() string { return fmt.Sprintf("%d..%d", r.Min, r.Max) }

// Error reports settings that cannot be used.
type Error struct {
	Message string
	// Capture reports that they may have been meant to decide whether, or into which store, something
	// is captured.
	Capture bool
}

func (e *Error) Error() string { return e.Message }

// User holds the settings that are not in files of a repository.
type User struct {
	Getenv func(string) string
	// Name and Settings are the path and the text of the user's own settings file.
	Name     string
	Settings []byte
	// Allows reports whether a setting in a file of the repository counts although it asks
	// for more than the user has set. Nil: none does.
	Allows func(Setting) bool

	unread error // why the user's own settings file cannot be read
}

// UserOf returns the settings of the user of an environment. Allows is nil.
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
	u.Settings, err = worktree.ReadText(os.DirFS(dir), UserFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		u.unread = fmt.Errorf("settings in %s: %w", dir, err)
	}
	return u
}

// LoadFrom reads the settings of a repository. The error, an [*Error], names all that is wrong; the
// settings that can be read are returned beside it. Capture is off if the unreadable ones may have
// been meant to switch it off.
func LoadFrom(tree fs.FS, u User) (Config, error) {
	l := loader{Config: Default(), user: u}
	if u.unread != nil {
		l.wrong("", u.unread)
	}
	l.text(u.Name, u.Settings)
	l.limits = new(l.Config)
	l.file(tree, ProjectFile)
	l.file(tree, LocalFile)
	l.limits = new(l.Config) // an agent may have let the repository set variables
	l.environment()
	if len(l.errors) > 0 {
		return l.Config, &Error{Message: strings.Join(l.errors, "; "), Capture: l.unsure}
	}
	return l.Config, nil
}

// loader is the state of one call of LoadFrom.
type loader struct {
	Config
	user   User
	limits *Config // beyond which a setting needs permission; nil: the user's own settings are read
	errors []string
	unsure bool // what is wrong may be about capture
}

// wrong records that a key cannot be read; "" means all of a file. Nothing is captured because a setting
// that may forbid it cannot be read.
func (l *loader) wrong(name string, err error) {
	l.errors = append(l.errors, err.Error())
	name = closestKey(name)
	if name == "" || name == keyTurnCapture {
		l.TurnCapture, l.unsure = false, true
	}
	if (name == "" || name == keyCaptureMode) && l.CaptureMode == "silent" {
		l.CaptureMode = "ask-first"
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

// file reads a file of the repository.
func (l *loader) file(tree fs.FS, name string) {
	src, err := worktree.ReadText(tree, name)
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

// set sets a key from a file or a variable, if it counts. Source is the file and the line.
func (l *loader) set(file, source, name string, values []string) {
	next := l.Config
	if err := next.Set(source, name, values); err != nil {
		l.wrong(name, err)
		return
	}
	k := keyNamed(name)
	if l.limits != nil && k.userOnly {
		l.wrong(name, fmt.Errorf("%s: %s belongs in your own settings, %s: a repository may not name a server", source, name, cmp.Or(l.user.Name, UserFile)))
		return
	}
	if l.limits != nil && k.asksMore != nil && k.asksMore(&next, l.limits) {
		s := Setting{File: file, Key: name, Value: k.value(&next), Limit: k.value(l.limits)}
		if l.user.Allows == nil || !l.user.Allows(s) {
			l.Asks = append(l.Asks, s)
			return
		}
	}
	l.Config = next
}
