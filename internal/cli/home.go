package cli

import (
	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/home"
)

// Home returns the folder of the user's data for a command that is typed, and makes it theirs. An
// agent's shell tool types nothing: see [home.Dir].
func (e Env) Home() (string, error) {
	if err := checkStore(e); err != nil {
		return "", err
	}
	if agent.InShellTool(e.Getenv) {
		return home.Dir(e.Getenv)
	}
	return home.Claim(e.Getenv)
}

// checkStore refuses a team's store in the environment, without repeating it: agents let a repository
// set variables, and the URL may hold a password. Settings read it as if it were not there.
func checkStore(env Env) error {
	if value := env.Getenv(config.StoreVariable); value == "" || value == config.LocalStore {
		return nil
	}
	return Usagef("%s may only be %s: name a team's store in your own %s (memory_store)", config.StoreVariable, config.LocalStore, config.UserFile)
}
