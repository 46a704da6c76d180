package trigger

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"whence/internal/index"
)

// titles are titles of many kinds of software, by the rule that makes their trigger.
// They have been written for this test: the rules were made with others in view. The
// text after a dash is the description.
var titles = map[string][][2]string{
	"when": {
		{"When the cache is cold", "when cache is cold"},
		{"When retrying a failed upload", "when retrying failed upload"},
		{"When Deploying on Fridays", "when deploying on fridays"},
		{"When a customer asks for deletion", "when customer asks for deletion"},
		{"When rotating the on-call phone between three teams", "when rotating on-call phone between three"},
	},
	"how": {
		{"How to rotate signing keys", "how rotate signing keys"},
		{"How to name a feature flag", "how name feature flag"},
		{"How to Restore a Backup", "how restore backup"},
		{"How to run the `e2e` suite", "how run e2e suite"},
		{"How to add a currency to the checkout page", "how add currency to checkout page"},
	},
	"contrast": {
		{"Optimistic locking vs pessimistic locking", "when choosing optimistic or pessimistic locking"},
		{"Soft deletes vs hard deletes", "when choosing soft or hard deletes"},
		{"Polling versus webhooks", "when choosing polling or webhooks"},
		{"Monorepo vs many repositories", "when choosing monorepo or many repositories"},
		{"SQLite vs PostgreSQL for tests", "when choosing sqlite or postgresql"},
		{"Integer cents vs decimals", "when choosing integer cents or decimals"},
	},
	"preference": {
		{"Postgres over MySQL", "when choosing postgres over mysql"},
		{"Prefer composition over inheritance", "when choosing composition over inheritance"},
		{"Use UUIDs instead of serial ids", "when choosing uuids over serial ids"},
		{"Explicit flags rather than globals", "when choosing explicit flags over globals"},
		{"Boring technology beats novelty", "when choosing boring technology over novelty"},
		{"Integer cents not floats", "when choosing integer cents over floats"},
	},
	"prohibition": {
		{"Never trust client clocks", "when trusting client clocks"},
		{"Do not log passwords", "when logging passwords"},
		{"Don't mock the database", "when mocking database"},
		{"Don’t mock the database", "when mocking database"},
		{"Avoid sharing fixtures", "when sharing fixtures"},
		{"No secrets in images", "when needing secrets in images"},
		{"Never re-use invoice numbers", "when re-using invoice numbers"},
	},
	"gerund": {
		{"Caching rendered pages", "when caching rendered pages"},
		{"Sharding by tenant", "when sharding by tenant"},
		{"Sampling traces at the edge", "when sampling traces at edge"},
		{"Paginating search results", "when paginating search results"},
		{"Throttling login attempts", "when throttling login attempts"},
	},
	"identity": {
		{"Logs are structured events", "when treating logs as structured events"},
		{"Feature flags are debt", "when treating feature flags as debt"},
		{"Config is code", "when treating config as code"},
		{"Migrations are append-only", "when treating migrations as append-only"},
		{"Main is a door", "when treating main as door"},
	},
	"imperative": {
		{"Pin base images", "when pinning base images"},
		{"Keep handlers thin", "when keeping handlers thin"},
		{"Validate input at the boundary", "when validating input at boundary"},
		{"Wrap errors with context", "when wrapping errors with context"},
		{"Test every public function", "when testing every public function"},
		{"Log the request id", "when logging request id"},
		{"API: keep responses small", "when keeping responses small"},
	},
	"statement": {
		{"Linters catch unused exports", "when catching unused exports with linters"},
		{"Timeouts protect the pool", "when protecting pool with timeouts"},
		{"Jobs must declare a deadline", "when declaring deadline with jobs"},
		{"Services should emit metrics", "when emitting metrics with services"},
		{"Backups require a restore drill", "when working on backups"},
		{"Schema changes need two releases", "when working on schema changes"},
	},
	"action": {
		{"Duplicate detection strategy", "when detecting duplicate"},
		{"Tenant isolation", "when isolating tenant"},
		{"Image compression for thumbnails", "when compressing image for thumbnails"},
		{"Invoice reconciliation", "when reconciling invoice"},
		{"Review of generated code", "when reviewing generated code"},
		{"Vacuum scheduling", "when scheduling vacuum"},
	},
	"use": {
		{"Health check endpoint", "when adding health check endpoint"},
		{"Rate limits", "when setting rate limits"},
		{"Golden file fixtures", "when writing golden file fixtures"},
		{"Search index schema", "when defining search index schema"},
		{"SessionStart hook", "when using session start hook"},
	},
	"topic": {
		{"Fonts", "when working on fonts"},
		{"Timezones in reports", "when working on timezones in reports"},
		{"Invoices and receipts", "when working on invoices and receipts"},
		{"iOS + Android builds", "when working on ios and android"},
		{"Größe der Seiten", "when working on größe der seiten"},
		{"日本語の索引", "when working on 日本語の索引"},
		{"Deploys (blue/green)", "when working on deploys"},
	},
	"action on the description": {{"Solution — retry with jitter, then fail", "when retrying with jitter"}},
	"use on the description":    {{"Problem — stale cache entries, slow pages", "when writing stale cache entries"}},
	"topic on the description":  {{"Principle — one owner per table", "when working on one owner"}},
}

func TestTriggersByRule(t *testing.T) {
	for rule, cases := range titles {
		for _, c := range cases {
			title, description, _ := strings.Cut(c[0], " — ")
			d := Derive(Section{Title: title, Description: description})
			require.Equal(t, c[1], d.Operator+" "+strings.Join(d.Words, " "), title)
			require.Equal(t, rule, d.Rule, title)
			requireDerived(t, title, description)
			require.GreaterOrEqual(t, len(d.Words), 2, title)
		}
	}
	for _, s := range append(slices.Clone(shapes), lastShape) {
		require.GreaterOrEqual(t, len(titles[s.name]), 5, "titles for rule %s", s.name)
	}
}

