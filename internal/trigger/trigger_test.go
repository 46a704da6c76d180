package trigger

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"whence/internal/index"
)

// titles are drafted without a description.
var titles = [][2]string{
	{"Duplicate detection strategy", "when duplicate detection strategy"},
	{"Pin the base images", "when pinning the base images"},
	{"Log the request id", "when logging the request id"},
	{"Log levels", "when log levels"},
	{"Merge small batches into one", "when merging small batches into one"},
	{"Set up one runner", "when setting up one runner"},
	{"Use cases of the importer", "when use cases of the importer"},
	{"Never trust client clocks", "when trusting client clocks"},
	{"Do not log passwords", "when logging passwords"},
	{"Don’t mock the database", "when mocking the database"},
	{"Always lock the table", "when locking the table"},
	{"Never Auto-Commit in Interactive Sessions", "when auto-committing in interactive sessions"}, // R11
	{"Always format, then lint", "when formatting then lint"},
	{"Never auto-run migrations", "when auto-running migrations"},
	{"Do not re-submit forms", "when re-submitting forms"},
	{"Formatting of money", "when formatting of money"},
	{"Never frobnicate rows", "when never frobnicate rows"}, // no verb that is known
	{"No feature branches", "when no feature branches"},
	{"When the cache is cold", "when the cache is cold"},
	{"How to rotate signing keys", "how rotate signing keys"},
	{"How to test", "how test"},
	{"Use one queue for each tenant that pays for it", "when using one queue for each tenant"},
	{"Use Postgres because we know it", "when using postgres"},
	{"Cache pages and purge them hourly", "when cache pages and purge them hourly"},
	{"Keep pages and purge them hourly", "when keeping pages"},
	{"Make sure that the clock is synchronized everywhere", "when making sure that the clock is synchronized"},
	{"Webhooks are signed with the partner's own key", "when webhooks are signed"},
	{"Three retries hide outages nobody ever looks at", "when three retries hide outages nobody ever looks"},
	{"Cursor pages: offsets skip rows while clients insert", "when cursor pages"},
	{"4. Invoice rounding (2026)", "when invoice rounding 2026"},
	{"Labels are printed through a queue", "when labels are printed through a queue"},
	{"Growth & Consolidation + Review", "when growth and consolidation and review"},
	{"Fonts", "when fonts"},
	{".Fonts", "when fonts"},
	{"Größe der Seiten", "when größe der seiten"},
	{"日本語の索引", "when 日本語の索引"},
	{"Use Vue 3", "when using vue 3"},
	{"C# and F# interop", "when c# and f# interop"},
	{"Compile C++, once", "when compiling c++ once"},
	{"Set `lock_timeout` to 5s in config.py", "when set lock_timeout to 5s in config.py"},
	{"`when` expressions", "when when expressions"},
	{"`use` statements", "when use statements"},
	{"GET requests are safe", "when get requests are safe"},
	{"Prefer `Vec<T>` over `&[T]`", "when preferring vec t over t"},
	{"~~Use npm~~ Use pnpm[^1]", "when using pnpm"},
	{"~~Use npm~~", "when use npm"},
	{"Publish docs at https://docs.example.org/x", "when publishing docs"},
	{"Use [Renovate](https://docs.renovatebot.com) for updates", "when using renovate for updates"},
	{"![icon](i.svg) Cache &amp; <kbd>keys</kbd>", "when icon cache and keys"},
	{"Rotate keys {#id-three}", "when rotating keys"},
	{"Rotate keys[^1]<br>of `x<br>y`", "when rotating keys of x br y"},
	{"_Keep_ `__init__.py` __small__", "when keeping __init__.py small"},
	{"Écrire la facture: a l’heure", "when écrire la facture a l'heure"},
	{"Eine Datei an den Server senden", "when eine datei an den server senden"},
	{"Use índices parciales para las consultas", "when use índices parciales para las consultas"},
	{"支付回调必须先保存幂等键", "when 支付回调必须先保存幂等键"},
	{"**Keep** handlers *thin* <!-- for now -->", "when keeping handlers thin"},
	{"The", "when the"},
	{"!?", "when "},
}

func TestDerive(t *testing.T) {
	for _, c := range titles {
		operator, words := Derive(c[0], "", 20)
		require.Equal(t, c[1], operator+" "+strings.Join(words, " "), c[0])
	}
}

// Where the title has no verb, the description's is taken (Q2).
func TestDeriveFromDescription(t *testing.T) {
	for _, c := range [][3]string{
		{"Mock patching pattern", "patch where used, not defined", "patching where used"},
		{"Mock patching pattern", "patch where object is used not where defined", "patching where object is used"},
		{"Error output", "use stderr", "error output"}, // too little without its title
		{"Certificates", "We will defer this until a later date.", "certificates"},
		{"Certificates", "We have decided to defer renewal until June.", "deferring renewal until june"},
		{"Records", "We forget why things are as they are.", "records"}, // no order
		{"Records", "We record each decision in a file.", "recording each decision in a file"},
		{"Hosting", "We are using one region.", "using one region"},
		{"Queue", "We do not poll for jobs.", "polling for jobs"},
		{"Handoff", "always end with a commit, whatever the tier", "ending with a commit"},
		{"Title extraction", "handle both string and array text blocks content formats", "handling both string and array text blocks"},
		{"Levels", "log levels are few", "levels"},
		{"Immutable requirements", "updating requires confirmation", "immutable requirements"}, // a subject
		{"Seeding before generation", "seed the indexes first", "seeding before generation"},
		{"Pin the images", "use a digest for each", "pinning the images"},
		{"Índices", "use índices parciales para las consultas", "índices"},
	} {
		_, words := Derive(c[0], c[1], 17)
		require.Equal(t, c[2], strings.Join(words, " "), c)
	}
}

