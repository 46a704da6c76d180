package config

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"whence/internal/decision"
	"whence/internal/inert"
	"whence/internal/words"
	"whence/internal/worktree"
)

// key is a key of the settings.
type key struct {
	name     string                       // with its mapping, as in validate.enable
	field    func(*Config) any            // returns a pointer to the field that it sets
	parse    func(string) (string, error) // reads a string, or an item of a list
	variable string                       // the environment variable that also sets it; "": none
	onlyIn   string                       // the only file that may set it; "": any may
	// asksMore reports whether a value asks for more than the limits, which a repository may not do. Nil: no value does.
	asksMore func(c, limits *Config) bool
}

// Names of keys. Those with memory_ are from the specification of learnings.
const (
	validate         = "validate" // the mapping of the keys that begin with it
	keyStatuses      = "statuses" // a mapping
	keyCaptureMode   = "memory_model_capture_mode"
	keyCaptureBudget = "memory_silent_capture_budget"
	keyTurnCapture   = "memory_turn_capture"
	keyIgnoredMemory = "ignored_memory"
)

// keys lists all keys. A value asks for more if more is captured or stored unasked, for longer or for others, or if it
// takes more of an agent's context.
var keys = []key{
	{name: "index", field: func(c *Config) any { return &c.Index }, parse: parsePath, variable: "WHENCE_INDEX"},
	{name: "decisions", field: func(c *Config) any { return &c.Decisions }, parse: parseGlob, variable: "WHENCE_DECISIONS"},
	{name: "documents", field: func(c *Config) any { return &c.Documents }, parse: parseGlob},
	{name: keyStatuses, field: func(c *Config) any { return &c.Statuses }, parse: parseStatus},
	{name: "validate.word-count", field: func(c *Config) any { return &c.WordCount }},
	{name: "validate.enable", field: func(c *Config) any { return &c.Enable }, parse: parseAny},
	{name: keyCaptureMode, field: func(c *Config) any { return &c.CaptureMode }, parse: parseCaptureMode, variable: "WHENCE_CAPTURE_MODE",
		asksMore: func(c, limits *Config) bool {
			return slices.Index(captureModes, c.CaptureMode) > slices.Index(captureModes, limits.CaptureMode)
		}},
	{name: keyCaptureBudget, field: func(c *Config) any { return &c.CaptureBudget }, variable: "WHENCE_CAPTURE_BUDGET",
		asksMore: func(c, limits *Config) bool { return c.CaptureBudget > limits.CaptureBudget }},
	{name: "memory_injection_enabled", field: func(c *Config) any { return &c.Injection },
		asksMore: func(c, limits *Config) bool { return c.Injection && !limits.Injection }},
	{name: "memory_injection_limit", field: func(c *Config) any { return &c.InjectionLimit },
		asksMore: func(c, limits *Config) bool { return c.InjectionLimit > limits.InjectionLimit }},
	{name: keyTurnCapture, field: func(c *Config) any { return &c.TurnCapture },
		asksMore: func(c, limits *Config) bool { return c.TurnCapture && !limits.TurnCapture }},
	{name: "memory_turn_days", field: func(c *Config) any { return &c.TurnDays },
		asksMore: func(c, limits *Config) bool { return c.TurnDays != limits.TurnDays }}, // fewer days would delete turns that the user keeps
	{name: "memory_history_enabled", field: func(c *Config) any { return &c.History },
		asksMore: func(c, limits *Config) bool { return c.History && !limits.History }},
	{name: "memory_notes_enabled", field: func(c *Config) any { return &c.Notes },
		asksMore: func(c, limits *Config) bool { return c.Notes && !limits.Notes }},
	{name: "memory_notes_refresh", field: func(c *Config) any { return &c.NotesRefresh },
		asksMore: func(c, limits *Config) bool { // a lower value is more often; 0 is never
			return c.NotesRefresh > 0 && (limits.NotesRefresh == 0 || c.NotesRefresh < limits.NotesRefresh)
		}},
	{name: keyIgnoredMemory, field: func(c *Config) any { return &c.IgnoredMemory }, onlyIn: LocalFile,
		asksMore: func(c, limits *Config) bool { return c.IgnoredMemory && !limits.IgnoredMemory }},
	{name: "memory_embedding_url", field: func(c *Config) any { return &c.EmbeddingURL }, parse: parseAny, onlyIn: UserFile},
	{name: "memory_embedding_model", field: func(c *Config) any { return &c.EmbeddingModel }, parse: parseAny, onlyIn: UserFile},
}

// captureModes lists the capture modes, from the one that stores least to the one that stores most.
var captureModes = []string{"off", "ask-first", "silent"}

// keyNamed returns the key with a name; nil if there is none.
func keyNamed(name string) *key {
	i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return &keys[i]
}

// Set sets one key. Errors name the source: a file with the line, an environment variable or a flag.
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
	if list, isList := k.field(c).(*[]string); isList {
		return k.setList(list, values)
	}
	if len(values) != 1 {
		return fmt.Errorf("it takes one value, not %d", len(values))
	}
	switch field := k.field(c).(type) {
	case *string:
		*field, err = k.parse(values[0])
	case *int:
		*field, err = parseCount(values[0])
	case *bool:
		*field, err = parseSwitch(values[0])
	case *Range:
		*field, err = parseRange(values[0])
	}
	return err
}

// MaxItems is the maximum number of items in a list. It bounds the time that a repository can cost.
const MaxItems = 64

