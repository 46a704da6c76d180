package migrate_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/migrate"
)

const (
	record = "# Use a queue\n\n## Status\n\nAccepted\n\n## Context\n\nLong requests block the others.\n"
	prose  = "# Guide\n\nIt takes three steps to begin with this project.\n"
	list   = "# Decisions\n\n## Postgres for all services\n\nOne database is enough for all of them.\n\n## Times in UTC only\n\nThey are shown in the zone of the reader.\n"
)

// TestAdoptPlan has the rows of the plan for the files of a tree: use, path and number of files.
func TestAdoptPlan(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"usual folders": {
			map[string]string{
				"doc/adr/0001-a.md": record, "docs/decisions/0001-b.md": prose, "architecture/decisions/c.md": record, "adr/0001-d.md": prose,
				"packages/web/docs/adr/20200101-e.md": record, "docs/adr/README.md": prose,
			},
			[]string{
				"documents adr/*.md 1", "documents architecture/decisions/*.md 1", "documents doc/adr/*.md 1",
				"documents docs/decisions/*.md 1", "documents packages/web/docs/adr/*.md 1", "leave docs/adr/README.md 1",
			},
		},
		"records by their headings": {
			map[string]string{"docs/why/a.md": record, "docs/why/b.md": "B\n=\n\nContext\n-------\nx\n\nDecision\n--------\ny is used for all of them.\n", "docs/why/c.md": prose, "docs/how/a.md": record, "docs/how/b.md": prose},
			[]string{"documents docs/why/*.md 3"},
		},
		"a folder each": {
			map[string]string{"docs/decision-records/README.md": prose, "docs/decision-records/2024-05-01-queue/README.md": record, "docs/decision-records/2024-06-01-cache/README.md": strings.Replace(record, "queue", "cache", 1)},
			[]string{"documents docs/decision-records/*/README.md 2", "leave docs/decision-records/README.md 1"},
		},
		"a single record": {map[string]string{"iam/0001-a.md": record}, []string{"documents iam/*.md 1"}},
		"lists in other languages": {
			map[string]string{"docs/ENTSCHEIDUNGEN.md": "# Alle\n\n## Inhalt\n\n- x\n\n## Postgres überall\n\n### Preis\n\nx\n\n## Zeiten in UTC\n\n### Preis\n\ny\n"},
			[]string{"decisions docs/ENTSCHEIDUNGEN.md 1"},
		},
		"numbered, but no records": {map[string]string{"docs/0001-a.md": prose, "docs/0002-b.md": prose}, []string{"leave docs/*.md 2"}},
		"lists of decisions": {
			map[string]string{"DECISIONS.md": list, "services/decision-log.md": strings.ReplaceAll(strings.ReplaceAll(list, "Postgres", "Redis"), "UTC", "local time"), "docs/adr.md": prose},
			[]string{"decisions DECISIONS.md 1", "decisions services/decision-log.md 1"},
		},
		"a folder of lists": {map[string]string{"team/decisions/api.md": list, "team/decisions/db.md": "# DB\n\n## Backups at night\n\nThey take an hour, and lock nothing.\n\n## Rows are never deleted\n\nA column says when they ended, and why.\n"}, []string{"decisions team/decisions/*.md 2"}},
		"a list in the form of records": {
			map[string]string{"DECISIONS.md": "# Decisions\n\n## One thing that was decided\n\n### Context\n\nx\n\n## Another thing that was decided\n\n### Context\n\ny\n"},
			[]string{"decisions DECISIONS.md 1"},
		},
		"a log by its form": {
			map[string]string{"docs/adr/ADR-INDEX.md": "# All\n\n## Postgres for all services\n\n### Context\n\nx\n\n## Times in UTC only\n\n### Context\n\ny\n", "docs/adr/0001-a.md": record, "docs/adr/README.md": prose},
			[]string{"documents docs/adr/*.md 1", "decisions docs/adr/ADR-INDEX.md 1", "leave docs/adr/README.md 1"},
		},
		"a list below one H1": {
			map[string]string{"docs/DECISIONS.md": "# Decisions\n\n### D1: Postgres for all services\n\n#### Context\n\nx\n\n#### Why\n\nx\n\n### D2: Times in UTC only\n\n#### Context\n\ny\n\n#### Why\n\ny\n"},
			[]string{"decisions docs/DECISIONS.md 1"},
		},
		"instructions": {
			map[string]string{"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": prose, "GEMINI.md": prose, ".github/copilot-instructions.md": prose, "web/AGENTS.md": prose},
			[]string{"leave .github/copilot-instructions.md 1", "leave AGENTS.md 1", "leave CLAUDE.md 1", "leave GEMINI.md 1", "leave web/AGENTS.md 1"},
		},
		"rules": {
			map[string]string{
				".cursor/rules/a.mdc":                        "---\nglobs: '*.ts'\nalwaysApply: false\n---\n" + prose,
				".cursor/rules/b.mdc":                        "---\nalwaysApply: true\n---\n" + prose,
				".claude/rules/web/a.md":                     "---\npaths:\n  - \"**/*.tsx\"\n---\n" + prose,
				".claude/rules/b.md":                         prose,
				".windsurf/rules/a.md":                       "---\ntrigger: glob\nglobs: '*.py'\n---\n" + prose,
				".windsurf/rules/b.md":                       "---\ntrigger: always_on\n---\n" + prose,
				".github/instructions/go.instructions.md":    "---\napplyTo: '**/*.go'\n---\n" + prose,
				".github/instructions/other.instructions.md": "---\napplyTo: '**'\n---\n" + prose,
			},
			[]string{
				"documents .claude/rules/web/*.md 1", "documents .cursor/rules/a.mdc 1", "documents .github/instructions/go.instructions.md 1", "documents .windsurf/rules/a.md 1",
				"leave .claude/rules/b.md 1", "leave .cursor/rules/b.mdc 1", "leave .github/instructions/other.instructions.md 1", "leave .windsurf/rules/b.md 1",
			},
		},
		"not looked at": {
			map[string]string{
				"node_modules/x/docs/adr/0001-a.md": record, "vendor/adr/0001-a.md": record, "tests/fixtures/adr/0001-a.md": record, "x/testdata/adr/0001-a.md": record,
			}, nil,
		},
		"in the memory already": {map[string]string{"agents/decisions/a.md": list, "docs/adr/0001-a.md": record, ".whence.yaml": "documents: [docs/adr/*.md]\n"}, nil},
		"files without a decision": {
			map[string]string{
				"docs/adr/0001-a.md": record, "docs/adr/0002-b.md": "", "docs/adr/0004-d[1].md": " \n",
				"docs/adr/0006-f.md": "\uFEFF# F\r\n\r\nWith CRLF, and few words.\r\n",
			},
			[]string{
				"documents docs/adr/*.md 2", "leave docs/adr/0002-b.md 1", `leave "docs/adr/0004-d\\[1].md" 1`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repositoryOf(t, c.files)
			status, out, message := runIn(t, dir, migrate.Main, "memory-migrate", "adopt")
			require.Zero(t, status, message)
			require.Equal(t, c.want, planned(t, out))

			status, out, message = runIn(t, dir, migrate.Main, "memory-migrate", "adopt", "--write", "--quiet")
			require.Zero(t, status, out+message)
			_, _, message = runIn(t, dir, migrate.Main, "memory-migrate", "adopt", "--write")
			require.Regexp(t, `\Anothing to adopt(; to begin with a decision, run ".*")?\n\z`, message, "a second run")
		})
	}
}

// repositoryOf returns a new repository with staged files.
func repositoryOf(t *testing.T, files map[string]string) (dir string) {
	dir = t.TempDir()
	for file, text := range files {
		file = filepath.Join(dir, filepath.FromSlash(file))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	require.NoError(t, exec.Command("git", "init", "-q", dir).Run())
	require.NoError(t, exec.Command("git", "-C", dir, "add", ".").Run())
	return dir
}

// planned returns the rows of a printed plan: use, path and number of files.
func planned(t *testing.T, plan string) (rows []string) {
	row := regexp.MustCompile(`^  (\S+) +(?:(\d+) files?: )?\S`)
	use := ""
	for line := range strings.Lines(plan) {
		if !strings.HasPrefix(line, " ") {
			use = map[string]string{"documents": "documents", "decisions": "decisions", "left": "leave"}[strings.Fields(line)[0]]
			continue
		}
		cells := row.FindStringSubmatch(line)
		require.NotNil(t, cells, line)
		rows = append(rows, use+" "+cells[1]+" "+cmp.Or(cells[2], "1"))
	}
	return rows
}
