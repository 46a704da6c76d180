package hooks

import (
	"whence/internal/dispatch"
	"whence/migrate"
	"whence/remember"
	"whence/validate"
	"whence/when"
)

// handlers returns the handlers of all programs, in the order of their parts of a reply. What is
// recalled comes last. Events without a handler are ignored.
func handlers() dispatch.Handlers {
	return dispatch.Combine(settingsHooks(), remember.Sessions(), validate.Hooks(), migrate.Hooks(), notesHooks(), dispatch.RecallHandlers(when.AnswerQueries, when.Find, remember.Find))
}
