package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"whence/internal/files"
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

// DefaultIndex is the path of the memory index unless a setting changes it.
const DefaultIndex = "agents/memory-index.md"

// Config is the settings in force.
type Config struct {
	Index     string   // path of the memory index, with slashes, from the root
	Decisions []string // globs of the decision files; ** crosses folders
	WordCount Range    // allowed number of words in the fields of an entry
	Enable    []string // rules of memory-validate that are off unless named here

	CaptureMode   string // what an agent may store unasked: one of CaptureModes
	CaptureBudget int    // silent captures of one agent session, 0 or more

	Injection      bool // whether agents are shown anything unasked
	InjectionLimit int  // max. learnings at the start of a session
	InjectionBytes int  // max. bytes of their text

	TurnCapture bool   // whether sessions are captured
	TurnDays    int    // days that turns are kept; 0: forever
	EventLog    string // what is logged of the events of agents: one of EventLogs

	Notes        bool // whether notes are kept in .memory/
	NotesRefresh int  // tool calls until an agent is shown them again; 0: never

	Store       string // the URL of a team's store as ParseStore returns it; "": the user's own
	StoreByUser bool   // the environment or the user's own file says which, and not a file of the repository
	Repository  string // what a team calls the repository; "": its remote tells
	TurnsShared bool   // in a team's store, whether others find what was said here

	Asks []Setting // what files of the repository ask for and the user has not allowed
}

// EventLogs are the values of EventLog: events, events with the text that was looked up, nothing.
var EventLogs = []string{"events", "prompts", "off"}

// CaptureModes are the values of CaptureMode: after the user has agreed, without asking up to the
// budget, not at all.
var CaptureModes = []string{"ask-first", "silent", "off"}

// Range is a closed interval.
type Range struct{ Min, Max int }

// String is the form in which a range is written: "8..20".
func (r Range) String() string { return fmt.Sprintf("%d..%d", r.Min, r.Max) }

// Default is the configuration without any setting.
func Default() Config {
	return Config{
		Index:     DefaultIndex,
		Decisions: []string{"agents/decisions/*.md"},
		WordCount: Range{8, 20},

		CaptureMode:   CaptureModes[0],
		CaptureBudget: 5,

		Injection:      true,
		InjectionLimit: 20,
		InjectionBytes: 3000,

		TurnCapture: true,
		TurnDays:    180,
		EventLog:    EventLogs[0],

		NotesRefresh: 10,
	}
}

// Error is a setting that cannot be used.
type Error struct {
	Message string
	// Capture reports that it may have been meant to say whether, or into which store, something
	// is captured.
	Capture bool
}

func (e *Error) Error() string { return e.Message }

// User is the source of the settings that are not in files of a repository.
type User struct {
	Getenv func(string) string
	// Name and Settings are the user's own settings file; without text there is none.
	Name     string
	Settings []byte
	// Allows reports whether a setting in a file of the repository counts although it asks
	// for more than the user has set. Nil: none does.
	Allows func(Setting) bool

	unread error // why the user's own settings file cannot be read
}

// UserOf returns the user of an environment, who allows nothing.
func UserOf(getenv func(string) string) User {
	u := User{Getenv: getenv}
	dir, err := home.Dir(getenv)
	if err != nil {
		return u
	}
	u.Name = filepath.Join(dir, UserFile)
	u.Settings, err = files.ReadText(os.DirFS(dir), UserFile)
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
		l.addError(u.unread)
		l.doubt("")
	}
	l.text(u.Name, u.Settings)
	own := l.Config
	l.userConfig = &own
	variables := l.variables(&own)
	l.file(tree, ProjectFile, wholeFile)
	l.file(tree, LocalFile, frontMatter)
	for _, set := range variables {
		set(&l.Config)
	}
	if len(l.errors) > 0 {
		return l.Config, &Error{Message: strings.Join(l.errors, "; "), Capture: l.unsure}
	}
	return l.Config, nil
}

// loader is the state of one call of LoadFrom.
type loader struct {
	Config
	user       User
	userConfig *Config // what the user has set; nil while that is read
	errors     []string
	// unsure reports that what is wrong may be about capture.
	unsure bool
}

// addError records an error about a setting.
func (l *loader) addError(err error) {
	if err != nil {
		l.errors = append(l.errors, err.Error())
	}
}

// variables reads the environment into the user's own settings, and returns functions that set the
// same over those of the files.
func (l *loader) variables(own *Config) (sets []func(*Config)) {
	for _, variable := range []struct {
		name, key string
		list      bool
	}{
		{"WHENCE_INDEX", "index", false},
		{"WHENCE_DECISIONS", "decisions", true},
		{"WHENCE_CAPTURE_MODE", keyCaptureMode, false},
		{"WHENCE_CAPTURE_BUDGET", keyCaptureBudget, false},
		{"WHENCE_EVENT_LOG", keyEventLog, false},
		{storeVariable, keyStore, false},
	} {
		value := l.user.Getenv(variable.name)
		if value == "" {
			continue
		}
		values := []string{value}
		if variable.list {
			values = filepath.SplitList(value)
		}
		set := func(c *Config) {
			if c.Set(variable.name, variable.key, values) == nil && variable.key == keyStore {
				c.StoreByUser = true
			}
		}
		if err := own.Set(variable.name, variable.key, values); err != nil {
			l.addError(err)
			set = func(c *Config) { c.restrict(variable.key) }
			l.unsure = l.unsure || isAboutCapture(variable.key)
		}
		set(own)
		sets = append(sets, set)
	}
	return sets
}

