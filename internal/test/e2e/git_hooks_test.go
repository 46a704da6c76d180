package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
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

// wrong is the index with an entry that leads nowhere; fixable with one whose trigger
// is not in lower case.
var (
	wrong   = strings.Replace(index, "| Paging |", "| Pages |", 1)
	fixable = strings.Replace(index, "listing many", "Listing  many", 1)
)

// example reads a file of examples/git-hooks.
func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repotest.Root(t), "examples", "git-hooks", name))
	require.NoError(t, err)
	return string(text)
}

// preCommitLike are the managers that read .pre-commit-hooks.yaml.
var preCommitLike = []string{"pre-commit", "prek"}

// In a repository with several memories, the published configuration checks each of them, and each finding
// has the path of its file.
func TestSeveralMemories(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	_, published, found := strings.Cut(example(t, "pre-commit-monorepo.yaml"), "  hooks:\n")
	require.True(t, found)
	for _, manager := range preCommitLike {
		if manager != preCommitLike[0] && !repotest.Long() {
			continue
		}
		t.Run(manager, func(t *testing.T) {
			t.Parallel()
			program := repotest.Program(t, manager)
			s := newSandbox(t, filepath.Dir(program), bin)
			dir, tag := s.published()
			hooks := regexp.MustCompile(`(?m)^  - id: \S+`).ReplaceAllString(published, "$0-system")
			s.write("user/.pre-commit-config.yaml", "repos:\n- repo: "+dir+"\n  rev: "+tag+"\n  hooks:\n"+hooks)
			for _, folder := range []string{"services/api", "services/web"} {
				s.write("user/"+folder+"/agents/memory-index.md", index)
				s.write("user/"+folder+"/agents/decisions/api.md", decisions)
				s.write("user/"+folder+"/CLAUDE.md", "Look at `/when listing many rows` first.\n")
			}
			s.run("user", "git", "init", "-q", "-b", "main")
			s.run("user", "git", "add", ".")
			s.run("user", program, "install")
			s.run("user", "git", "commit", "-qm", "start")

			// each memory, with its path
			s.write("user/services/api/agents/memory-index.md", wrong)
			s.write("user/services/web/agents/memory-index.md", fixable)
			s.run("user", "git", "add", ".")
			out, err := s.try("user", "git", "commit", "-qm", "wrong")
			require.Error(t, err)
			require.Regexp(t, `(?m)^ *services/api/agents/memory-index\.md:7:27: no heading "Pages"`, out) // prek indents
			require.Regexp(t, `(?m)^ *services/web/agents/memory-index\.md:7:7: `, out)
			s.run("user", "git", "reset", "-q", "--hard")

			// a commit that only deletes
			s.run("user", "git", "rm", "-q", "services/web/agents/decisions/api.md")
			out, err = s.try("user", "git", "commit", "-qm", "deleted")
			require.Error(t, err)
			require.Contains(t, out, "services/web/agents/memory-index.md:")
			require.NotContains(t, out, "services/api/agents")
			s.run("user", "git", "reset", "-q", "--hard")

			// documents, by the memory of their folder
			s.write("user/services/web/CLAUDE.md", "Look at `/when baking bread` first.\n")
			s.run("user", "git", "add", ".")
			out, err = s.try("user", "git", "commit", "-qm", "document")
			require.Error(t, err)
			require.Contains(t, out, "services/web/CLAUDE.md:1:10: no trigger \"baking bread\"")
		})
	}
}

