package trigger

import (
	"strings"
	"sync"
)

// imperatives are verbs that begin a title as an order ("Use X", "Keep Y") and are hardly
// ever nouns.
var imperatives = set(`
	add adopt allow analyze apply append ask assert assign assume attach avoid become begin bind
	bring bypass call capture carry catch cause choose clean clear close collect combine compare compile
	compute configure confirm consolidate convert create declare decide decouple deduplicate define
	delete delegate deliver deploy derive detect determine disable discard discover drop embed emit
	enable encode encapsulate enforce ensure escalate escape evaluate exclude execute expand explain
	expose extend extract fail fetch find flatten follow forbid freeze generate get give grant handle
	hide identify ignore implement include inject inline insert inspect install integrate invoke isolate
	iterate join keep launch let load locate maintain make measure migrate minimize mount move
	normalize notify obtain omit open optimize organize override parse pass pick pin prefer prepare
	preserve prevent prioritize produce promote propagate protect prove provide prune publish put
	raise read recover redact reduce refactor refuse register reject rely remove rename render reorder
	repeat replace reserve reset resolve respect restore restrict resume reuse revert revoke rewrite
	rotate run sanitize save select send separate serialize serve ship simplify skip specify squash
	start stop store strip submit suppress take tell throttle throw transform treat trim truncate try
	unify unpack update upload use validate verify warn wrap write`)

// eitherWay are verbs that are as often nouns. They begin an order only before a determiner.
var eitherWay = set(`
		batch block bundle check commit copy count cover design document edit export fix format group guard guide
		import limit list lock log match merge mirror mock monitor name order patch place plan point print process
		prompt pull push quote record release report require retry review route scan schedule search set show sort
		split stage stream switch test track transfer trigger trust turn version wait`)

// alsoNouns are imperatives that begin a title as nouns or adjectives too: "Launch configuration",
// "Open questions". Those of eitherWay that hardly do are orders.
var (
	alsoNouns = set(`
		open launch call cause close read catch bypass stop start clear clean empty load mount fetch insert
		override reuse reset restore store release render squash drop join include return separate escape
		compute compile parse deploy install delegate bind capture grant inline update save select transform
		throttle get put resume upload ignore build seed answer bound exit`)
	orders = set("fix edit require turn wait cover be run write")
)

// moreVerbs begin a title only as an order.
var moreVerbs = set(`
	adjust align authenticate authorize automate backport cancel centralise centralize clarify
	compress connect consider coordinate decrypt deduplicate defer deprecate describe diagnose disallow distinguish
	distribute divide emphasize encrypt establish estimate examine hardcode initialise
	initialize instrument intercept investigate leverage listen manage mark memoize minimise modify negotiate normalise
	observe offload optimise organise paginate parallelize perform postpone precompute preload prepend
	provision rebase rebuild recompute reconcile redirect regenerate reindex remember rethrow retain
	retire retrieve say serialise standardise standardize subscribe summarize synchronize tolerate
	understand uninstall unlock unwrap utilize`)

// statements are verbs of statements that begin no order.
var statements = set(`
	requires require needs need means breaks hides shows exports blocks becomes become belongs belong depends depend
	stays stay lives happens happen survives causes loses lose matters matter runs splits trips makes beats beat come comes
	waits`)

// purposes are verbs of what a thing is good for: who uses it wants just that.
var purposes = set(`
	reduce save enable validate catch improve prevent ensure simplify protect detect support enforce avoid
	generate produce provide preserve guarantee speed limit minimize isolate`)

// isGerund reports whether a word is the -ing form of a verb.
func isGerund(word string) bool {
	return strings.HasSuffix(word, "ing") && len(word) > 5 && !notGerunds()[word]
}

// notGerunds are words in -ing that are not verbs.
var notGerunds = set(`
	anything beijing building ceiling during everything evening heading headings morning nothing
	something spring string thing warning wording meaning opening`)

