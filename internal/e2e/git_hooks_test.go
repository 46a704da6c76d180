package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	index = `# Memory Index

Run ` + "`/when <trigger>`" + ` to see a decision.

## agents/decisions/api.md

/when listing many rows | Paging | cursor, page size, stable order under inserts
`
	decisions = "# API\n\n## Paging\nPages are named by a cursor.\n"
)

// user makes a repository with a memory in which all is well.
func (s *sandbox) user() {
	s.write("user/agents/memory-index.md", index)
	s.write("user/agents/decisions/api.md", decisions)
	s.write("user/notes.txt", "one\n")
	s.run("user", "git", "init", "-q", "-b", "main")
	s.run("user", "git", "add", ".")
	s.run("user", "git", "commit", "-qm", "start")
}

// wrong is the index with an entry that leads nowhere; mendable with one whose trigger
// is not in lower case.
var (
	wrong    = strings.Replace(index, "| Paging |", "| Pages |", 1)
	mendable = strings.Replace(index, "listing many", "Listing  many", 1)
)

// preCommitLike are the managers that read .pre-commit-hooks.yaml.
var preCommitLike = []string{"pre-commit", "prek"}

// Hooks that are installed from a clone at a tag, and those of installed programs.
func TestPreCommitHooks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	for _, manager := range preCommitLike {
		for _, suffix := range []string{"", "-system"} {
			t.Run(manager+suffix, func(t *testing.T) {
				program := client(t, manager)
				s := newSandbox(t, filepath.Dir(program), bin)
				if suffix == "" {
					s = newSandbox(t, filepath.Dir(program))
				}
				dir, tag := s.published()
				s.user()
				configure := func(hooks ...string) {
					config := fmt.Sprintf("repos:\n- repo: %s\n  rev: %s\n  hooks:\n", dir, tag)
					for _, h := range hooks {
						config += "  - id: " + h + suffix + "\n"
					}
					s.write("user/.pre-commit-config.yaml", config)
					s.run("user", "git", "add", ".pre-commit-config.yaml")
				}
				configure("memory-validate", "memory-migrate", "memory-when")
				s.run("user", program, "install")
				s.run("user", "git", "commit", "-qm", "configure")

				// a bad commit is refused, with the finding
				s.write("user/agents/memory-index.md", wrong)
				s.run("user", "git", "add", ".")
				out, err := s.try("user", "git", "commit", "-qm", "wrong")
				require.Error(t, err)
				require.Contains(t, out, `agents/memory-index.md:7:27: no heading "Pages"`)
				s.run("user", "git", "reset", "-q", "--hard")

				// a commit that deletes a file alone orphans an entry
				s.run("user", "git", "rm", "-q", "agents/decisions/api.md")
				out, err = s.try("user", "git", "commit", "-qm", "deleted")
				require.Error(t, err)
				require.Contains(t, out, `no heading "Paging"`)
				s.run("user", "git", "reset", "-q", "--hard")

				// documents are checked
				s.write("user/CLAUDE.md", "Look at `/when baking bread` first.\n")
				s.run("user", "git", "add", ".")
				out, err = s.try("user", "git", "commit", "-qm", "document")
				require.Error(t, err)
				require.Contains(t, out, `CLAUDE.md:1:10: no trigger "baking bread"`)
				s.run("user", "git", "reset", "-q", "--hard")

				// an index in an old format fails
				s.write("user/agents/memory-index.md", strings.Replace(index, "/when listing many rows | Paging | ", "Paging — ", 1))
				s.run("user", "git", "add", ".")
				out, err = s.try("user", "git", "commit", "-qm", "old")
				require.Error(t, err)
				require.Contains(t, out, "+/when working on paging | Paging |")
				s.run("user", "git", "reset", "-q", "--hard")

				// the fixing hook mends, fails once, and passes the second time; what is not
				// staged stays out of the commit
				configure("memory-validate-fix")
				s.run("user", "git", "commit", "-qm", "fix")
				s.write("user/notes.txt", "one\ntwo\n")
				s.write("user/agents/memory-index.md", mendable)
				s.run("user", "git", "add", "agents")
				out, err = s.try("user", "git", "commit", "-qm", "mendable")
				require.Error(t, err)
				require.Contains(t, out, "files were modified by this hook")
				require.Equal(t, index, s.read("user/agents/memory-index.md"))
				s.run("user", "git", "add", "agents")
				s.run("user", "git", "commit", "-q", "--allow-empty", "-m", "mended")
				require.Equal(t, index, s.run("user", "git", "show", "HEAD:agents/memory-index.md"))
				require.Equal(t, "one\ntwo\n", s.read("user/notes.txt"))
			})
		}
	}
}

// Lefthook stages what a job that exits with 0 has mended.
func TestLefthook(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	program := client(t, "lefthook")
	s := newSandbox(t, filepath.Dir(program), installed(t))
	s.user()
	s.write("user/lefthook.yml", "pre-commit:\n  jobs:\n  - name: memory\n    run: memory-validate --fix\n    stage_fixed: true\n    glob: \"agents/**\"\n")
	s.run("user", program, "install")
	s.run("user", "git", "add", ".")
	s.run("user", "git", "commit", "-qm", "configure")

	s.write("user/agents/memory-index.md", wrong)
	s.run("user", "git", "add", ".")
	out, err := s.try("user", "git", "commit", "-qm", "wrong")
	require.Error(t, err)
	require.Contains(t, out, `no heading "Pages"`)
	s.run("user", "git", "reset", "-q", "--hard")

	s.write("user/agents/memory-index.md", mendable)
	s.run("user", "git", "add", ".")
	s.run("user", "git", "commit", "-qm", "mendable")
	require.Equal(t, index, s.run("user", "git", "show", "HEAD:agents/memory-index.md"))
	require.Equal(t, index, s.read("user/agents/memory-index.md"))
	require.Empty(t, s.run("user", "git", "status", "--porcelain"))
}