// file reads a file of the repository.
func (l *loader) file(tree fs.FS, name string, yamlPart func([]byte) ([]byte, error)) {
	src, err := files.ReadText(tree, name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		err = fmt.Errorf("settings %w", err)
	} else if src, err = yamlPart(src); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	if err != nil {
		l.addError(err)
		l.doubt("")
		return
	}
	l.text(name, src)
}

// text reads settings in YAML.
func (l *loader) text(name string, src []byte) {
	set := func(place, key string, values []string) { l.addError(l.setIn(name, place, key, values)) }
	wrong := func(key string, err error) {
		l.addError(err)
		l.doubt(closestKey(key))
	}
	if err := readYAML(name, src, set, wrong); err != nil {
		wrong("", err)
	}
}

// doubt records that a key cannot be read; "" means all of a file.
func (l *loader) doubt(key string) {
	l.restrict(key)
	l.unsure = l.unsure || key == "" || isAboutCapture(key)
}

// closestKey returns the key that a mistyped or misplaced one probably is, or the key itself.
func closestKey(key string) string {
	if slices.Contains(keys, key) {
		return key
	}
	lower := strings.ToLower(key)
	for _, name := range []string{lower, strings.TrimPrefix(lower, "validate.")} {
		for _, known := range keys {
			if nearly(name, known) {
				return known
			}
		}
	}
	return key
}

// setIn sets a key from a file, if it counts.
func (l *loader) setIn(file, place, key string, values []string) error {
	next := l.Config
	if err := next.Set(place, key, values); err != nil {
		l.doubt(closestKey(key))
		return err
	}
	if l.userConfig != nil && !asksNoMore(key, *l.userConfig, next) {
		s := Setting{File: file, Key: key, Value: next.value(key), UserValue: l.userConfig.value(key)}
		if l.user.Allows == nil || !l.user.Allows(s) {
			l.Asks = append(l.Asks, s)
			return nil
		}
	}
	if key == keyStore {
		next.StoreByUser = l.userConfig == nil
	}
	l.Config = next
	return nil
}

// Set sets one key. Errors name the source: a file and line, an environment variable or a flag.
func (c *Config) Set(source, key string, values []string) error {
	var err error
	switch key {
	case "index":
		c.Index, err = single(values, parsePath)
	case "decisions":
		c.Decisions, err = parseGlobs(values)
	case "validate.word-count":
		c.WordCount, err = single(values, ParseRange)
	case "validate.enable":
		c.Enable, err = each(values, parseRule)
	case keyCaptureMode:
		c.CaptureMode, err = single(values, parseCaptureMode)
	case keyCaptureBudget:
		c.CaptureBudget, err = single(values, parseCount)
	case keyInjection:
		c.Injection, err = single(values, parseSwitch)
	case keyInjectionLimit:
		c.InjectionLimit, err = single(values, parseCount)
	case keyInjectionBytes:
		c.InjectionBytes, err = single(values, parseCount)
	case keyTurnCapture:
		c.TurnCapture, err = single(values, parseSwitch)
	case keyTurnDays:
		c.TurnDays, err = single(values, parseCount)
	case keyEventLog:
		c.EventLog, err = single(values, parseEventLog)
	case keyNotes:
		c.Notes, err = single(values, parseSwitch)
	case keyNotesRefresh:
		c.NotesRefresh, err = single(values, parseCount)
	case keyStore:
		c.Store, err = single(values, parseStore)
	case keyRepository:
		c.Repository, err = single(values, parseRepository)
	case keyTurnsShared:
		c.TurnsShared, err = single(values, parseSwitch)
	default:
		return unknownKey(source, key)
	}
	if err != nil {
		return &Error{Message: fmt.Sprintf("%s: bad value of %s: %v", source, key, err)}
	}
	return nil
}

// The specification of learnings gives their keys these names.
const (
	keyCaptureMode    = "memory_model_capture_mode"
	keyCaptureBudget  = "memory_silent_capture_budget"
	keyInjection      = "memory_injection_enabled"
	keyInjectionLimit = "memory_injection_limit"
	keyInjectionBytes = "memory_injection_bytes"
	keyTurnCapture    = "memory_turn_capture"
	keyTurnDays       = "memory_turn_days"
	keyEventLog       = "memory_event_log"
	keyNotes          = "memory_notes_enabled"
	keyNotesRefresh   = "memory_notes_refresh"
	keyStore          = "memory_store"
	keyRepository     = "memory_repository"
	keyTurnsShared    = "memory_turns_shared"
)

