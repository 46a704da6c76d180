package hooks

import (
	"context"
	"errors"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/inert"
	"whence/internal/words"
)

// settingsHooks returns the handler that reports settings that cannot be read when a session begins.
func settingsHooks() dispatch.Handlers {
	return dispatch.Handlers{agent.SessionStart: {{Run: reportSettings}}}
}

func reportSettings(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if r.SettingsError == nil || !r.Config.Injection {
		return nil, nil
	}
	end := agent.SettingsEnd
	var wrong *config.Error
	if errors.As(r.SettingsError, &wrong) && wrong.Capture {
		end = agent.CaptureEnd
	}
	line := agent.SettingsHead + words.Clip(inert.Line(r.SettingsError.Error()), maxErrorChars) + end + "\n"
	return func(*dispatch.Session) agent.Reply { return agent.Reply{Context: line} }, nil
}

// maxErrorChars bounds the part of a settings error that is shown, since a repository's file may hold anything.
const maxErrorChars = 500
