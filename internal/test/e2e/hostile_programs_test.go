//go:build linux

package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// Whatever PATH a repository has an agent set, its programs are not executed: neither those that it commits, by whichever
// path and link they are found, nor those of its other worktrees, nor those beside it in an archive, nor a program of the
// system that obeys the files of a folder. The user's own git goes on running.
func TestNoProgramOfACloneIsExecuted(t *testing.T) {
	repotest.Program(t, "strace")
	h := newHostile(t, installed(t), attack{origin: func(h *hostile) {
		h.write("origin/sub/README.md", "# Sub\n")
		for _, name := range []string{"git", "memory-remember", "memory-when", "sh", "env"} {
			h.program("origin/bin/" + name)
		}
		h.link("origin/sub/bin/git", "/usr/bin/git")
		h.link("origin/tools/git", "/usr/bin/perl")
		h.link("origin/up", "../other")
		h.write("origin/hash-object", "")
	}})
	h.run("clone", "git", "worktree", "add", "-q", h.path("far/linked"))
	h.program("bin/git")           // beside the clone
	h.program("far/other/bin/git") // where up leads to in the linked worktree
	own := h.env
	for i, way := range []struct{ name, session, path string }{
		{"another folder than that of the check", "clone/sub", "/proc/self/cwd/bin"},
		{"a program of the system", "clone", "/proc/self/cwd/tools"},
		{"a link out of a linked worktree", "far/linked", "/proc/self/cwd/up/bin"},
		{"beside the clone", "clone", h.path("bin")},
		{"beside it, from below", "clone/sub", h.path("bin")},
		{"the main worktree of a linked one", "far/linked", h.path("clone/bin")},
		{"a linked worktree", "clone", h.path("far/linked/bin")},
		{"by the root of the process", "clone", "/proc/self/root" + h.path("clone/bin")},
		{"with other elements and a slash", "clone", h.path("clone") + "/sub/../bin/"},
		{"relative", "clone", "bin"},
	} {
		h.session = h.path(way.session)
		agents := slices.Sorted(maps.Keys(agentVariables))
		for _, agent := range repotest.Sample(agents, len(agents), i) {
			h.env = append(slices.Clone(own), "PATH="+way.path+":/usr/bin:/bin", "GODEBUG=execerrdot=0")
			for _, v := range agentVariables[agent] {
				h.env = append(h.env, strings.ReplaceAll(v, "@CLONE@", h.path("clone")))
			}
			for _, name := range []string{"SessionStart", "UserPromptSubmit", "PostToolUse"} {
				got := h.traced(h.event(name), "memory-hooks", name, "--agent", agent)
				for range 5 { // on a busy machine a traced event may have no time
					if name != "UserPromptSubmit" || got.stdout != "" {
						break
					}
					got = h.traced(h.event(name), "memory-hooks", name, "--agent", agent)
				}
				require.Zero(t, got.status, "%s: %s", way.name, got.stderr)
				if name == "UserPromptSubmit" {
					require.Contains(t, got.stdout, "Mooring", "%s, %s: the decision is shown", way.name, agent)
				}
			}
			for _, line := range []string{"memory-validate --staged", "memory-when mooring", "memory-hooks doctor", "memory-remember list"} {
				h.traced("", strings.Fields(line)...)
			}
			require.NoFileExists(t, h.executed, "%s, %s", way.name, agent)
		}
	}
	h.env = own
	h.drained()
	require.NoFileExists(t, h.executed)
}

// program writes a program of the attacker's.
func (h *hostile) program(name string) {
	h.write(name, "#!/bin/sh\necho \"$0 $*\" >>'"+h.executed+"'\n")
	require.NoError(h.t, os.Chmod(h.path(filepath.FromSlash(name)), 0o755))
}
