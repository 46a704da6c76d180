package learning_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
)

func TestSimilar(t *testing.T) {
	for relation, pairs := range map[learning.Relation][][2]string{
		learning.NearDuplicate: {
			{"always quote shell variables in hooks", "always quote shell variables in hooks."},
			{"always quote shell variables in hooks", "ALWAYS quote shell-variables in hooks!"},
			{"Évite les accès concurrents", "E\u0301vite les acce\u0300s concurrents"},
			{"always suppress stderr in hook subprocesses to prevent JSON corruption", "Suppress stderr in hook subprocesses to avoid corrupting the JSON"},
			{"always suppress stderr in hook subprocesses to prevent JSON corruption", "always suppress stderr in hook subprocesses"},
			{"always run tests before committing", "Before committing, always run the tests"},
			{"we should run the tests before committing", "always run tests before committing"},
			{"Never commit generated files by hand", "don't commit generated files by hand"},
			{"never use mocks in integration tests", "Avoid mocks in integration tests"},
			{"avoid using mocks in integration tests", "Do not use mocks in integration tests"},
			{"the staging database is reset every Monday at 06:00 UTC", "Staging database is reset at 06:00 UTC every Monday"},
			{"quote all shell variables in hook scripts", "quote shell variables in all hook scripts"},
			{"FTS5 treats a hyphen as a column filter", "fts5 treats hyphens as column filters"},
			{"flush the writer before closing the archive", "flush the writer before closing the archvie"},
			{"build images without cache when the base image changes", "when the base image changes, build images without cache"},
			{"“Smart” quotes break the parser of the config", `"Smart" quotes break the parser of the config`},
			{"use `git worktree add` for parallel branches", "use git worktree add for parallel branches"},
			{"turn on strict mode in every script of the build", "enable strict mode in every script of the build"},
			{"set a timeout on every outgoing request, because the default is none at all", "Set a timeout on every outgoing request."},
		},
		learning.Contradiction: {
			{"always mock the database in unit tests", "never mock the database in unit tests"},
			{"always mock the database", "never mock the database because mocks lie"},
			{"Use mocks in integration tests", "Avoid mocks in integration tests"},
			{"use mocks in integration tests", "don't use mocks in integration tests"},
			{"enable caching in the CI pipeline", "disable caching in the CI pipeline"},
			{"run migrations before the tests", "run migrations after the tests"},
			{"run the migrations before the seeds", "run the seeds before the migrations"},
			{"prefer tabs over spaces in scripts", "prefer spaces over tabs in scripts"},
			{"use tabs instead of spaces in scripts", "use spaces instead of tabs in scripts"},
			{"build the image with cgo enabled", "build the image with cgo disabled"},
			{"build the release binary with cgo", "build the release binary without cgo"},
			{"the parser is safe for concurrent use", "the parser is unsafe for concurrent use"},
			{"you must squash commits when merging", "you must not squash commits when merging"},
			{"log records are buffered in memory", "log records aren't buffered in memory"},
			{"tests are required for every bug fix", "tests are optional for every bug fix"},
			{"always mock external services", "never mock external services; use the sandbox instead"},
			{"turn on caching for the nightly build", "turn off caching for the nightly build"},
			{"hooks should print errors to stderr", "hooks should never print errors to stderr"},
		},
		learning.Different: {
			{"always quote shell variables in hooks", "the staging database is reset on Mondays"},
			{"set the timeout of uploads to 30 seconds", "set the timeout of uploads to 60 seconds"},
			{"call retryCount before sending the batch", "call retryLimit before sending the batch"},
			{"pass --force when cleaning the build folder", "pass --dry-run when cleaning the build folder"},
			{"the parser calls the lexer for each token", "the lexer calls the parser for each token"},
			{"retry uploads when calling stripe in the payments service", "retry uploads when calling paypal in the payments service"},
			{"copy fixtures from staging to production", "copy fixtures from production to staging"},
			{"only admins may delete a workspace", "admins delete a workspace"},
			{"requests may fail on the first attempt", "requests must fail on the first attempt"},
			{"use tabs in Makefiles", "use spaces in YAML files"},
			{"never commit secrets, always use the vault", "always commit early, never use the stash"},
			{"always retry failed uploads", "always retry failed uploads unless the file is gone"},
			{"mock the database in unit tests", "do not mock the clock in integration tests"},
			{"keep handlers thin and log the request id", "log the request id"},
			{"python 3.11 is required for the build", "python 3.12 is required for the build"},
			{"all services log the request id", "some services log the request id"},
			{"stop the daemon before the upgrade", "start the daemon before the lunch break"},
			{"", "always quote shell variables in hooks"},
			{"!!! ???", "*** ---"},
		},
	} {
		for _, p := range pairs {
			t.Run(p[0]+"/"+p[1], func(t *testing.T) {
				require.Equal(t, relation.String(), learning.Similar(p[0], p[1]).String())
				require.Equal(t, relation.String(), learning.Similar(p[1], p[0]).String(), "the other way round")
			})
		}
	}
}
