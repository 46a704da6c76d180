package hooks

import (
	"whence/internal/dispatch"
	"whence/migrate"
	"whence/remember"
	"whence/validate"
	"whence/when"
)

// finders find decisions, learnings and turns that apply.
var finders = []dispatch.Recaller{when.Find, remember.Find}

// answers returns the handlers of all programs, in the order of their parts of a reply. What is
// recalled is ranked together, and comes last, in the room that the rest leaves. Events without a
// handler are ignored.
func answers() dispatch.Handlers {
	return dispatch.Join(settingsHooks(), remember.Sessions(), validate.Hooks(), migrate.Hooks(), notesHooks(), dispatch.RecallHandlers(when.AnswerQueries, finders...))
}
