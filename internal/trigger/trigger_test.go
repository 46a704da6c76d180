package trigger

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/index"
)

// titles are titles of many kinds of software, by the rule that makes their trigger.
// They have been written for this test: the rules were made with others in view.
var titles = map[string][][2]string{
	"when": {
		{"When the cache is cold", "when cache is cold"},
		{"When retrying a failed upload", "when retrying failed uploads"},
		{"When Deploying on Fridays", "when deploying on fridays"},
		{"When to page the on-call", "when paging the on-call"},
		{"When rotating the on-call phone between three teams", "when rotating the on-call phone"},
		{"When a fetch fails because the proxy strips the header", "when fetch fails"},
	},
	"how": {
		{"How to rotate signing keys", "how rotate signing keys"},
		{"How to name a feature flag", "how name feature flags"},
		{"How to run the `e2e` suite", "how run the e2e suite"},
		{"How to add a currency to the checkout page", "how add currencies to the checkout page"},
	},
	"question": {
		{"What may be cached?", "when deciding what may be cached"},
		{"Where to put fixtures", "when deciding where to put fixtures"},
		{"What is a stable id?", "when stable id"},
		{"Which region do we use?", "when deciding which region do we use"},
		{"Should we mock the clock?", "when mocking the clock"},
		{"How do I add a currency?", "when adding currencies"},
		{"When should we shard a table?", "when sharding tables"},
	},
	"contrast": {
		{"Optimistic locking vs pessimistic locking", "when choosing between optimistic and pessimistic locking"},
		{"Soft deletes vs hard deletes", "when choosing between soft and hard deletes"},
		{"Polling versus webhooks", "when polling versus webhooks"},
		{"SQLite vs. PostgreSQL for tests", "when sqlite vs postgresql for tests"},
		{"Formatter vs linter conflict", "when formatter vs linter conflict"},
		{"UX: Speed vs Safety", "when speed vs safety in ux"},
	},
	"prohibition": {
		{"Never trust client clocks", "when trusting client clocks"},
		{"Do not log passwords", "when logging passwords"},
		{"Don’t mock the database", "when mocking the database"},
		{"Avoid sharing fixtures", "when sharing fixtures"},
		{"Never re-use invoice numbers", "when re-using invoice numbers"},
		{"Never nag a reviewer", "when nagging reviewers"},
	},
	"absence": {
		{"No secrets in images", "when considering secrets in images"},
		{"No feature branches", "when considering feature branches"},
		{"No polling in tests", "when polling in tests"},
	},
	"imperative": {
		{"Pin the base images", "when pinning the base images"},
		{"Keep handlers thin", "when keeping handlers thin"},
		{"Prefer composition over inheritance", "when preferring composition over inheritance"},
		{"Test every public function", "when testing every public function"},
		{"Log the request id", "when logging the request id"},
		{"Always lock the table", "when locking the table"},
		{"API: keep responses small", "when keeping responses small"},
		{"Validate and normalize input", "when validating and normalizing input"},
		{"Wrap errors with context, never with noise", "when wrapping errors with context"},
		{"Use one queue for each tenant that pays for it", "when using one queue for each tenant"},
		{"Edit routes.go", "when editing routes.go"},
	},
	"predicate": {
		{"Metrics unavailable in previews", "when metrics are unavailable in previews"},
		{"Shell access forbidden during releases", "when shell access is forbidden during releases"},
		{"Path labels required", "when path labels"},
		{"Review labels required", "when review labels are required"},
	},
	"identity": {
		{"Commits are sync points", "when treating commits as sync points"},
		{"Precommit is read-only", "when treating precommit as read-only"},
		{"Migrations are one-way", "when treating migrations as one-way"},
	},
	"statement": {
		{"Linters catch unused exports", "when catching unused exports with linters"},
		{"Outlines enable early review", "when early review with outlines"},
		{"Gates reduce overhead", "when reducing overhead with gates"},
		{"A design review uses Opus", "when using opus for design review"},
		{"Recall beats awareness", "when choosing recall over awareness"},
		{"Helpers stay with their callers", "when placing helpers"},
	},
	"title": {
		{"Duplicate detection strategy", "when duplicate detection strategy"},
		{"Image compression for thumbnails", "when image compression for thumbnails"},
		{"Launch configuration changes", "when launch configuration changes"},
		{"Open questions", "when open questions"},
		{"Edit locations", "when edit locations"},
		{"Use cases for exports", "when use cases for exports"},
		{"SessionStart hook", "when session start hook"},
		{"iOS + Android builds", "when ios and android builds"},
		{"Filtering module as a foundation", "when filtering module as foundation"},
		{"Paginating search results", "when paginating search results"},
		{"Feature flags are debt", "when feature flags are debt"},
		{"The nightly import loses a file that the vendor renames", "when nightly import loses the file"},
		{"Backups require a restore drill every quarter at least", "when backups require the restore drill"},
		{"Your working copy can change during a long test run", "when working copy"},
		{"Billing: Invoice Numbering", "when invoice numbering"},
		{"Release Phase: Note Writing", "when note writing in the release phase"},
		{"Rate Limit Placement: Edge of Network", "when rate limit placement"},
		{"Größe der Seiten", "when größe der seiten"},
		{"4. Invoice rounding (2026)", "when invoice rounding"},
		{"Gate D+B rollout", "when gate rollout"},
	},
	"topic": {
		{"Fonts", "when working on fonts"},
		{"Deploys (blue/green)", "when working on deploys"},
		{"日本語の索引", "when working on 日本語の索引"},
	},
}

