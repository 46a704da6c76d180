package learning

// Source is where a learning comes from.
type Source string

// The sources.
const (
	Import         Source = "import"          // a file of learnings
	Manual         Source = "manual"          // written by a person
	Retro          Source = "retro"           // looking back at finished work
	SessionCapture Source = "session-capture" // in the middle of work
)

// sources returns all sources, sorted.
func sources() []Source { return []Source{Import, Manual, Retro, SessionCapture} }

// parseSource parses a source; case matters. The error is a *FieldError.
func parseSource(text string) (Source, error) { return parseOneOf("source", text, sources()) }
