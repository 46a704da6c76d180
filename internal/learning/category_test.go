package learning_test

import (
	"testing"

	"whence/internal/learning"
)

// labelled are sentences by category, as people write them. The rules were fitted to the first half;
// of the second one only the number of right answers was looked at, so it is not printed which are
// wrong.
var labelled = map[learning.Category][2][]string{
	learning.AntiPatterns: {{
		"Sharing one HTTP client with cookies between tenants caused a data leak until we split it.",
		"Forgetting to close the cursor bit us again in the nightly export.",
		"Sleeping in tests leads to flaky CI.",
		"always avoid wildcard imports in the public package",
		"Running two migrations in parallel corrupted the staging schema last week.",
		"We lost a day because the retry loop swallowed the original error.",
		"The cache key left out the locale, which broke the German site for an hour.",
		"Committing the generated client was a dead end: every rebase conflicted.",
		"Upgrading the driver without reading the changelog took production down.",
		"It is never worth catching Exception at the top of a handler.",
		"I rebased a shared branch and everybody had to reset their clones.",
		"Using floats for money made the invoices wrong by a cent.",
		"you will regret putting business rules into triggers",
		"storing sessions in memory made every deploy log people out",
		"We deleted the lock file to fix an install and got different versions in CI.",
		"parsing HTML with a regex came back to haunt us",
	}, {
		"Passing the request context to the background job caused it to be cancelled halfway.",
		"Two cron jobs writing the same file led to a truncated report.",
		"Do not trust the Content-Length header of uploads",
		"Editing the vendored copy by hand got overwritten by the next sync.",
		"The wildcard DNS record bit us when a customer claimed the subdomain.",
		"Always avoid reading the clock inside of a pure function",
		"Turning off the linter for one file ended up hiding three real bugs.",
		"We skipped the backup test and the restore failed when it mattered.",
		"Global mutable config results in tests that pass only alone.",
		"Logging the whole payload leaked an access token into the dashboard.",
		"Our mistake was to retry on every status code.",
		"Comparing floats for equality broke the billing report twice.",
		"The deploy script ran rm with an empty variable and wiped the cache volume.",
		"Nobody should push tags by hand",
		"a catch-all route swallowed the health check, so the pod kept restarting",
		"Copying the production config to a laptop cost us a rotated key.",
	}},
	learning.Patterns: {{
		"If the build hangs, check the proxy settings first.",
		"When a test is flaky, run it a hundred times before touching it",
		"Write the failing test before the fix.",
		"Every handler should take a context as its first argument.",
		"Keep feature flags in one file so that they can be removed together.",
		"Whenever a column is dropped, deploy the code that ignores it first.",
		"Splitting the job into batches of 500 fixed the timeouts.",
		"We moved secrets into the vault and rotation became a non-event.",
		"To debug a stuck worker, send it SIGQUIT and read the stack.",
		"Wrapping the call in a transaction solved the double booking.",
		"For long migrations, use a shadow table",
		"Before you delete a branch, check that nobody has an open review on it",
		"always pass --locked to cargo install in CI",
		"It helps to name the test after the bug report.",
		"After a schema change run make generate",
		"A short timeout on every outgoing call is the rule here.",
	}, {
		"If the upload fails with 413, look at the limit of the ingress.",
		"When the pipeline is red on main, revert first and investigate later.",
		"In case of a merge conflict in the lock file, regenerate it.",
		"Give every background job an idempotency key.",
		"Dates must be stored in UTC.",
		"Adding an index on created_at fixed the slow dashboard.",
		"Once the certificate is renewed, reload nginx",
		"Ask the maintainer before adding a dependency",
		"For flaky network tests, record the responses once and replay them.",
		"Pinning the base image made our builds reproducible.",
		"you should run the formatter before you open a review",
		"Make the retry budget visible in the metrics",
		"Whenever you add a flag, document it in the same commit.",
		"Switching to streaming parsing solved the memory problem.",
		"To reproduce the crash, start the server with GODEBUG=gctrace=1",
		"We always put the migration into its own pull request",
	}},
	learning.Heuristics: {{
		"The scheduler runs in UTC, not in local time.",
		"GitHub truncates step summaries at one megabyte.",
		"A pod gets thirty seconds between SIGTERM and SIGKILL.",
		"The vendor's sandbox answers 200 even for declined cards.",
		"Postgres folds unquoted identifiers to lower case.",
		"Most flaky failures on the Windows runner are file locks.",
		"The staging cluster has no GPU nodes.",
		"If the queue is longer than a thousand, the workers are usually out of memory.",
		"The first request after a deploy takes about four seconds.",
		"Webhooks arrive out of order.",
		"When the disk is full, SQLite reports an I/O error and not ENOSPC.",
		"The legacy API counts pages from one.",
		"Builds on Fridays are slower because the runners are shared with the nightly jobs.",
		"The feature flag service caches values for a minute.",
	}, {
		"Safari drops cookies of third parties after seven days.",
		"The billing export is ready at about five in the morning.",
		"A Kubernetes job name has at most 63 characters.",
		"The mobile app ships every second Tuesday.",
		"When the token is expired, the API answers 404 rather than 401.",
		"npm runs lifecycle scripts as the owner of the folder.",
		"If a tenant has more than ten seats, the invoice is sent on paper.",
		"Redis evicts keys at random once maxmemory is reached.",
		"The search index lags behind the database by up to two minutes.",
		"Our load balancer closes idle connections after 60 seconds.",
		"The e2e suite needs about nine minutes on a laptop.",
		"Emails to the test domain are never delivered.",
		"Two of the three replicas are in the same zone.",
		"Docker on macOS maps the clock of the VM, which drifts during sleep.",
	}},
}

func TestCategoriesOfFreshSentences(t *testing.T) {
	const minShare = 0.9
	for half := range 2 {
		right, n := 0, 0
		for category, halves := range labelled {
			for _, text := range halves[half] {
				n++
				if got := learning.InferCategory(text); got == category {
					right++
				} else if half == 0 {
					t.Logf("%q is taken for %s, not %s", text, got, category)
				}
			}
		}
		t.Logf("half %d: %d of %d", half+1, right, n)
		if share := float64(right) / float64(n); share < minShare {
			t.Errorf("half %d: %.2f of %d sentences are right, want %.2f", half+1, share, n, minShare)
		}
	}
}