func TestTriggersByRule(t *testing.T) {
	for rule, cases := range titles {
		for _, c := range cases {
			d := Derive(Section{Title: c[0]})
			require.Equal(t, c[1], d.Operator+" "+strings.Join(d.Words, " "), c[0])
			require.Equal(t, rule, d.Rule, c[0])
			requireDerived(t, Section{Title: c[0]})
			require.GreaterOrEqual(t, len(d.Words), minTriggerWords, c[0])
		}
	}
	for _, s := range shapes {
		require.GreaterOrEqual(t, len(titles[s.name]), 3, "titles for rule %s", s.name)
	}
}

// A title that names no subject gets words of the titles above it.
func TestTriggersOfGeneralTitles(t *testing.T) {
	for _, c := range []struct {
		title   string
		parents []string
		want    string
	}{
		{"Problem", []string{".Invoice Export Architecture", "Billing"}, "invoice export problem"},
		{"Processing Order", []string{"Design Decisions", ".Invoice Export"}, "processing order in invoice export"},
		{"Pipeline Architecture", []string{"Nightly Import Pipeline"}, "nightly import pipeline architecture"},
		{"Success metrics", []string{"Import approach"}, "success metrics in the import approach"},
		{"Testing", []string{"Schema changes"}, "testing schema changes"},
		{"Steps", []string{"Releases"}, "steps in releases"},
		{"Naming", []string{"metrics"}, "naming metrics"},
		{"Overview", []string{"Overview", "2026-01-02"}, "working on overview"},
		{"Invoice rounding", []string{"Billing"}, "invoice rounding"},
	} {
		require.Equal(t, c.want, strings.Join(Derive(Section{Title: c.title, Parents: c.parents}).Words, " "), c.title)
	}
}