// keys are all keys, with the name of a mapping before its own.
var keys = []string{"index", "decisions", "validate.word-count", "validate.enable",
	keyCaptureMode, keyCaptureBudget, keyInjection, keyInjectionLimit, keyInjectionBytes, keyTurnCapture, keyTurnDays, keyEventLog, keyNotes, keyNotesRefresh, keyStore, keyRepository, keyTurnsShared}

func unknownKey(source, key string) error {
	if known := closestKey(key); known != key {
		return &Error{Message: fmt.Sprintf("%s: unknown key %q: did you mean %s?", source, key, known)}
	}
	return &Error{Message: fmt.Sprintf("%s: unknown key %q: known keys are index, decisions, below validate word-count and enable, and %s",
		source, key, strings.Join(keys[4:], ", "))}
}

// nearly reports whether a key is a known one with a slip: at most two letters that are wrong,
// missing, extra or misplaced.
func nearly(key, known string) bool {
	front := 0
	for front < min(len(key), len(known)) && key[front] == known[front] {
		front++
	}
	key, known = key[front:], known[front:]
	for len(key) > 0 && len(known) > 0 && key[len(key)-1] == known[len(known)-1] {
		key, known = key[:len(key)-1], known[:len(known)-1]
	}
	return len(key) <= 2 && len(known) <= 2
}

func single[T any](values []string, parse func(string) (T, error)) (T, error) {
	if len(values) != 1 {
		var zero T
		return zero, fmt.Errorf("it takes one value, not %d", len(values))
	}
	return parse(values[0])
}

func each[T any](values []string, parse func(string) (T, error)) ([]T, error) {
	parsed := make([]T, len(values))
	for i, v := range values {
		var err error
		if parsed[i], err = parse(v); err != nil {
			return nil, err
		}
	}
	return parsed, nil
}

// parsePath reads a path from the root of the repository.
func parsePath(value string) (string, error) {
	cleaned := path.Clean(filepath.ToSlash(value))
	if value == "" || cleaned == "." || !fs.ValidPath(cleaned) {
		return "", fmt.Errorf("%q is not a path inside the repository: write it relative to its root, as in %s", value, DefaultIndex)
	}
	if worktree.InGit(filepath.ToSlash(value)) {
		return "", fmt.Errorf("%q is in a git directory: name a file of the repository, as in %s", value, DefaultIndex)
	}
	if strings.ContainsFunc(value, text.IsUnseen) {
		return "", fmt.Errorf("%q holds a line break or a control character: rename the file", value)
	}
	return cleaned, nil
}

// parseGlobs reads the globs of the decision files, which together have no more alternatives than
// one glob may.
func parseGlobs(values []string) ([]string, error) {
	if len(values) == 0 {
		return nil, errors.New("the list is empty")
	}
	var globs []string
	alternatives := 0
	for _, value := range values {
		cleaned, err := parsePath(value)
		if err != nil {
			return nil, err
		}
		g, err := worktree.ParseGlob(cleaned)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(g.Names(), worktree.InGit) {
			return nil, fmt.Errorf("%q leads into a git directory: name files of the repository, as in agents/decisions/*.md", value)
		}
		if alternatives += g.Alternatives(); alternatives > worktree.MaxAlternatives {
			return nil, fmt.Errorf("the globs, with their braces, stand for more than %d patterns: write fewer", worktree.MaxAlternatives)
		}
		globs = append(globs, cleaned)
	}
	return globs, nil
}

// ParseRange reads a range of positive numbers as in "8..20".
func ParseRange(value string) (Range, error) {
	low, high, found := strings.Cut(value, "..")
	least, err1 := strconv.Atoi(low)
	most, err2 := strconv.Atoi(high)
	if !found || err1 != nil || err2 != nil || least < 1 || most < least {
		return Range{}, fmt.Errorf("%q is not a range: write the minimum and the maximum, as in 8..20", value)
	}
	return Range{least, most}, nil
}

func parseRule(value string) (string, error) {
	if value == "" {
		return "", errors.New("the name of a rule is missing")
	}
	return value, nil
}

// parseCaptureMode reads a mode, ignoring spaces. An earlier tool advised its users to write
// "disabled" for off.
func parseCaptureMode(value string) (string, error) {
	mode := strings.Join(strings.Fields(value), "")
	if mode == "disabled" {
		mode = "off"
	}
	if !slices.Contains(CaptureModes, mode) {
		return "", fmt.Errorf("%q is not a mode: use %s", value, strings.Join(CaptureModes, ", "))
	}
	return mode, nil
}

func parseEventLog(value string) (string, error) {
	if !slices.Contains(EventLogs, value) {
		return "", fmt.Errorf("%q is unknown: use %s", value, strings.Join(EventLogs, ", "))
	}
	return value, nil
}

func parseCount(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a count: write 0 or more", value)
	}
	return n, nil
}

func parseSwitch(value string) (bool, error) {
	if value != "true" && value != "false" {
		return false, fmt.Errorf("write true or false, not %q", value)
	}
	return value == "true", nil
}
