package trigger

import (
	"strings"
	"sync"
)

// imperatives are verbs that begin a title as an order ("Use X", "Keep Y") and are
// hardly ever nouns. Words that are as often nouns (test, commit, design, plan) are
// left out: taking them as verbs is wrong more often than right.
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

// eitherWay are verbs that are as often nouns. They begin an order only before one
// of the determiners.
var (
	eitherWay = set(`
		batch block bundle check commit copy count cover design document edit export fix format guard guide
		import limit list lock log match merge mirror mock monitor name order patch place plan print process
		prompt pull push quote record release report require retry review route scan schedule search set show sort
		split stage stream switch test track transfer trigger trust turn version wait`)
	determiners = set("a an the all any both each every one only no your its their this that these")
)

// irregular are gerunds that the rules of spelling do not give.
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

// gerund puts a verb into its -ing form. Of a compound the last part changes:
// "auto-commit" becomes "auto-committing".
func gerund(verb string) string {
	if i := strings.LastIndexByte(verb, '-'); i > 0 {
		return verb[:i+1] + gerund(verb[i+1:])
	}
	if ing, known := irregular[verb]; known {
		return ing
	}
	switch {
	case strings.HasSuffix(verb, "ing"):
		return verb
	case strings.HasSuffix(verb, "ee"), strings.HasSuffix(verb, "oe"), strings.HasSuffix(verb, "ye"):
		return verb + "ing"
	case strings.HasSuffix(verb, "e"):
		return verb[:len(verb)-1] + "ing"
	}
	return verb + "ing"
}

// thirdPerson are the verbs that join the two halves of a statement, as in "Vet
// catches structure misalignments", each with its base form.
var thirdPerson = sync.OnceValue(func() map[string]string {
	forms := map[string]string{}
	for verb := range imperatives() {
		forms[presentTense(verb)] = verb
	}
	return forms
})

// demands are verbs of statements whose object is no activity: the agent is busy
// with the subject.
var demands = set("require requires need needs deserve deserves expect expects belong belongs go goes get gets come comes stay stays live lives")

// presentTense is the form of a verb behind a singular noun.
func presentTense(verb string) string {
	switch {
	case strings.HasSuffix(verb, "s"), strings.HasSuffix(verb, "x"), strings.HasSuffix(verb, "ch"), strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "ss"):
		return verb + "es"
	case strings.HasSuffix(verb, "y") && !strings.ContainsAny(verb[len(verb)-2:len(verb)-1], "aeou"):
		return verb[:len(verb)-1] + "ies"
	}
	return verb + "s"
}

// set is the words of a text. It is made when it is first asked for: most programs that
// can derive triggers do not.
func set(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		members := map[string]bool{}
		for _, w := range strings.Fields(words) {
			members[w] = true
		}
		return members
	})
}

// Verb tells whether a word, in lower case, is a verb that can begin an order, and
// whether it is as often a noun ("log", "test").
func Verb(word string) (verb, noun bool) {
	return imperatives()[word] || eitherWay()[word], eitherWay()[word]
}

// IsPresent tells whether a word, in lower case, is the third person of a known verb:
// "uses", "keeps".
func IsPresent(word string) bool { return thirdPerson()[word] != "" }