// The decision is used where the title is not understood, if it is an order.
func TestTriggersOfDecisions(t *testing.T) {
	for _, c := range [][3]string{
		{"Extend vs. new functions", "**Decision:** Extend `fix_lines` for lists, create others for code.\n", "extending fix_lines for lists"},
		{"Extend vs. new functions", "**Decision:** We extend it.", "extend vs new functions"},
		{"Invoice rounding", "**Decision:** Round half to even", "invoice rounding"},
		{"Awareness beats recall", "**Decision**: Embed critical knowledge in loaded context (the index).", "choosing awareness over recall"},
		{"Awareness beats recall", "**Decision:** Append new section to the file.", "choosing awareness over recall"},
		{"Delegation with context", "**Decision:** Don't delegate when context is already loaded.", "delegating while context is already loaded"},
		{"Tables are binding", "**Decision:** Read design tables literally.", "reading design tables"},
		{"Commits are sync points", "**Trigger:** When adding states to a commit, extend it.", "adding states to commits"},
		{"Seeding before generation", "**Decision:** No. **Anti-pattern:** Leaving knowledge indexes empty until they run.", "seeding before generation"},
		{"Cursors over offsets", "Offsets skip rows when something is inserted.", "cursors over offsets"},
		{"Tables are binding", "**Decision:** Vet validates file paths.", "tables are binding"},
		{"Invoices immutable after closing", "**Decision:** Ask. **Anti-pattern:** Updating invoice lines when they're wrong.", "updating invoice lines"},
		{"Loaded page overrides cache", "**Correct pattern:** If page content is present in memory (by preload), render it.", "page content is present in memory"},
		{"Cold start assumption", "**Decision:** Warm up when start is slow", "cold start assumption"},
		{"Layered lookup pattern", "**Decision:** Lookups require several layers, not one.", "lookups require several layers"},
		{"Host keys pattern", "**Pattern:** Host names serve as keys (no ids).", "host names serve as keys"},
		{"Seeding before imports", "**Decision:** Seed tables with rows pointing to real accounts", "seeding tables with rows"},
		{"Slow path first", "**Decision:** No. **Anti-pattern:** Testing slow paths first (then none).", "testing slow paths first"},
		{"Default open, mark public", "**Decision:** Default open. **Anti-pattern:** Mark public pages with special syntax.", "marking public pages with special syntax"},
		{"Default open, mark public", "**Decision:** Default open. **Anti-pattern:** Mark public pages with special syntax, leave others unmarked.", "default open"},
		{"Findings inline transport", "**Decision:** One. **Anti-pattern:** Build agent writes findings to a file.", "build agent writes findings to files"},
		{"PowerShell: Casesensitive Matching 98", "**Skill-7: Case-Sensitive Matching**\n\nText.", "case-sensitive matching"},
		{"Casesensitive matching", "**Well-known limits:**\n", "casesensitive matching"},
	} {
		require.Equal(t, c[2], strings.Join(Derive(Section{Title: c[0], Text: c[1]}).Words, " "), c[1])
	}
}

func TestSectionOf(t *testing.T) {
	f := decision.Parse("agents/decisions/billing.md", []byte("# Billing\n\n## .Export\n\n### Format\n\nText.\n"))
	require.Equal(t, Section{Title: "Format", Text: "\nText.\n", Parents: []string{".Export", "Billing", "billing"}}, SectionOf(f, 2))
}

// requireDerived requires what is true of every derived trigger: six words at most, in small letters
// and the signs that it may have, the same each time.
func requireDerived(t testing.TB, s Section) {
	t.Helper()
	d := Derive(s)
	require.Equal(t, d, Derive(s), s.Title)
	require.True(t, index.IsOperator(d.Operator))
	require.LessOrEqual(t, len(d.Words), maxTriggerWords, "%q gives %q", s.Title, d.Words)
	require.True(t, d.Confidence > 0 && d.Confidence < 1, "%q gives %v", s.Title, d.Confidence)
	for _, word := range d.Words {
		for _, r := range word {
			require.True(t, unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("-'/._", r), "%q gives %q", s.Title, d.Words)
			require.Equal(t, r, unicode.ToLower(r), "%q gives %q", s.Title, d.Words)
		}
	}
	if len(d.Words) > 0 {
		require.False(t, loose()[d.Words[len(d.Words)-1]], "%q gives %q", s.Title, d.Words)
	}
}

func FuzzDerive(f *testing.F) {
	for _, rule := range slices.Sorted(maps.Keys(titles)) {
		for _, c := range titles[rule] {
			f.Add(c[0], "", "Decision notes")
		}
	}
	for _, title := range []string{"", "The", "When ", "How to ???", "vs", "a vs", "is a is", "not over", "X must", "do not", "No", ": ", " (", "((", "A,", "v1 2 3", "a: ", "Pipeline"} {
		f.Add(title, "**Decision:** Use it", "Nightly pipeline")
	}
	f.Fuzz(func(t *testing.T, title, text, parent string) {
		requireDerived(t, Section{Title: title, Text: text, Description: text, Parents: []string{parent}})
	})
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
