package hooks

import (
	"context"
	"errors"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/inert"
	"whence/internal/store"
	"whence/internal/words"
)

// settingsHooks returns handlers that report, when a session begins, settings that cannot be read,
// and once what a repository asks for.
func settingsHooks() dispatch.Handlers {
	return dispatch.Handlers{agent.SessionStart: {{Run: reportSettings}}}
}

func reportSettings(ctx context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	var lines string
	if r.SettingsError != nil {
		end := agent.SettingsEnd
		var wrong *config.Error
		if errors.As(r.SettingsError, &wrong) && wrong.Capture {
			end = agent.CaptureEnd
		}
		lines = agent.SettingsHead + words.Clip(inert.Line(r.SettingsError.Error()), maxErrorChars) + end + "\n"
	}
	asks, note := newAsks(ctx, r)
	if len(asks) > 0 {
		lines += agent.SettingsHead + "this repository asks for " + inert.Line(strings.Join(asks, ", ")) + agent.AsksEnd + "\n"
	}
	if lines == "" || !r.Config.Injection {
		return nil, nil
	}
	return func(s *dispatch.Session) agent.Reply {
		if len(asks) > 0 {
			s.After(note)
		}
		return agent.Reply{Context: lines}
	}, nil
}

// maxErrorChars bounds what is shown of an error in settings: a repository's file may hold anything.
const maxErrorChars = 500

// newAsks returns what the repository of an event asks for beyond what the user has set, unless that was shown
// before, and what notes in the store that it was.
func newAsks(ctx context.Context, r *dispatch.Request) (asks []string, note func(context.Context) error) {
	for _, a := range r.Config.Asks {
		if line := a.Source + ": " + a.String(); !slices.Contains(asks, line) {
			asks = append(asks, line)
		}
	}
	scope, err := cli.ScopeOf(r.Cwd, r.Env.Dir)
	if len(asks) == 0 || r.Home == "" || err != nil {
		return asks, func(context.Context) error { return nil }
	}
	key := "asks " + scope.Turns
	var shown []string
	if s, err := store.OpenReadOnly(store.ForEvent(ctx), r.Home); err == nil {
		_, _ = s.Noted(ctx, key, &shown) // else it is shown again
		_ = s.Close()
	}
	if !slices.ContainsFunc(asks, func(a string) bool { return !slices.Contains(shown, a) }) {
		return nil, nil
	}
	return asks, func(ctx context.Context) error {
		s, err := store.OpenExisting(store.ForEvent(ctx), r.Home)
		if errors.Is(err, store.ErrNone) {
			return nil
		}
		if err != nil {
			return err
		}
		return errors.Join(s.Note(ctx, key, asks), s.Close())
	}
}