// Hooks that are installed from a clone at a tag, and those of installed programs. TestSeveralMemories has
// commits that only delete, and documents.
func TestPreCommitHooks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	for _, manager := range preCommitLike {
		for i, suffix := range []string{"", "-system"} {
			if manager != preCommitLike[i] && !repotest.Long() {
				continue // each manager once, and each kind of hook once
			}
			t.Run(manager+suffix, func(t *testing.T) {
				t.Parallel()
				program := repotest.Program(t, manager)
				s := newSandbox(t, filepath.Dir(program), bin)
				if suffix == "" {
					s = newSandbox(t, filepath.Dir(program))
				}
				dir, tag := s.published()
				s.user()
				configure := func(hooks ...string) {
					head, _, found := strings.Cut(example(t, "pre-commit-config.yaml"), "  - id:")
					require.True(t, found)
					config := regexp.MustCompile(`repo: \S+`).ReplaceAllLiteralString(head, "repo: "+dir)
					config = regexp.MustCompile(`rev: \S+`).ReplaceAllLiteralString(config, "rev: "+tag)
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
				require.Regexp(t, `memory-validate: commit stopped: 1 finding; run ".*memory-validate --staged --unsafe-fixes"`, out)
				s.run("user", "git", "reset", "-q", "--hard")

				// an index in an old format fails
				s.write("user/agents/memory-index.md", strings.Replace(index, "/when listing many rows | Paging | ", "Paging — ", 1))
				s.run("user", "git", "add", ".")
				out, err = s.try("user", "git", "commit", "-qm", "old")
				require.Error(t, err)
				require.Contains(t, out, "+/when paging | Paging |")
				s.run("user", "git", "reset", "-q", "--hard")

				// a new decision without an entry is refused, with a draft in the worktree
				configure("memory-remember")
				s.run("user", "git", "commit", "-qm", "remember")
				s.write("user/agents/decisions/api.md", decisions+"\n## Cursors over offsets\nOffsets skip rows when something is inserted.\n")
				s.run("user", "git", "add", "agents")
				out, err = s.try("user", "git", "commit", "-qm", "decision")
				require.Error(t, err)
				require.Contains(t, out, `agents/decisions/api.md:6:1: no entry for the new heading "Cursors over offsets" in the commit: review agents/memory-index.md:8`)
				require.Contains(t, s.read("user/agents/memory-index.md"), "\n/when cursors over offsets | Cursors over offsets | Offsets skip rows when something is inserted\n")
				_, err = s.try("user", "git", "commit", "-qm", "unseen")
				require.Error(t, err)
				s.run("user", "git", "add", "agents")
				s.run("user", "git", "commit", "-qm", "looked at")
				s.run("user", "git", "revert", "-n", "HEAD")
				s.run("user", "git", "commit", "-qm", "back")

				// without a memory there is nothing to check
				configure("memory-validate", "memory-validate-fix", "memory-migrate", "memory-remember")
				s.run("user", "git", "rm", "-qr", "agents")
				s.run("user", "git", "commit", "-qm", "no memory")
				s.run("user", "git", "revert", "-n", "HEAD")
				configure("memory-validate")
				s.run("user", "git", "commit", "-qm", "a memory again")

				// a memory in a folder below the root is named by an argument
				configure("memory-validate")
				s.write("user/.pre-commit-config.yaml", s.read("user/.pre-commit-config.yaml")+"    args: [--repo, services/api]\n")
				s.write("user/services/api/agents/memory-index.md", wrong)
				s.write("user/services/api/agents/decisions/api.md", decisions)
				s.run("user", "git", "add", ".")
				out, err = s.try("user", "git", "commit", "-qm", "below")
				require.Error(t, err)
				require.Contains(t, out, `agents/memory-index.md:7:27: no heading "Pages"`)
				s.write("user/services/api/agents/memory-index.md", index)
				s.run("user", "git", "add", ".")
				s.run("user", "git", "commit", "-qm", "below")

				// the fixing hook fixes, fails once, and passes the second time; what is not
				// staged stays out of the commit
				configure("memory-validate-fix")
				s.run("user", "git", "commit", "-qm", "fix")
				s.write("user/notes.txt", "one\ntwo\n")
				s.write("user/agents/memory-index.md", fixable)
				s.run("user", "git", "add", "agents")
				out, err = s.try("user", "git", "commit", "-qm", "fixable")
				require.Error(t, err)
				require.Contains(t, out, "files were modified by this hook")
				require.Equal(t, index, s.read("user/agents/memory-index.md"))
				s.run("user", "git", "add", "agents")
				s.run("user", "git", "commit", "-q", "--allow-empty", "-m", "repaired")
				require.Equal(t, index, s.run("user", "git", "show", "HEAD:agents/memory-index.md"))
				require.Equal(t, "one\ntwo\n", s.read("user/notes.txt"))
			})
		}
	}
}

// The ids of the example are published.
func TestExampleNamesPublishedHooks(t *testing.T) {
	manifest, err := os.ReadFile(filepath.Join(repotest.Root(t), ".pre-commit-hooks.yaml"))
	require.NoError(t, err)
	ids := regexp.MustCompile(`(?m)^  - id: (\S+)`).FindAllStringSubmatch(example(t, "pre-commit-config.yaml"), -1)
	require.NotEmpty(t, ids)
	for _, id := range ids {
		require.Contains(t, string(manifest), "- id: "+id[1]+"\n")
	}
}

// Commits that are made at once in one repository with our own hook: git lets one
// through at a time, and what is committed is fixed.
func TestCommitsAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	s := newSandbox(t, installed(t))
	s.user()
	s.run("user", "memory-validate", "install-git-hook")
	for round := range 2 {
		s.write("user/agents/memory-index.md", strings.Replace(fixable, "stable order", fmt.Sprint("order ", round), 1))
		var all sync.WaitGroup
		errs := make([]error, 3)
		for i := range errs {
			all.Go(func() { _, errs[i] = s.try("user", "git", "commit", "-qam", fmt.Sprint(round, i)) })
		}
		all.Wait()
		require.Contains(t, errs, error(nil), "one of them commits")
		want := strings.Replace(index, "stable order", fmt.Sprint("order ", round), 1)
		require.Equal(t, want, s.run("user", "git", "show", "HEAD:agents/memory-index.md"))
		require.NoFileExists(t, filepath.Join(s.dir, "user", ".git", "index.lock"))
		s.run("user", "git", "reset", "-q", "--hard")
	}
}