// requireDerived requires what is true of every derived trigger: five words at most,
// in small letters and the signs that it may have, the same each time.
func requireDerived(t testing.TB, title, description string) {
	t.Helper()
	d := Derive(Section{Title: title, Description: description})
	require.Equal(t, d, Derive(Section{Title: title, Description: description}), title)
	require.True(t, index.IsOperator(d.Operator))
	require.LessOrEqual(t, len(d.Words), maxTriggerWords, "%q gives %q", title, d.Words)
	for _, word := range d.Words {
		for _, r := range word {
			require.True(t, unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("-'/._", r), "%q gives %q", title, d.Words)
			require.Equal(t, r, unicode.ToLower(r), "%q gives %q", title, d.Words)
		}
	}
	if len(d.Words) > 0 {
		last := d.Words[len(d.Words)-1]
		require.False(t, joints()[last] || articles()[last], "%q gives %q", title, d.Words)
	}
}

func FuzzDerive(f *testing.F) {
	for _, rule := range slices.Sorted(maps.Keys(titles)) {
		for _, c := range titles[rule] {
			title, description, _ := strings.Cut(c[0], " — ")
			f.Add(title, description)
		}
	}
	for _, title := range []string{"", "The", "When ", "How to ???", "vs", "a vs", "is a is", "not over", "X must", "do not", "No", ": ", " (", "((", "A,", "v1 2 3"} {
		f.Add(title, "")
	}
	f.Fuzz(func(t *testing.T, title, description string) { requireDerived(t, title, description) })
}

func TestGerund(t *testing.T) {
	for _, c := range strings.Fields(`
		add:adding allow:allowing be:being begin:beginning bind:binding break:breaking build:building cache:caching
		check:checking choose:choosing clean:cleaning commit:committing copy:copying create:creating cut:cutting
		debug:debugging define:defining delete:deleting deploy:deploying die:dying drop:dropping edit:editing
		embed:embedding ensure:ensuring fix:fixing forget:forgetting format:formatting free:freeing freeze:freezing
		get:getting handle:handling keep:keeping lint:linting log:logging make:making map:mapping merge:merging
		migrate:migrating mock:mocking move:moving notify:notifying omit:omitting parse:parsing pass:passing
		pin:pinning plan:planning prefer:preferring prune:pruning put:putting read:reading reset:resetting
		retry:retrying run:running see:seeing set:setting ship:shipping skip:skipping split:splitting stop:stopping
		submit:submitting sync:syncing tag:tagging tie:tying transfer:transferring trigger:triggering trim:trimming
		use:using validate:validating verify:verifying wrap:wrapping write:writing
		auto-commit:auto-committing re-run:re-running double-check:double-checking caching:caching`) {
		verb, want, _ := strings.Cut(c, ":")
		require.Equal(t, want, gerund(verb))
	}
}

func TestPresentTense(t *testing.T) {
	for _, c := range strings.Fields("add:adds catch:catches push:pushes pass:passes fix:fixes retry:retries deploy:deploys use:uses") {
		verb, want, _ := strings.Cut(c, ":")
		require.Equal(t, want, presentTense(verb))
	}
}

func TestSplitCamel(t *testing.T) {
	for word, want := range map[string]string{
		"SessionStart": "Session Start", "WebSocketClient": "Web Socket Client", "ÄnderungsLog": "Änderungs Log",
		"GitHub": "GitHub", "PostgreSQL": "PostgreSQL", "JavaScript": "JavaScript", "iOS": "iOS", "HTTPServer": "HTTPServer",
		"plain": "plain", "Plain": "Plain", "UPPER": "UPPER", "x": "x", "IdMap": "IdMap", "file.GoName": "file.GoName", "日本": "日本",
	} {
		require.Equal(t, want, strings.Join(splitCamel(word), " "))
	}
}

func TestTriggerWords(t *testing.T) {
	for text, want := range map[string]string{
		"Größe prüfen!":             "größe prüfen",
		"`__init__.py` (package)":   "__init__.py package",
		"don’t say \"never\"":       "don't say never",
		"and/or, e.g. a --flag":     "and/or e.g a flag",
		"a|b — c + d = e":           "a b c d e",
		"v1.2.3. /etc/hosts ~/.ssh": "v1.2.3 etc/hosts .ssh",
		"'quoted' -x-":              "quoted x",
		"?!… — ::":                  "",
		"re\u0301sume\u0301 ИНДЕКС": "re\u0301sume\u0301 индекс",
		"*bold* *and* **bolder**":   "bold and bolder",
		"tabs\tand\nlines\u00a0too": "tabs and lines too",
	} {
		require.Equal(t, want, strings.Join(Words(text), " "))
	}
}

// A trigger that another entry has gets a word more: of the further texts, at last a
// number.
func TestTriggersAreMadeUnique(t *testing.T) {
	triggers := NewSet(0)
	var got []string
	for range 6 {
		trigger, added := triggers.Unique("when", []string{"rounding", "vat"}, "Rounding of the VAT pattern", "cents, the rounding", "billing")
		got = append(got, trigger+" +"+added)
	}
	require.Equal(t, []string{
		"rounding vat +", "rounding vat cents +cents", "rounding vat billing +billing",
		"rounding vat 2 +2", "rounding vat 3 +3", "rounding vat 4 +4",
	}, got)
	trigger, added := triggers.Unique("how", []string{"rounding", "vat"})
	require.Equal(t, "rounding vat", trigger+added, "another operator is another trigger")
}
