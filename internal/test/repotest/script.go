package repotest

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Scripts are the settings for the scripts of a program, in testdata/script: each
// runs the real program as its users do, with git, the command "status" and a store of
// learnings of its own. The first word of a script's name is its topic. What scripts write
// beside their folders goes with the test. With -short they are skipped: other tests call
// what they run, which is where goroutines meet.
func Scripts(t *testing.T) testscript.Params {
	t.Helper()
	if testing.Short() {
		t.Skip("processes, one after the other")
	}
	t.Setenv("GOTMPDIR", TempDir(t))
	return testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			for _, variable := range []string{
				"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c", "GIT_CONFIG_NOSYSTEM=1",
				"WHENCE_HOME=" + env.WorkDir + ".store", // outside of the repository that most scripts make
				"WHENCE_SESSION=", "CLAUDE_CODE_SESSION_ID=", "GEMINI_SESSION_ID=", "COPILOT_AGENT_SESSION_ID=", "CODEX_THREAD_ID=", "WHENCE_EMBEDDING_URL=",
			} {
				name, value, _ := strings.Cut(variable, "=")
				env.Setenv(name, value)
			}
			return claim(env.WorkDir + ".store")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": Status},
	}
}