func (k *key) setList(list *[]string, values []string) error {
	if len(values) > MaxItems {
		return fmt.Errorf("it has %d items: at most %d are allowed", len(values), MaxItems)
	}
	items := []string{}
	for _, value := range values {
		item, err := k.parse(value)
		if err != nil {
			return err
		}
		items = append(items, item)
	}
	*list = items
	return nil
}

// value returns the value of a key in its usual form.
func (k *key) value(c *Config) string { return fmt.Sprint(reflect.ValueOf(k.field(c)).Elem()) }

// closestKey returns the name of the key that a mistyped, shortened or misplaced name probably means, or the name
// itself.
func closestKey(name string) string {
	folded := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(name))
	for _, k := range keys {
		for _, known := range []string{strings.ToLower(name), strings.TrimPrefix(strings.ToLower(name), validate+"."), folded} {
			isEnd := strings.Contains(known, "_") && strings.HasSuffix(k.name, "_"+known)
			if known == k.name || isEnd || words.OneTypo(known, k.name) {
				return k.name
			}
		}
	}
	return name
}

func unknownKey(source, name string) error {
	if known := closestKey(name); known != name {
		return &Error{Message: fmt.Sprintf("%s: unknown key %s: did you mean %s?", source, inert.Quoted(name), known)}
	}
	var known []string
	for _, k := range keys {
		known = append(known, k.name)
	}
	return &Error{Message: fmt.Sprintf("%s: unknown key %s: known keys are %s", source, inert.Quoted(name), strings.Join(known, ", "))}
}

// parsePath reads a path relative to the root of the repository.
func parsePath(value string) (string, error) {
	cleaned := path.Clean(filepath.ToSlash(value))
	if value == "" || cleaned == "." || !fs.ValidPath(cleaned) {
		return "", fmt.Errorf("%s is not a path inside the repository: write it relative to its root, as in %s", inert.Quoted(value), DefaultIndex)
	}
	if worktree.InGit(filepath.ToSlash(value)) {
		return "", fmt.Errorf("%s is in a git directory: name a file of the repository, as in %s", inert.Quoted(value), DefaultIndex)
	}
	if strings.ContainsFunc(value, inert.IsUnseen) {
		return "", fmt.Errorf("%s holds a line break or a control character: rename the file", inert.Quoted(value))
	}
	return cleaned, nil
}

// parseGlob reads a glob of files relative to the root of the repository.
func parseGlob(value string) (string, error) {
	cleaned, err := parsePath(value)
	if err == nil {
		_, err = worktree.ParseGlob(cleaned)
	}
	return cleaned, err
}

// parseRange reads a range of positive numbers, such as "8..20".
func parseRange(value string) (Range, error) {
	low, high, found := strings.Cut(value, "..")
	minimum, err1 := strconv.Atoi(low)
	maximum, err2 := strconv.Atoi(high)
	if !found || err1 != nil || err2 != nil || minimum < 1 || maximum < minimum {
		return Range{}, fmt.Errorf("%s is not a range: write the minimum and the maximum, as in 8..20", inert.Quoted(value))
	}
	return Range{minimum, maximum}, nil
}

func parseCaptureMode(value string) (string, error) {
	value = strings.ReplaceAll(value, " ", "")
	if value == "disabled" || isWordOf(falseWords, value) {
		value = captureModes[0]
	}
	if !slices.Contains(captureModes, value) {
		return "", fmt.Errorf("%s is unknown: use %s", inert.Quoted(value), strings.Join(captureModes, ", "))
	}
	return value, nil
}

// parseStatus checks a phrase of a status and what it means, such as "Mothballed: superseded".
func parseStatus(item string) (string, error) {
	phrase, kind := cutStatus(item)
	return item, decision.Statuses{}.Add(phrase, kind)
}

// cutStatus splits an item into a phrase of a status and what it means.
func cutStatus(item string) (phrase, kind string) {
	at := strings.LastIndex(item, ": ")
	if at < 0 {
		return item, ""
	}
	return item[:at], item[at+len(": "):]
}

// parseAny accepts every value; the code that uses the setting checks it.
func parseAny(value string) (string, error) { return value, nil }

func parseCount(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s is not a count: write 0 or more", inert.Quoted(value))
	}
	return n, nil
}

// The words of YAML for booleans, see https://yaml.org/type/bool.html. Each may also be written Thus or THUS.
var (
	trueWords  = []string{"true", "yes", "on", "y"}
	falseWords = []string{"false", "no", "off", "n"}
)

func parseSwitch(value string) (bool, error) {
	switch {
	case isWordOf(trueWords, value):
		return true, nil
	case isWordOf(falseWords, value):
		return false, nil
	}
	return false, fmt.Errorf("write true or false, not %s", inert.Quoted(value))
}

// isWordOf reports whether a value is one of YAML's words, in lower case, in upper case or capitalized.
func isWordOf(words []string, value string) bool {
	lower := strings.ToLower(value)
	if value == "" || !slices.Contains(words, lower) {
		return false
	}
	return value == lower || value == strings.ToUpper(value) || value == strings.ToUpper(value[:1])+lower[1:]
}

// speaksOfCapture reports whether a name that is not a key may be meant to decide what is captured, however it is
// spelled or nested.
func speaksOfCapture(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "captur") || strings.Contains(name, "turn") || closestKey(name) == keyTurnCapture
}
