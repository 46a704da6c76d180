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

// answers are what the programs do at each event, in the order in which it is shown. Items are
// ranked together, whether decisions or learnings, and come last: they make room for the rest.
// Events without an answer are ignored.
func answers() dispatch.Handlers {
	return dispatch.Join(settingsHooks(), remember.Sessions(), validate.Hooks(), migrate.Hooks(), notesHooks(), dispatch.RecallHandlers(when.Asked, finders...))
}
