package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"whence/internal/text"
	"whence/internal/worktree"
)

// key is a key of the settings.
type key struct {
	name      string            // with the name of a mapping before its own
	field     func(*Config) any // a pointer to its field
	parse     func(string) (string, error)
	parseList func([]string) ([]string, error)
	choices   []string // of a string, in increasing order
	variable  string   // of the environment, which sets it too
	// asksMore reports whether a file of a repository needs permission for a value: it asks for more
	// than the user has set. Both are numbers as value returns them. Nil: no value needs permission.
	asksMore func(value, userValue int) bool
	userOnly bool // only the user's own file may set it
}

// The specification of learnings gives their keys these names.
const (
	keyCaptureMode   = "memory_model_capture_mode"
	keyCaptureBudget = "memory_silent_capture_budget"
	keyTurnCapture   = "memory_turn_capture"
	keyTurnDays      = "memory_turn_days"
	keyNotes         = "memory_notes_enabled"
)

// keys are all keys. More is what is captured or stored unasked, for longer or for others, and what
// takes more of an agent's context.
var keys = []key{
	{name: "index", field: func(c *Config) any { return &c.Index }, parse: parsePath, variable: "WHENCE_INDEX"},
	{name: "decisions", field: func(c *Config) any { return &c.Decisions }, parseList: parseGlobs, variable: "WHENCE_DECISIONS"},
	{name: "documents", field: func(c *Config) any { return &c.Documents }, parseList: parseGlobs},
	{name: "validate.word-count", field: func(c *Config) any { return &c.WordCount }},
	{name: "validate.enable", field: func(c *Config) any { return &c.Enable }, parseList: parseRules},
	{name: keyCaptureMode, field: func(c *Config) any { return &c.CaptureMode }, parse: parseCaptureMode, choices: captureModes, variable: "WHENCE_CAPTURE_MODE", asksMore: isMore},
	{name: keyCaptureBudget, field: func(c *Config) any { return &c.CaptureBudget }, variable: "WHENCE_CAPTURE_BUDGET", asksMore: isMore},
	{name: "memory_injection_enabled", field: func(c *Config) any { return &c.Injection }, asksMore: isMore},
	{name: "memory_injection_limit", field: func(c *Config) any { return &c.InjectionLimit }, asksMore: isMore},
	{name: keyTurnCapture, field: func(c *Config) any { return &c.TurnCapture }, asksMore: isMore},
	{name: keyTurnDays, field: func(c *Config) any { return &c.TurnDays }, asksMore: isOther}, // fewer would delete what the user keeps
	{name: keyNotes, field: func(c *Config) any { return &c.Notes }, asksMore: isMore},
	{name: "memory_notes_refresh", field: func(c *Config) any { return &c.NotesRefresh }, asksMore: isMoreOften},
	{name: "memory_embedding_url", field: func(c *Config) any { return &c.EmbeddingURL }, parse: parseAny, userOnly: true},
	{name: "memory_embedding_model", field: func(c *Config) any { return &c.EmbeddingModel }, parse: parseAny, userOnly: true},
}

// captureModes are in increasing order.
var captureModes = []string{"off", "ask-first", "silent"}

func isMore(value, userValue int) bool  { return value > userValue }
func isOther(value, userValue int) bool { return value != userValue }

// isMoreOften compares numbers of calls between two showings; 0 is never.
func isMoreOften(value, userValue int) bool {
	return value > 0 && (userValue == 0 || value < userValue)
}

// keyNamed returns the key with a name, or nil.
func keyNamed(name string) *key {
	i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return &keys[i]
}

// Set sets one key. Errors name the source: a file and line, an environment variable or a flag.
func (c *Config) Set(source, name string, values []string) error {
	k := keyNamed(name)
	if k == nil {
		return unknownKey(source, name)
	}
	if err := k.set(c, values); err != nil {
		return &Error{Message: fmt.Sprintf("%s: bad value of %s: %v", source, name, err)}
	}
	return nil
}

func (k *key) set(c *Config, values []string) (err error) {
	if k.parseList == nil && len(values) != 1 {
		return fmt.Errorf("it takes one value, not %d", len(values))
	}
	switch field := k.field(c).(type) {
	case *[]string:
		*field, err = k.parseList(values)
	case *string:
		*field, err = k.parse(values[0])
	case *int:
		*field, err = parseCount(values[0])
	case *bool:
		*field, err = parseSwitch(values[0])
	case *Range:
		*field, err = ParseRange(values[0])
	}
	return err
}

// value returns the value of a key that may need permission: in its usual form, and as a number.
func (k *key) value(c *Config) (string, int) {
	switch field := k.field(c).(type) {
	case *bool:
		if *field {
			return "true", 1
		}
		return "false", 0
	case *int:
		return strconv.Itoa(*field), *field
	case *string:
		return *field, slices.Index(k.choices, *field)
	}
	panic(k.name + " needs no permission")
}

