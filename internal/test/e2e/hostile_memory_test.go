//go:build linux

package e2e

import (
	"os"

	"github.com/stretchr/testify/require"
)

// privateFiles are files of the user's in the clone, and names under which the repository has links to
// them.
var privateFiles = []string{".env", ".env.local", "secrets/key", "secrets/server.pem", ".notes/plan.md", "nested/agents/decisions/n.md", "nested/README.md"}

// namePrivateFiles has settings and links of the repository name the user's files as memory.
func (h *hostile) namePrivateFiles() {
	for _, name := range []string{"config.md", "outside.md", "a\nb.md"} { // which are errors, and hide what would be shown
		require.NoError(h.t, os.Remove(h.path("origin/agents/decisions/"+name)))
	}
	h.write("origin/.whence.yaml", "decisions: [agents/decisions/*.md, .env, '.n*/*', 'agents/**/*.md', 'nested/**/*.md', linked/*, nested/agents/decisions/n.md, .notes/plan.md]\n"+
		"documents: ['secrets/*', .env.local, 'secrets/**', 'nested/**']\n")
	h.write("origin/.gitignore", ".env*\nsecrets/\n")
	h.link("origin/agents/decisions/env.md", "../../.env")
	h.link("origin/agents/decisions/notes.md", "../../.notes/plan.md")
	h.link("origin/linked", "secrets")
	index := h.read("origin/agents/memory-index.md")
	for _, name := range append(privateFiles, "agents/decisions/env.md", "agents/decisions/notes.md", "linked/key") {
		index += "\n## " + name + "\n\n/when mooring a boat at " + name + " | Private | bow, sea, berth, rope, harbour, wind, swell\n"
	}
	h.write("origin/agents/memory-index.md", index)
}

// leavePrivateFiles writes them, each with a decision that recall would find.
func (h *hostile) leavePrivateFiles() {
	for _, name := range privateFiles {
		h.write("clone/"+name, "## Private\n\nMooring a boat at the berth with two ropes: the user's own secret.\n\n## Mooring a boat by the user's own secret\n\nThe user's own secret.\n")
	}
	h.run("clone/nested", "git", "init", "-q")
}
