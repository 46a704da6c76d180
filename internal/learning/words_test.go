package learning_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/text"
)

func TestInferCategory(t *testing.T) {
	for category, texts := range map[learning.Category][]string{
		learning.AntiPatterns: {
			"never use --force-push on main",
			"NEVER edit generated files by hand",
			"Don't mock what you don't own",
			"don’t cache the token, it expires after an hour",
			"Do not log request bodies",
			"avoid global state in handlers",
			"The token expires after an hour. Do not cache it.",
			"When deploying on Fridays, never skip the smoke test",
			"we should not rely on the order of map keys",
			"tests must not depend on the network",
			"You shouldn't share fixtures between packages",
			"we never deploy on Fridays",
			"Stop adding flags to the main command",
			"No secrets in container images",
			"it was a mistake to vendor the SDK",
			"I forgot to run the migrations and staging went down",
			"polling in the request path is a bad idea",
			"Hardcoding paths breaks the build on Windows",
			"God objects are an anti-pattern in this codebase",
			"relative imports should be avoided in plugins",
			"**Never** commit `.env` files",
			"Lesson: never trust client clocks",
			"the lock is not reentrant, so don't call Flush under it",
		},
		learning.Patterns: {
			"always run tests before committing",
			"prefer table-driven tests in this package",
			"best practice here is to wrap errors with %w",
			"use absolute paths in hooks",
			"I prefer kebab-case for file names",
			"Use absolute paths, never relative ones",
			"quote shell variables in hooks",
			"Set PRAGMA busy_timeout before journal_mode=WAL",
			"commit lockfiles so that builds are reproducible",
			"make sure the daemon is stopped before an upgrade",
			"Before a release, tag the commit that was tested",
			"hooks must be idempotent",
			"handlers should return early",
			"we always squash merge into main",
			"It is better to fail loudly than to guess",
			"please keep handlers thin",
			"Remember to bump the schema version",
			"Caching compiled templates saves two seconds per run",
			"TIL: pin base images by digest",
			"when tests are slow, profile them first",
		},
		learning.Heuristics: {
			"Python hooks need stderr suppression",
			"macOS ships bash 3.2 so associative arrays fail",
			"the staging DB is reset every Monday at 06:00 UTC",
			"FTS5 treats a hyphen as a column filter",
			"three or more review iterations mean the spec was thin",
			"qqq zzz www lorem ipsum dolor",
			"because it was unused, the hook got removed; nothing else",
			"the cache never expires",
			"associative arrays don't work in bash 3.2",
			"we don't have access to the production logs",
			"no tests cover the parser of the legacy format",
			"the project uses hexagonal architecture",
			"log files rotate daily at midnight",
			"test fixtures live in testdata",
			"hooks read stdin and write JSON",
			"set operations are slow in this database",
			"pnpm stores packages in a content-addressed folder",
			"the API returns 429 after 100 requests a minute",
			"", "...",
			"git stash doesn't include untracked files",
		},
	} {
		for _, text := range texts {
			require.Equal(t, category, learning.InferCategory(text), text)
		}
	}
}

