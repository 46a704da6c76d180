package hooks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/text"
)

// settingsHooks returns handlers that report, when a session begins, settings that cannot be read,
// and once what a repository asks for.
func settingsHooks() dispatch.Handlers {
	return dispatch.Handlers{agent.SessionStart: {{Run: reportSettings}}}
}

func reportSettings(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	var lines string
	if r.SettingsError != nil {
		end := text.SettingsEnd
		var wrong *config.Error
		if errors.As(r.SettingsError, &wrong) && wrong.Capture {
			end = text.CaptureEnd
		}
		lines = text.SettingsHead + dispatch.Clip(text.InertLine(r.SettingsError.Error()), maxErrorChars) + end + "\n"
	}
	repository, asks := newAsks(r)
	if len(asks) > 0 {
		lines += text.SettingsHead + "this repository asks for " + strings.Join(asks, ", ") + text.AllowEnd + "\n"
	}
	if lines == "" || !r.Config.Injection {
		return nil, nil
	}
	return func(s *dispatch.Session) agent.Reply {
		if len(asks) > 0 {
			s.After(func(context.Context) error { return config.MarkShown(r.Home, repository, asks) })
		}
		return agent.Reply{Context: lines}
	}, nil
}

// maxErrorChars bounds what is shown of an error in settings: a repository's file may hold anything.
const maxErrorChars = 500

// newAsks returns the settings that the repository of an event asks for, unless the user has been
// shown them.
func newAsks(req *dispatch.Request) (repository string, asks []string) {
	if len(req.Config.Asks) == 0 || req.Home == "" {
		return "", nil
	}
	asks = settingsOf(req.Config.Asks)
	repository = config.RepositoryOf(req.Root)
	record, err := config.PermissionOf(req.Home, repository)
	if err == nil && !slices.ContainsFunc(asks, func(a string) bool { return !slices.Contains(record.Shown, a) }) {
		return repository, nil
	}
	return repository, asks
}

// settingsOf returns settings as they are stored and shown, without duplicates.
func settingsOf(asks []config.Setting) (all []string) {
	for _, a := range asks {
		if !slices.Contains(all, a.String()) {
			all = append(all, a.String())
		}
	}
	return all
}

// meanings explains the settings that need permission.
var meanings = map[string]string{
	"memory_model_capture_mode":    "whether agents may store learnings: off, ask-first, or silent (without asking you)",
	"memory_silent_capture_budget": "how many learnings an agent may store unasked in one session",
	"memory_injection_enabled":     "whether agents are shown what was decided and learned",
	"memory_injection_limit":       "how many learnings are shown when a session begins",
	"memory_turn_capture":          "whether sessions are captured",
	"memory_turn_days":             "for how many days turns are kept; 0 is forever",
	"memory_notes_enabled":         "whether notes of what agents do are kept in .memory/",
	"memory_notes_refresh":         "after how many tool calls an agent is shown the notes again",
	"memory_turns_shared":          "whether your team can search the sessions of this repository",
	"ignored_memory":               "whether Markdown that git ignores is memory",
}

// settingLine returns a setting with its meaning.
func settingLine(setting string) string {
	key, _, _ := strings.Cut(setting, ":")
	return strings.TrimRight(fmt.Sprintf("  %-38s  %s", setting, meanings[key]), " ")
}
