package config

import (
	"fmt"
	"slices"
	"strconv"
)

// Setting is a setting that a file of a repository asks for.
type Setting struct {
	File      string // ProjectFile or LocalFile
	Key       string
	Value     string // in its usual form
	UserValue string // the user's own value
}

// String is the setting as a line of the file.
func (s Setting) String() string { return s.Key + ": " + s.Value }

// ReachesOthers reports whether a setting has effects outside of the folder whose file asks for
// it: learnings that are made outside of any repository hold in all, and a team shares what it
// is sent.
func (s Setting) ReachesOthers() bool {
	return s.Key == keyCaptureMode || s.Key == keyCaptureBudget || s.Key == keyTurnsShared
}

// asksNoMore reports whether a file of a repository may set a key to its value in next without
// permission: it asks for no more than the user has set. More is what is captured or stored unasked,
// for longer or for others, and what takes more of an agent's context.
func asksNoMore(key string, own, next Config) bool {
	switch key {
	case keyCaptureMode:
		return slices.Index(captureOrder, next.CaptureMode) <= slices.Index(captureOrder, own.CaptureMode)
	case keyCaptureBudget:
		return next.CaptureBudget <= own.CaptureBudget
	case keyInjection:
		return !next.Injection || own.Injection
	case keyInjectionLimit:
		return next.InjectionLimit <= own.InjectionLimit
	case keyInjectionBytes:
		return next.InjectionBytes <= own.InjectionBytes
	case keyTurnCapture:
		return !next.TurnCapture || own.TurnCapture
	case keyTurnDays: // fewer would delete what the user keeps
		return next.TurnDays == own.TurnDays
	case keyEventLog:
		return slices.Index(eventLogOrder, next.EventLog) <= slices.Index(eventLogOrder, own.EventLog)
	case keyNotes:
		return !next.Notes || own.Notes
	case keyNotesRefresh:
		return next.NotesRefresh == 0 || own.NotesRefresh > 0 && next.NotesRefresh >= own.NotesRefresh
	case keyTurnsShared:
		return !next.TurnsShared || own.TurnsShared
	}
	return true
}

// LongerTurnDays returns the number of days for which a file of the repository asks to keep
// turns. It reports false if the file asks for no longer than the user has set, or is allowed to.
func (c Config) LongerTurnDays() (days int, asks bool) {
	for _, s := range c.Asks { // the last one counts
		if s.Key == keyTurnDays {
			days, _ = strconv.Atoi(s.Value)
			asks = days == 0 || c.TurnDays > 0 && days > c.TurnDays
		}
	}
	return days, asks
}

// The values of settings, in increasing order.
var (
	captureOrder  = []string{"off", "ask-first", "silent"}
	eventLogOrder = []string{"off", "events", "prompts"}
)

// value returns the value of a key that asksNoMore restricts.
func (c Config) value(key string) string {
	switch key {
	case keyCaptureMode:
		return c.CaptureMode
	case keyCaptureBudget:
		return strconv.Itoa(c.CaptureBudget)
	case keyInjection:
		return strconv.FormatBool(c.Injection)
	case keyInjectionLimit:
		return strconv.Itoa(c.InjectionLimit)
	case keyInjectionBytes:
		return strconv.Itoa(c.InjectionBytes)
	case keyTurnCapture:
		return strconv.FormatBool(c.TurnCapture)
	case keyTurnDays:
		return strconv.Itoa(c.TurnDays)
	case keyEventLog:
		return c.EventLog
	case keyNotes:
		return strconv.FormatBool(c.Notes)
	case keyNotesRefresh:
		return strconv.Itoa(c.NotesRefresh)
	case keyTurnsShared:
		return strconv.FormatBool(c.TurnsShared)
	}
	panic(fmt.Sprintf("%s needs no permission", key))
}

// isAboutCapture reports whether a key says whether, or into which store, something is captured.
func isAboutCapture(key string) bool {
	return slices.Contains([]string{keyTurnCapture, keyStore, keyRepository, keyTurnsShared}, key)
}

// restrict makes sure that nothing is captured or logged because a setting that may forbid it cannot
// be read. Key "" means all of a file.
func (c *Config) restrict(key string) {
	if key == "" || key == keyTurnCapture {
		c.TurnCapture = false
	}
	if key == "" || key == keyEventLog {
		c.EventLog = "off"
	}
	if (key == "" || key == keyCaptureMode) && c.CaptureMode == "silent" {
		c.CaptureMode = "ask-first"
	}
	if key == "" || key == keyTurnsShared {
		c.TurnsShared = false
	}
}
