package e2e

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// hookManager has memory-validate run at each commit.
type hookManager struct {
	name    string
	clients []string
	// files are its configuration, by path; install sets it up in a clone.
	files   func(s *sandbox) map[string]string
	install []string
	// stages reports whether fixes become part of the commit, so that nothing has to be added.
	stages bool
	// everywhere reports whether it runs in linked worktrees too.
	everywhere bool
}

func hookManagers(t *testing.T) []hookManager {
	published := func(s *sandbox) map[string]string {
		dir, tag := s.published()
		return map[string]string{".pre-commit-config.yaml": "repos:\n- repo: " + dir + "\n  rev: " + tag + "\n  hooks:\n" +
			"  - id: memory-validate-fix-system\n  - id: memory-migrate-system\n  - id: memory-when-system\n"}
	}
	return []hookManager{
		{name: "own", install: []string{"memory-validate", "install-git-hook"}, stages: true, everywhere: true},
		{name: "pre-commit", clients: []string{"pre-commit"}, files: published, install: []string{"pre-commit", "install"}, everywhere: true},
		{name: "prek", clients: []string{"prek"}, files: published, install: []string{"prek", "install"}, everywhere: true},
		{name: "lefthook", clients: []string{"lefthook"}, install: []string{"lefthook", "install"}, stages: true, everywhere: true,
			files: func(*sandbox) map[string]string {
				return map[string]string{"lefthook.yml": example(t, "lefthook.yml")}
			}},
		{name: "husky", clients: []string{"husky", "lint-staged"}, install: []string{"husky"}, stages: true,
			files: func(*sandbox) map[string]string {
				return map[string]string{
					".husky/pre-commit": "lint-staged\nmemory-validate --stage\n",
					"package.json":      `{ "lint-staged": { "*.txt": "true" } }`,
				}
			}},
	}
}

