package hooks

import (
	"whence/internal/hook"
	"whence/migrate"
	"whence/remember"
	"whence/validate"
	"whence/when"
)

// finders find what applies, whoever keeps it.
var finders = []hook.Finder{when.Find, remember.Find}

// answers are what the programs do at each event, in the order in which it is told. What
// applies is ranked together, whether it was decided or learned, and stands last: it makes
// room for the rest. Events without an answer are passed over.
func answers() hook.Answers {
	return hook.Join(settingsHooks(), remember.Sessions(), validate.Hooks(), migrate.Hooks(), notesHooks(), hook.Recalls(when.Asked, finders...))
}