func TestInferName(t *testing.T) {
	for text, want := range map[string]string{
		"always suppress stderr in hook subprocesses to prevent JSON corruption":                                                "Suppress stderr in hook subprocesses",
		"never use --force-push on main":                                                                                        "Never use --force-push on main",
		"Note that macOS ships bash 3.2, so associative arrays fail":                                                            "macOS ships bash 3.2, so associative arrays fail",
		"we should not rely on the order of map keys":                                                                           "Do not rely on the order of map keys",
		"I prefer kebab-case for file names":                                                                                    "Prefer kebab-case for file names",
		"`git stash` ignores untracked files. Use -u.":                                                                          "git stash ignores untracked files",
		"# Agents\n\nKeep handlers thin.":                                                                                       "Agents",
		"**Statement**: Add path filters to all workflows to prevent unnecessary runs":                                          "Add path filters to all workflows",
		"When resolving workflow merge conflicts, prefer simpler single-script approach over multi-step complexity":             "Prefer simpler single-script approach",
		"Use artifacts/ directory for all test outputs; configure in single location.":                                          "Use artifacts/ directory for all test outputs",
		"GitHub computes mergeability lazily and does not compute it unless the field is requested in the same query of the PR": "GitHub computes mergeability lazily and does not compute it",
		"- [ ] see [the guide](https://example.com/x) for releases":                                                             "See the guide for releases",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":                                                  "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...",
		"TIL: pin base images by digest":                                                                                        "Pin base images by digest",
		"When the test DB is locked it's because a previous run holds the WAL":                                                  "When the test DB is locked",
		"npm ci fails with EACCES if node_modules was created by root, fix with chown":                                          "npm ci fails with EACCES",
		"No, do it this way: run make lint before pushing":                                                                      "Run make lint before pushing",
		"???":                               "???",
		"we never deploy on Fridays":        "Never deploy on Fridays",
		"always":                            "Always",
		"x.y returns nil, e.g. for a proxy": "x.y returns nil, e.g. for a proxy",
	} {
		require.Equal(t, want, learning.InferName(text), text)
	}
	require.Empty(t, learning.InferName(" \n"))
}

func TestInferReasoning(t *testing.T) {
	for text, want := range map[string]string{
		"always suppress stderr in hook subprocesses to prevent JSON corruption": "To prevent JSON corruption.",
		"quote variables because word splitting breaks paths":                    "Word splitting breaks paths.",
		"Because the API is slow, batch the calls":                               "The API is slow.",
		"commit lockfiles so that builds are reproducible":                       "So that builds are reproducible.",
		"set busy_timeout first, otherwise migrations race":                      "Otherwise migrations race.",
		"you need to keep the socket open":                                       "Noted as how things behave here.",
		"use -u with git stash. Untracked files are lost without it.":            "Untracked files are lost without it.",
		"Wrap errors.\n\nRationale: callers need errors.Is!":                     "Callers need errors.Is!",
		"never commit secrets":                                                   "Noted as something to avoid.",
		"do X, which leaks a descriptor":                                         "It leaks a descriptor.",
	} {
		require.Equal(t, want, learning.InferReasoning(text, learning.InferCategory(text)), text)
	}
	require.Equal(t, "Noted as the way to do it here.", learning.InferReasoning("", learning.Patterns))
}

func TestKeywords(t *testing.T) {
	require.Equal(t, []string{"suppress", "stderr", "hook", "subprocesses", "prevent", "json", "corruption", "print"},
		learning.Keywords("Suppress stderr", "always suppress stderr in hook subprocesses to prevent JSON corruption", "hooks print JSON"))
	require.Equal(t, []string{"evite", "acces", "concurrents"}, learning.Keywords("", "Évite the accès concurrents", ""), "accents")
	require.Empty(t, learning.Keywords("", "it is what it is", "because"))
	require.Equal(t, []string{"content-hash", "memory-db"}, learning.Keywords("", "content_hash in ~/x/memory.db 日本", ""))
}

func FuzzInfer(f *testing.F) {
	for _, s := range hard {
		f.Add(s)
	}
	f.Add("When a, b because c to prevent d; e — f. G")
	f.Fuzz(func(t *testing.T, s string) {
		name := learning.InferName(s)
		require.LessOrEqual(t, utf8.RuneCountInString(name), learning.MaxNameChars)
		require.Equal(t, text.Clean(s) == "", name == "", "%q", name)
		require.NotContains(t, name, "\n")
		require.True(t, utf8.ValidString(name))
		category := learning.InferCategory(s)
		_, err := learning.ParseCategory(string(category))
		require.NoError(t, err)
		why := learning.InferReasoning(s, category)
		require.NotEmpty(t, why)
		require.NotContains(t, why, "\n")
		words := learning.Keywords(name, s, why)
		require.LessOrEqual(t, len(words), 10)
		for _, word := range words {
			require.True(t, learning.ValidKeyword(word), word)
		}
	})
}
