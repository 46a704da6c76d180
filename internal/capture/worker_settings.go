package capture

import (
	"errors"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/store"
	"whence/internal/worktree"
)

// settings reads whether capture is on, once for each folder.
type settings struct {
	getenv func(string) string
	known  map[string]bool // by folder
}

// newSettings returns the settings of the user whose folder home is. An agent has started the worker,
// which reads transcripts of others too: its variables do not count.
func newSettings(home string, getenv func(string) string) settings {
	ofUser := func(name string) string {
		if name == "WHENCE_HOME" {
			return home
		}
		if strings.HasPrefix(name, "WHENCE_") || strings.HasPrefix(name, "GIT_") {
			return ""
		}
		return getenv(name)
	}
	return settings{ofUser, map[string]bool{}}
}

// capture reports whether what is new in a transcript is captured. The user may have switched it off
// since the last event. If the settings cannot be read, the transcript waits until they can.
func (s settings) capture(t store.Transcript) (bool, error) {
	if !t.Capture {
		return false, nil
	}
	on, known := s.known[t.Cwd]
	if known {
		return on, nil
	}
	tree, err := worktree.Open(cli.Root(t.Cwd))
	if err != nil && !isGone(err) {
		return false, err
	}
	if tree != nil {
		defer tree.Close()
	}
	c, err := config.Load(tree, s.getenv)
	if wrong := (*config.Error)(nil); errors.As(err, &wrong) && wrong.Capture {
		return false, err
	}
	s.known[t.Cwd] = c.TurnCapture
	return c.TurnCapture, nil
}