// irregular holds gerunds that do not follow the rules of spelling.
var irregular = map[string]string{
	"begin": "beginning", "commit": "committing", "set": "setting", "get": "getting", "put": "putting",
	"run": "running", "split": "splitting", "stop": "stopping", "drop": "dropping", "skip": "skipping",
	"ship": "shipping", "strip": "stripping", "trim": "trimming", "wrap": "wrapping", "pin": "pinning",
	"omit": "omitting", "submit": "submitting", "prefer": "preferring", "defer": "deferring", "let": "letting",
	"quit": "quitting", "map": "mapping", "plan": "planning", "log": "logging", "tag": "tagging",
	"debug": "debugging", "refer": "referring", "occur": "occurring", "control": "controlling",
	"sync": "syncing", "lint": "linting", "format": "formatting", "merge": "merging", "die": "dying", "tie": "tying",
	"use": "using", "see": "seeing", "be": "being", "forget": "forgetting", "permit": "permitting", "transfer": "transferring",
	"cut": "cutting", "dig": "digging", "plug": "plugging", "step": "stepping", "swap": "swapping", "clip": "clipping",
	"scan": "scanning", "panic": "panicking", "forbid": "forbidding", "plot": "plotting", "pop": "popping", "chat": "chatting",
	"embed": "embedding", "emit": "emitting", "reset": "resetting", "rerun": "rerunning", "upset": "upsetting",
}

// gerund returns the -ing form of a verb. Of a compound only the last part changes:
// "auto-commit" becomes "auto-committing".
func gerund(verb string) string {
	if i := strings.LastIndexByte(verb, '-'); i > 0 {
		return verb[:i+1] + gerund(verb[i+1:])
	}
	if ing, known := irregular[verb]; known {
		return ing
	}
	if strings.HasSuffix(verb, "ing") {
		return verb
	}
	if stem, found := strings.CutSuffix(verb, "e"); found && !strings.HasSuffix(stem, "e") && !strings.HasSuffix(stem, "o") && !strings.HasSuffix(stem, "y") {
		verb = stem
	} else if doubles(verb) {
		verb += verb[len(verb)-1:]
	}
	return verb + "ing"
}

// doubles reports whether a verb of one syllable ends with a short vowel and one consonant, which
// -ing doubles.
func doubles(verb string) bool {
	const vowels = "aeiou"
	n := len(verb)
	return n > 2 && !strings.ContainsAny(verb[n-1:], vowels+"wxy") && strings.ContainsAny(verb[n-2:n-1], vowels) &&
		!strings.ContainsAny(verb[n-3:n-2], vowels) && !strings.ContainsAny(verb[:n-2], vowels)
}

// thirdPerson maps the verbs that join the two halves of a statement, as in "Vet catches structure
// misalignments", to their base form.
var thirdPerson = sync.OnceValue(func() map[string]string {
	forms := map[string]string{}
	for verb := range imperatives() {
		forms[presentTense(verb)] = verb
	}
	return forms
})

// presentTense returns the form of a verb after a singular noun.
func presentTense(verb string) string {
	switch {
	case strings.HasSuffix(verb, "s"), strings.HasSuffix(verb, "x"), strings.HasSuffix(verb, "ch"), strings.HasSuffix(verb, "sh"):
		return verb + "es"
	case strings.HasSuffix(verb, "y") && !strings.ContainsAny(verb[len(verb)-2:len(verb)-1], "aeou"):
		return verb[:len(verb)-1] + "ies"
	}
	return verb + "s"
}

// set returns the set of the words of a text, built on first use: most programs never derive a
// trigger.
func set(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		members := map[string]bool{}
		for _, w := range strings.Fields(words) {
			members[w] = true
		}
		return members
	})
}

// isVerb reports whether a word, in lower case, is a verb in its base form, and whether it is
// as often a noun.
func isVerb(word string) (verb, noun bool) {
	if moreVerbs()[word] || alsoNouns()[word] {
		return true, alsoNouns()[word]
	}
	return imperatives()[word] || eitherWay()[word], eitherWay()[word]
}
