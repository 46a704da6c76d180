package config

// DefaultIndex is the path of the memory index unless a setting changes it.
const DefaultIndex = "agents/memory-index.md"

// Default returns the configuration that applies without any setting.
func Default() Config {
	return Config{
		Index:     DefaultIndex,
		Decisions: []string{"agents/decisions/*.md"},
		WordCount: Range{Min: 8, Max: 20},

		CaptureMode:   "ask-first",
		CaptureBudget: 5,

		Injection:      true,
		InjectionLimit: 20,

		TurnCapture: true,
		TurnDays:    180,

		History: true,

		NotesRefresh: 10,
	}
}
