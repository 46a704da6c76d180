package cli

import (
	"whence/internal/agent"
	"whence/internal/home"
)

// Home returns the folder of the user's data for a command that is typed, and makes it theirs. An
// agent's shell tool types nothing: see [home.Dir].
func (e Env) Home() (string, error) {
	if agent.InShellTool(e.Getenv) {
		return home.Dir(e.Getenv)
	}
	return home.Claim(e.Getenv)
}