// A draft is known by how it was made, not by its length (P4).
func TestIsDerived(t *testing.T) {
	const title, description = "Render (all) `<Button>` kinds through one wrapper component here", "Themes apply once"
	for trigger, want := range map[string]bool{
		"render all button kinds through one wrapper component here":        true, // the title in lower case
		"render all button kinds":                                           true,
		"render all button kinds through one wrapper component here themes": true, // one word more made it unique
		"rendering a button":                                                false,
		"render":                                                            false,
		"":                                                                  false,
	} {
		require.Equal(t, want, IsDerived(index.Key{Operator: "when", Trigger: trigger}, title, description), trigger)
	}
	require.False(t, IsDerived(index.Key{Operator: "how", Trigger: "render all button kinds"}, title, description))
	require.True(t, IsDerived(index.Key{Operator: "when", Trigger: "patching where used"}, "Mock patching pattern", "patch where used, not defined"))
	require.True(t, IsDerived(index.Key{Operator: "when", Trigger: "支付回调必"}, "支付回调必须先保存幂等键", ""))
}

// Every draft is a valid trigger, and the same each time.
func FuzzDerive(f *testing.F) {
	for _, c := range titles {
		f.Add(c[0], "We will use "+c[0], 12)
	}
	for _, title := range []string{"", "When ", "never", "do not", "how to", "a the an", ": ", " (", "((", "![", "]()", "<!--", "{#", "`<", "v1 2 3", "-- keep", "use-"} {
		f.Add(title, title, 1)
	}
	f.Fuzz(func(t *testing.T, title, description string, left int) {
		operator, derived := Derive(title, description, left)
		require.True(t, index.IsOperator(operator))
		require.LessOrEqual(t, len(derived), maxTriggerWords, "%q gives %q", title, derived)
		for _, r := range strings.Join(derived, "") {
			require.True(t, unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("-'/._#+", r), "%q gives %q", title, derived)
			require.Equal(t, r, unicode.ToLower(r), "%q gives %q", title, derived)
		}
		_, again := Derive(title, description, left)
		require.Equal(t, derived, again)
	})
}

func TestGerund(t *testing.T) {
	for _, c := range strings.Fields(`
		add:adding allow:allowing auto-commit:auto-committing auto-run:auto-running be:being begin:beginning bind:binding break:breaking
		build:building cache:caching check:checking choose:choosing clean:cleaning commit:committing control:controlling copy:copying
		create:creating cut:cutting debug:debugging defer:deferring define:defining delete:deleting deploy:deploying develop:developing
		do:doing drop:dropping edit:editing embed:embedding ensure:ensuring fix:fixing forget:forgetting format:formatting free:freeing
		freeze:freezing get:getting handle:handling input:inputting keep:keeping limit:limiting lint:linting log:logging make:making
		map:mapping merge:merging migrate:migrating mimic:mimicking mock:mocking monitor:monitoring move:moving notify:notifying
		omit:omitting order:ordering override:overriding parse:parsing pass:passing permit:permitting pin:pinning plan:planning
		prefer:preferring prune:pruning put:putting queue:queuing quit:quitting re-submit:re-submitting read:reading rerun:rerunning
		reset:resetting retry:retrying run:running see:seeing set:setting ship:shipping skip:skipping split:splitting stop:stopping
		submit:submitting sync:syncing tag:tagging target:targeting tie:tying transfer:transferring trigger:triggering trim:trimming
		unpin:unpinning use:using validate:validating verify:verifying visit:visiting wrap:wrapping write:writing`) {
		verb, want, _ := strings.Cut(c, ":")
		require.Equal(t, want, gerund(verb))
	}
}

// A word that is in both tables would be either by chance.
func TestTablesOfVerbs(t *testing.T) {
	seen := map[string]bool{}
	for word := range strings.FieldsSeq(verbs + " " + nounsToo) {
		require.False(t, seen[word], word)
		seen[word] = true
		require.NotEqual(t, gerundForm, kindOf(word), word)
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"Größe prüfen!":             "größe prüfen",
		"`__init__.py` (package)":   "__init__.py package",
		"don’t say \"never\"":       "don't say never",
		"and/or, e.g. a --flag":     "and/or e.g a flag",
		"a|b — c & d = e":           "a b c d e",
		"v1.2.3. /etc/hosts ~/.ssh": "v1.2.3 etc/hosts .ssh",
		"'quoted' -x-":              "quoted x",
		"?!… — ::":                  "",
		"re\u0301sume\u0301 ИНДЕКС": "re\u0301sume\u0301 индекс",
		"*bold* *and* **bolder**":   "bold and bolder",
		"tabs\tand\nlines\u00a0too": "tabs and lines too",
		"C#, `F#` and issue#4":      "c# f# and issue#4",
	} {
		require.Equal(t, want, strings.Join(Words(text), " "))
	}
}

// A trigger that another entry has gets one more word: of the further texts, or else a number.
func TestTriggersAreMadeUnique(t *testing.T) {
	triggers := Set{}
	var got []string
	for range 6 {
		trigger, added := triggers.Unique("when", []string{"rounding", "vat"}, "Rounding of the VAT", "cents, the rounding", "billing")
		got = append(got, trigger+" +"+added)
	}
	require.Equal(t, []string{
		"rounding vat +", "rounding vat cents +cents", "rounding vat billing +billing",
		"rounding vat 2 +2", "rounding vat 3 +3", "rounding vat 4 +4",
	}, got)
	trigger, added := triggers.Unique("how", []string{"rounding", "vat"})
	require.Equal(t, "rounding vat", trigger+added, "another operator is another trigger")
}
