package migrate_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/index"
	"whence/internal/test/repotest"
	"whence/migrate"
	"whence/validate"
)

// runIn runs a program in a folder.
func runIn(t *testing.T, dir string, program func(cli.Env) int, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	home := repotest.Home(t)
	status = program(cli.Env{
		Args: args, Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Getenv: func(name string) string {
			if name == "WHENCE_HOME" {
				return home
			}
			return ""
		},
	})
	return status, out.String(), errs.String()
}

// TestAdoptCorpora adopts real records, each folder alone and all together in one repository.
func TestAdoptCorpora(t *testing.T) {
	adr := repotest.Shared(t, "corpora/adr")
	for name, c := range map[string]struct {
		entries map[string]int // by section
		skipped []string
	}{
		"govuk-aws":  {map[string]int{"docs/architecture/decisions/": 38}, nil},
		"madr":       {map[string]int{"docs/decisions/": 19}, []string{"docs/decisions/adr-template.md", "docs/decisions/index.md"}},
		"log4brains": {map[string]int{"docs/adr/": 9}, []string{"docs/adr/README.md", "docs/adr/index.md", "docs/adr/template.md"}},
		"log4brains-edge-cases": {
			map[string]int{"packages/core/integration-tests/ro-project/docs/adr/": 15},
			[]string{"packages/core/integration-tests/ro-project/docs/adr/template.md"},
		},
		"": {
			map[string]int{
				"govuk-aws/docs/architecture/decisions/": 38, "madr/docs/decisions/": 19, "log4brains/docs/adr/": 9,
				"log4brains-edge-cases/packages/core/integration-tests/ro-project/docs/adr/": 15,
			},
			[]string{"instructions/claudeutils/CLAUDE.md", "instructions/prometheus/AGENTS.md", "madr/docs/decisions/index.md"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join(adr, name))))
			require.NoError(t, exec.Command("git", "init", "-q", dir).Run())
			before := repotest.MarkdownTree(t, dir)

			_, shown, _ := runIn(t, dir, migrate.Main, "memory-migrate", "adopt")
			for _, skipped := range c.skipped {
				require.Contains(t, shown, "  "+skipped+" ")
			}
			status, _, message := runIn(t, dir, migrate.Main, "memory-migrate", "adopt", "--write")
			require.Zero(t, status, message)
			status, found, _ := runIn(t, dir, validate.Main, "memory-validate")
			require.Zero(t, status, found)

			src, err := os.ReadFile(filepath.Join(dir, "agents/memory-index.md"))
			require.NoError(t, err)
			entries := map[string]int{}
			f := index.Parse(src)
			for _, line := range f.Lines {
				if line.Kind == index.EntryLine {
					entries[f.Sections[line.Section].Path]++
				}
			}
			require.Equal(t, c.entries, entries)

			_, _, message = runIn(t, dir, migrate.Main, "memory-migrate", "adopt", "--write")
			require.Equal(t, "nothing to adopt\n", message)
			after := repotest.MarkdownTree(t, dir)
			require.Equal(t, string(src), string(after["agents/memory-index.md"].Data))
			delete(after, "agents/memory-index.md")
			require.Equal(t, before, after, "the records stay as they are")
		})
	}
}
