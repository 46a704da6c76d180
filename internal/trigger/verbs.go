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
var (
	eitherWay = set(`
		batch block bundle check commit copy count cover design document edit export fix format guard guide
		import limit list lock log match merge mirror mock monitor name order patch place plan print process
		prompt pull push quote record release report require retry review route scan schedule search set show sort
		split stage stream switch test track transfer trigger trust turn version wait`)
	determiners = set("a an the all any both each every one only no your its their this that these")
)

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
	}
	return verb + "ing"
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

// demands are verbs of statements whose object is not an activity: the agent works on the
// subject.
var demands = set("require requires need needs deserve deserves expect expects belong belongs go goes get gets come comes stay stays live lives")

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

// Verb reports whether a word, in lower case, is a verb that can begin an order, and whether
// it is as often a noun ("log", "test").
func Verb(word string) (verb, noun bool) {
	return imperatives()[word] || eitherWay()[word], eitherWay()[word]
}

// IsPresent reports whether a word, in lower case, is the third person of a known verb:
// "uses", "keeps".
func IsPresent(word string) bool { return thirdPerson()[word] != "" }