// What each hook manager commits, leaves and prints. Whatever stops a commit names commands, and these are
// typed as they are printed, until the commit is made.
func TestHookManagers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	const (
		heading = "\n## Retries\n\nThree attempts with jitter between them, and only for requests that may be repeated.\n"
		other   = "# D\n\n## Another\n\nAn untracked decision.\n"
	)
	staged := strings.Replace(fixable, "stable order", "any order", 1)
	repaired := strings.Replace(index, "stable order", "any order", 1)
	edited := func(text string) string { return strings.Replace(text, "to see a decision", "to see the decision", 1) }
	for _, m := range hookManagers(t) {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			folders := []string{bin}
			for _, name := range m.clients {
				folders = append(folders, filepath.Dir(repotest.Program(t, name)))
			}
			s := newSandbox(t, folders...)
			s.user()
			s.write("user/src/code.txt", "one\n")
			if m.files != nil {
				for name, text := range m.files(s) {
					s.write("user/"+name, text)
				}
			}
			s.run("user", "git", "add", ".")
			s.run("user", "git", "commit", "-qm", "configure")
			s.run("user", m.install[0], m.install[1:]...)
			s.run("user", "git", "tag", "start")

			for _, c := range []struct {
				name string
				run  func(t *testing.T)
			}{
				{"untracked", func(t *testing.T) {
					s.write("user/agents/decisions/d.md", other)
					s.write("user/notes.txt", "two\n")
					out := s.run("user", "git", "commit", "-qam", "notes")
					require.NotContains(t, out, "d.md")
					require.Equal(t, "?? agents/decisions/d.md\n", s.run("user", "git", "status", "--porcelain"))
				}},
				{"intent to add", func(t *testing.T) {
					if m.name == "husky" {
						t.Skip("lint-staged itself fails beside such a file")
					}
					s.write("user/agents/decisions/d.md", other)
					s.write("user/notes.txt", "two\n")
					s.run("user", "git", "add", "notes.txt")
					s.run("user", "git", "add", "-N", "agents")
					out := s.run("user", "git", "commit", "-qm", "notes")
					require.NotContains(t, out, "d.md")
					require.Equal(t, " A agents/decisions/d.md\n", s.run("user", "git", "status", "--porcelain"))
				}},
				{"partially staged", func(t *testing.T) {
					s.write("user/agents/memory-index.md", staged)
					s.run("user", "git", "add", ".")
					s.write("user/agents/memory-index.md", edited(staged))
					s.write("user/notes.txt", "two\n")
					s.commit(t, "user")
					want := repaired
					if !m.stages { // the file was added, as the message says
						want = edited(repaired)
					}
					require.Equal(t, want, s.run("user", "git", "show", "HEAD:agents/memory-index.md"))
					if m.name == "lefthook" { // it puts hidden changes back by line numbers, so the worktree is left alone
						require.Equal(t, edited(staged), s.read("user/agents/memory-index.md"))
						s.run("user", "memory-validate", "--fix")
					}
					require.Equal(t, edited(repaired), s.read("user/agents/memory-index.md"))
					require.Equal(t, "two\n", s.read("user/notes.txt"))
					require.Equal(t, "one\n", s.run("user", "git", "show", "HEAD:notes.txt"))
				}},
				{"new heading", func(t *testing.T) {
					s.write("user/agents/decisions/d.md", other)
					s.write("user/agents/decisions/api.md", decisions+heading)
					s.run("user", "git", "add", "agents/decisions/api.md")
					s.commit(t, "user")
					s.recorded(t)
				}},
				{"path beside an untracked file", func(t *testing.T) {
					s.write("user/agents/decisions/d.md", other)
					s.write("user/agents/decisions/api.md", decisions+heading)
					s.commit(t, "user", "agents/decisions/api.md")
					s.recorded(t)
				}},
				{"deleted", func(t *testing.T) {
					s.run("user", "git", "rm", "-q", "agents/decisions/api.md")
					out, err := s.try("user", "git", "commit", "-qm", "deleted")
					require.Error(t, err)
					require.Contains(t, out, `no heading "Paging"`)
				}},
				{"worktree", func(t *testing.T) {
					if !m.everywhere {
						t.Skip("its hooks are in the worktree")
					}
					s.run("user", "git", "worktree", "add", "-q", "--detach", "../linked")
					s.write("linked/agents/memory-index.md", staged)
					s.run("linked", "git", "add", ".")
					s.commit(t, "linked")
					require.Equal(t, repaired, s.run("linked", "git", "show", "HEAD:agents/memory-index.md"))
					require.Equal(t, index, s.read("user/agents/memory-index.md"))
				}},
				{"submodule", func(t *testing.T) {
					s.run(".", "git", "init", "-q", "outer")
					s.run("outer", "git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../user", "inner")
					s.run("outer/inner", m.install[0], m.install[1:]...)
					s.write("outer/inner/agents/memory-index.md", staged)
					s.run("outer/inner", "git", "add", "agents")
					s.commit(t, "outer/inner")
					require.Equal(t, repaired, s.run("outer/inner", "git", "show", "HEAD:agents/memory-index.md"))
				}},
				{"sparse partial clone", func(t *testing.T) {
					s.run("user", "git", "config", "uploadpack.allowFilter", "true")
					s.run(".", "git", "clone", "-q", "--filter=blob:none", "--sparse", "file://"+filepath.ToSlash(filepath.Join(s.dir, "user")), "sparse")
					s.run("sparse", "git", "sparse-checkout", "set", "src", ".husky")
					s.run("sparse", m.install[0], m.install[1:]...)
					s.write("sparse/src/code.txt", "two\n")
					s.run("sparse", "git", "commit", "-qam", "code")
					require.NoDirExists(t, filepath.Join(s.dir, "sparse", "agents"))
				}},
			} {
				t.Run(c.name, func(t *testing.T) {
					s.run("user", "git", "reset", "-q", "--hard", "start")
					s.run("user", "git", "clean", "-fdq")
					c.run(t)
				})
			}
		})
	}
}

// recorded checks that the new heading of api.md is committed with an entry, and that the untracked decision
// is as it was.
func (s *sandbox) recorded(t *testing.T) {
	t.Helper()
	committed := s.run("user", "git", "show", "HEAD:agents/memory-index.md")
	require.Contains(t, committed, "| Retries |")
	require.NotContains(t, committed, "Another")
	require.Contains(t, s.run("user", "git", "show", "HEAD:agents/decisions/api.md"), "## Retries")
	require.Equal(t, "?? agents/decisions/d.md\n", s.run("user", "git", "status", "--porcelain"))
}

var (
	stopped      = regexp.MustCompile(`memory-validate: commit stopped: .*`)
	namedCommand = regexp.MustCompile(`run "([^"]+)"`)
)

// commit commits, and does what stops it says, word by word.
func (s *sandbox) commit(t *testing.T, dir string, paths ...string) {
	t.Helper()
	for range 4 {
		out, err := s.try(dir, "git", append([]string{"commit", "-qm", "commit", "--"}, paths...)...)
		if err == nil {
			return
		}
		said := stopped.FindString(out)
		commands := namedCommand.FindAllStringSubmatch(said, -1)
		require.NotEmpty(t, commands, "no command is named:\n%s", out)
		for _, command := range commands {
			s.try(dir, "sh", "-c", command[1]) // it may report what is left elsewhere
		}
		if _, name, found := strings.Cut(said, "naming "); found {
			paths = append(slices.Clone(paths), strings.Fields(name)[0])
		} else if strings.Contains(said, "without a path") {
			paths = nil
		}
	}
	require.Fail(t, "still stopped")
}
