package trigger

import (
	"regexp"
	"strings"
	"sync"
)

// verbs begin a title only as an order ("Use X", "Keep Y").
var verbs = set(`
	accept add adopt align allow apply ask assert assign assume attach avoid be begin bind bring bump choose collect
	combine compile compute configure confirm connect consolidate convert create declare decide define delegate delete
	deliver deploy deprecate derive describe detect determine disable discard do drop embed enable encode encrypt
	enforce ensure establish evaluate exclude execute expose extend extract fail fetch find follow forbid generate get
	give grant handle hide ignore implement improve include inject inline install integrate introduce invoke isolate
	join keep leave let make manage migrate minimize move normalize notify omit optimize organize override paginate
	parse pass pick pin prefer prepare preserve prevent produce promote propagate protect provide prune publish put
	raise read redact reduce refuse register reject rely remove rename render replace require reserve reset resolve
	respect restrict reuse revert rewrite rotate run sanitize save select send separate serialize serve ship simplify
	skip specify start stop strip submit take tell throttle transform treat try unify use validate verify wait wrap
	write`)

// nounsToo begin an order only before a determiner.
var nounsToo = set(`
	batch block build bundle cache call capture check clean clear close commit copy count cover design document edit
	escape export fix format group guard guide import limit list load lock log mark match measure merge mirror mock
	monitor name open order patch place plan point print process prompt pull push query quote record release report
	retry return review route scan schedule search set show sort split stage store stream switch test track transfer
	trigger trust update upgrade version`)

// determiners show that a noun follows.
var determiners = set("a an the all any both each every no one only your our its their this these that")

// loose words end no phrase, beside the stop words.
var loose = set(`
	all any are because beyond both but can cannot could do does during each every had has have its may must never no nor
	not only our should than their these those unless until via which while whose will within without would your`)

// doubling are verbs of several syllables whose last consonant -ing doubles.
var doubling = set(`
	admit begin commit control defer embed emit forbid forget occur omit permit prefer refer rerun reset submit transfer`)

// gerund returns the -ing form of a verb. Of a compound only the last part changes: "auto-commit" becomes
// "auto-committing".
func gerund(verb string) string {
	start, verb := verb[:strings.LastIndexByte(verb, '-')+1], verb[strings.LastIndexByte(verb, '-')+1:]
	if len(verb) < 3 || strings.HasSuffix(verb, "ing") {
		if !strings.HasSuffix(verb, "ing") {
			verb += "ing"
		}
		return start + verb
	}
	stem, found := strings.CutSuffix(verb, "e")
	switch {
	case strings.HasSuffix(verb, "ie"):
		verb = strings.TrimSuffix(verb, "ie") + "y"
	case found && !strings.ContainsAny(stem[len(stem)-1:], "eoy"):
		verb = stem
	case doubling()[verb] || isShort(verb):
		verb += verb[len(verb)-1:]
	}
	return start + verb + "ing"
}

// isShort reports whether a verb has one syllable, with a short vowel before one consonant at its end.
func isShort(verb string) bool {
	const vowels = "aeiou"
	n := len(verb)
	return !strings.ContainsAny(verb[n-1:], vowels+"wxy") && strings.ContainsAny(verb[n-2:n-1], vowels) && !strings.ContainsAny(verb[:n-2], vowels)
}

// set returns the set of the words of a text, built on first use: most programs derive no trigger.
func set(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		members := map[string]bool{}
		for _, w := range strings.Fields(words) {
			members[w] = true
		}
		return members
	})
}

// pattern returns a function that compiles a pattern when it is first needed.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
