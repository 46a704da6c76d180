package trigger

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"whence/internal/index"
)

var titles = [][2]string{
	{"Duplicate detection strategy", "when duplicate detection strategy"},
	{"Pin the base images", "when pinning base images"},
	{"Log the request id", "when logging request id"},
	{"Log levels", "when log levels"},
	{"Never trust client clocks", "when trusting client clocks"},
	{"Do not log passwords", "when logging passwords"},
	{"Don’t mock the database", "when mocking database"},
	{"Always lock the table", "when locking table"},
	{"No feature branches", "when no feature branches"},
	{"When the cache is cold", "when cache is cold"},
	{"How to rotate signing keys", "how rotate signing keys"},
	{"How to test", "how test"},
	{"Use one queue for each tenant that pays for it", "when using one queue for each tenant"},
	{"Webhooks are signed with the partner's own key", "when webhooks are signed with partner's own"},
	{"Three retries hide outages nobody ever looks at", "when three retries hide outages nobody ever"},
	{"4. Invoice rounding (2026)", "when invoice rounding 2026"},
	{"Labels are printed through a queue", "when labels are printed through queue"},
	{"Fonts", "when fonts"},
	{".Fonts", "when fonts"},
	{"Größe der Seiten", "when größe der seiten"},
	{"日本語の索引", "when 日本語の索引"},
	{"Use Vue 3", "when using vue 3"},
	{"C# and F# interop", "when c# and f# interop"},
	{"Compile C++, once", "when compiling c++ once"},
	{"Set `lock_timeout` to 5s in config.py", "when set lock_timeout to 5s in config.py"},
	{"`when` expressions", "when when expressions"},
	{"Prefer `Vec<T>` over `&[T]`", "when preferring vec t over t"},
	{"~~Use npm~~ Use pnpm[^1]", "when using pnpm"},
	{"~~Use npm~~", "when using npm"},
	{"Publish docs at https://docs.example.org/x", "when publishing docs at"},
	{"Use [Renovate](https://docs.renovatebot.com) for updates", "when using renovate for updates"},
	{"![icon](i.svg) Cache &amp; <kbd>keys</kbd>", "when icon cache keys"},
	{"Rotate keys {#id-three}", "when rotating keys"},
	{"Rotate keys[^1]<br>of `x<br>y`", "when rotating keys of x br y"},
	{"_Keep_ `__init__.py` __small__", "when keeping __init__.py small"},
	{"Écrire la facture: a l’heure", "when écrire la facture a l'heure"},
	{"Eine Datei an den Server senden", "when eine datei an den server senden"},
	{"支付回调必须先保存幂等键", "when 支付回调必须先保存幂等键"},
	{"**Keep** handlers *thin* <!-- for now -->", "when keeping handlers thin"},
	{"The", "when "},
	{"!?", "when "},
}

func TestDerive(t *testing.T) {
	for _, c := range titles {
		operator, words := Derive(c[0])
		require.Equal(t, c[1], operator+" "+strings.Join(words, " "), c[0])
	}
}

// Every draft is a valid trigger, and the same each time.
func FuzzDerive(f *testing.F) {
	for _, c := range titles {
		f.Add(c[0])
	}
	for _, title := range []string{"", "When ", "never", "do not", "how to", "a the an", ": ", " (", "((", "![", "]()", "<!--", "{#", "`<", "v1 2 3", "-- keep", "use-"} {
		f.Add(title)
	}
	f.Fuzz(func(t *testing.T, title string) {
		operator, words := Derive(title)
		require.True(t, index.IsOperator(operator))
		require.LessOrEqual(t, len(words), maxTriggerWords, "%q gives %q", title, words)
		for _, r := range strings.Join(words, "") {
			require.True(t, unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("-'/._#+", r), "%q gives %q", title, words)
			require.Equal(t, r, unicode.ToLower(r), "%q gives %q", title, words)
		}
		_, again := Derive(title)
		require.Equal(t, words, again)
	})
}

func TestGerund(t *testing.T) {
	for _, c := range strings.Fields(`
		add:adding allow:allowing be:being begin:beginning bind:binding break:breaking build:building cache:caching
		check:checking choose:choosing clean:cleaning commit:committing copy:copying create:creating cut:cutting
		define:defining delete:deleting deploy:deploying do:doing drop:dropping edit:editing
		embed:embedding ensure:ensuring fix:fixing forget:forgetting free:freeing freeze:freezing
		get:getting handle:handling keep:keeping lint:linting log:logging make:making map:mapping merge:merging
		migrate:migrating mock:mocking move:moving notify:notifying omit:omitting parse:parsing pass:passing
		pin:pinning plan:planning prefer:preferring prune:pruning put:putting read:reading reset:resetting
		retry:retrying run:running see:seeing set:setting ship:shipping skip:skipping split:splitting stop:stopping
		submit:submitting sync:syncing tag:tagging trigger:triggering trim:trimming
		use:using validate:validating verify:verifying wrap:wrapping write:writing caching:caching`) {
		verb, want, _ := strings.Cut(c, ":")
		require.Equal(t, want, gerund(verb))
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

// A trigger that another entry has gets one word more: of the further texts, or else a number.
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
