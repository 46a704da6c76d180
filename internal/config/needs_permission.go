package config

// Setting is a setting that a file of a repository, or the environment, asks for.
type Setting struct {
	File      string // ProjectFile, LocalFile or the name of the variable
	Key       string
	Value     string // in its usual form
	UserValue string // the user's own value
}

// String returns the setting as a line of the file.
func (s Setting) String() string { return s.Key + ": " + s.Value }

// ReachesOthers reports whether a setting has effects outside of the folder whose file asks for
// it: learnings that are made outside of any repository hold in all.
func (s Setting) ReachesOthers() bool {
	return s.Key == keyCaptureMode || s.Key == keyCaptureBudget
}

// restrict makes sure that nothing is captured because a setting that may forbid it cannot
// be read. Key "" means all of a file.
func (c *Config) restrict(key string) {
	if key == "" || key == keyTurnCapture {
		c.TurnCapture = false
	}
	if (key == "" || key == keyCaptureMode) && c.CaptureMode == "silent" {
		c.CaptureMode = "ask-first"
	}
}