// closestKey returns the name of the key that a mistyped or misplaced one probably is, or the name
// itself.
func closestKey(name string) string {
	if keyNamed(name) != nil {
		return name
	}
	lower := strings.ToLower(name)
	for _, known := range keys {
		if nearly(lower, known.name) || nearly(strings.TrimPrefix(lower, "validate."), known.name) {
			return known.name
		}
	}
	return name
}

func unknownKey(source, name string) error {
	if known := closestKey(name); known != name {
		return &Error{Message: fmt.Sprintf("%s: unknown key %s: did you mean %s?", source, text.Quoted(name), known)}
	}
	var known []string
	for _, k := range keys {
		if !strings.HasPrefix(k.name, "validate.") {
			known = append(known, k.name)
		}
	}
	return &Error{Message: fmt.Sprintf("%s: unknown key %s: known keys are %s, and below validate word-count and enable",
		source, text.Quoted(name), strings.Join(known, ", "))}
}

// nearly reports whether a key is a known one with a slip: at most two letters that are wrong,
// missing, extra or misplaced.
func nearly(key, known string) bool {
	for key != "" && known != "" && key[0] == known[0] {
		key, known = key[1:], known[1:]
	}
	for key != "" && known != "" && key[len(key)-1] == known[len(known)-1] {
		key, known = key[:len(key)-1], known[:len(known)-1]
	}
	return len(key) <= 2 && len(known) <= 2
}

// parsePath reads a path from the root of the repository.
func parsePath(value string) (string, error) {
	cleaned := path.Clean(filepath.ToSlash(value))
	if value == "" || cleaned == "." || !fs.ValidPath(cleaned) {
		return "", fmt.Errorf("%s is not a path inside the repository: write it relative to its root, as in %s", text.Quoted(value), DefaultIndex)
	}
	if worktree.InGit(filepath.ToSlash(value)) {
		return "", fmt.Errorf("%s is in a git directory: name a file of the repository, as in %s", text.Quoted(value), DefaultIndex)
	}
	if strings.ContainsFunc(value, text.IsUnseen) {
		return "", fmt.Errorf("%s holds a line break or a control character: rename the file", text.Quoted(value))
	}
	return cleaned, nil
}

// MaxGlobs is the number of globs that a setting may have. It bounds what a repository can cost.
const MaxGlobs = 64

// parseGlobs reads the globs of the decision files.
func parseGlobs(values []string) ([]string, error) {
	if len(values) == 0 {
		return nil, errors.New("the list is empty")
	}
	if len(values) > MaxGlobs {
		return nil, fmt.Errorf("it has %d globs: at most %d are allowed", len(values), MaxGlobs)
	}
	var globs []string
	for _, value := range values {
		cleaned, err := parsePath(value)
		if err != nil {
			return nil, err
		}
		if _, err := worktree.ParseGlob(cleaned); err != nil {
			return nil, err
		}
		globs = append(globs, cleaned)
	}
	return globs, nil
}

// ParseRange reads a range of positive numbers as in "8..20".
func ParseRange(value string) (Range, error) {
	low, high, found := strings.Cut(value, "..")
	minimum, err1 := strconv.Atoi(low)
	maximum, err2 := strconv.Atoi(high)
	if !found || err1 != nil || err2 != nil || minimum < 1 || maximum < minimum {
		return Range{}, fmt.Errorf("%s is not a range: write the minimum and the maximum, as in 8..20", text.Quoted(value))
	}
	return Range{minimum, maximum}, nil
}

func parseRules(values []string) ([]string, error) {
	if slices.Contains(values, "") {
		return nil, errors.New("the name of a rule is missing")
	}
	return values, nil
}

// parseCaptureMode reads a mode, ignoring spaces. An earlier tool advised its users to write
// "disabled" for off.
func parseCaptureMode(value string) (string, error) {
	mode := strings.Join(strings.Fields(value), "")
	if mode == "disabled" {
		mode = "off"
	}
	if !slices.Contains(captureModes, mode) {
		return "", fmt.Errorf("%s is unknown: use %s", text.Quoted(mode), strings.Join(captureModes, ", "))
	}
	return mode, nil
}

// parseAny accepts every value: the reader of the setting checks it.
func parseAny(value string) (string, error) { return value, nil }

func parseCount(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s is not a count: write 0 or more", text.Quoted(value))
	}
	return n, nil
}

func parseSwitch(value string) (bool, error) {
	if value != "true" && value != "false" {
		return false, fmt.Errorf("write true or false, not %s", text.Quoted(value))
	}
	return value == "true", nil
}
