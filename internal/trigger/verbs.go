package trigger

import (
	"strings"
	"sync"
	"unicode"

	"whence/internal/lazyregexp"
)

// Tables of English words. A word that is in none of them is not taken for a verb.
const (
	// A title or sentence that begins with one of verbs is an order.
	verbs = `accept adapt add adhere adjust adopt align allocate allow annotate append apply ask assert assign assume attach authenticate authorise
		authorize avoid await become begin bind bring bump calculate carry cease centralise centralize choose clarify collect combine communicate
		compare compensate compile compose compress compute configure confirm conform connect consider consolidate construct consume contain
		containerise containerize continue convert coordinate correlate create customise customize deactivate debounce declare decode decouple
		dedicate deduplicate defer define delete delimit deliver demote denote deny depend deploy deprecate derive describe detach detect determine
		develop disable disallow discard disconnect discourage discover dismiss distinguish distribute divide drop eliminate embed emit emphasise
		emphasize employ enable encapsulate encode encounter encourage encrypt enforce enhance enrich ensure enumerate establish evaluate evolve
		examine exceed exclude execute expand expect expire explain expose extend extract facilitate fail favor favour flatten follow forbid freeze
		fulfil fulfill gather generate get give govern handle harden hide honor identify ignore implement improve include increase infer inform
		ingest inherit initialise initialize inject insert inspect instrument integrate intercept introduce invalidate investigate invoke isolate
		iterate keep leave let leverage lift locate maintain make manage mandate materialise materialize maximise maximize memoise memoize migrate
		minimise minimize mitigate modify move negotiate normalise normalize notify obey observe obtain omit operate optimise optimize organise
		organize outlaw overrule overwrite paginate parallelise parallelize parameterise parameterize parametrise parametrize parse pass perform
		persist pick pin populate postpone precompute prefer prefetch prepare prepend preserve presume prevent prioritise prioritize prohibit
		promote propagate propose protect prove provide prune publish put qualify quantify raise randomise randomize reach realign rebuild receive
		recommend recompute reconcile reconsider recover recreate redact reduce refactor refer refine reflect refuse regenerate reimplement reject
		relax relocate rely remediate remember remove rename renew reopen reorder reorganise reorganize repair repeat replace replicate repurpose
		require rerun reserve resolve resort respect respond restore restrict restructure resubmit resume retain rethrow retire retrieve reuse
		reveal revert revoke rework rotate run sanitise sanitize save scrape send separate serialise serialize serve settle shorten show simplify
		skip solve specify spell stabilise stabilize standardise standardize stay stick store streamline stringify strip submit subscribe summarise
		summarize supersede supplement suppress swallow switch synchronise synchronize take tell terminate throw tolerate translate transpile treat
		trim truncate try understand undo unify uninstall unpin unset unwrap use utilise utilize validate verify visualise visualize want warn wrap`

	// A word of nounsToo is an order only if the next words show it: "log the request", not "log levels".
	nounsToo = `access aggregate archive audit author back balance batch benchmark block boot bootstrap branch break broadcast bucket buffer build bundle
		cache call cancel capture catch change chart check clean clear clone close code commit control copy correct count cover cut cycle debug
		decrease default delay delegate demand design diff dispatch display document double draft duplicate edit end enter escalate escape estimate
		exempt exercise exit export express fan fence fetch file fill filter find finish fire fix flag flush focus fold force forget format forward
		gate grant group guarantee guard guess hash help hold host import index inline input install invest join kill label launch lay lead learn
		limit link lint list load lock log loop map mark mask match measure merge mirror mix mock model monitor mount name narrow nest normal offer
		open order outline output outsource overload override own pack package page partition patch pause permit phase place plan plot plug point
		poll pool post practice prefix press print probe process produce profile program prompt proxy pull purge push query queue quote rank rate
		read rebase record redirect refresh register release render report request research reset restart retry return review rewrite roll rollback
		round route sample sandbox scaffold scale scan schedule scope score seal search seed select set shadow shape shard share shift ship shut
		sign sink size snapshot sort source spawn split squash stage stamp start state step stop stream structure stub style supply support surface
		swap sync tag target template test time trace track trade train transfer transform trap trigger trust tune turn type unit update upgrade
		upload value vendor version vet view visit wait walk watch weigh wire work write yield`

	// "auto-commit" begins with one of prefixes.
	prefixes = "auto co cross de double force hard over pre re self soft un under"

	// One of objects after a word of nounsToo shows an order.
	objects = `a an the all any each every both no none only its it them this these those your our their my own one two everything nothing
		where once before after until directly up off out away explicitly into`

	// reasons begin what a trigger leaves out; pronouns mean what the title names.
	reasons  = "because instead not rather that which who whose"
	pronouns = "it them this these that those"

	// compounds begin with a word of verbs that is a noun there.
	compounds = "use case|use cases|run time|deploy key|deploy keys"

	// orders come before a verb, the longer ones first; adverbs may come between them.
	orders = `we have decided to|we've decided to|we are going to|we're going to|we decided to|we agreed to|we chose to|we want to|we need to|we plan to|we intend to|` +
		`we will|we'll|we should|we must|we shall|we can|we would|we are|we're|you should|you must|you can|must|should|always|never|don't|do not|do|let's|please`
	adverbs = "we|not|no longer|only|also|now|currently|still|just|therefore|instead|simply|explicitly|generally"

	// doubling has verbs of several syllables whose last consonant is doubled before -ing.
	doubling = `begin bootstrap commit control debug defer embed emit equip forbid forget format infer input kidnap omit output overlap permit prefer program
		quit rebut recur refer rerun reset resubmit rewrap snapshot submit transfer unplug unpin unset unwrap upset zigzag`
)

// kind classifies the word that a text begins with.
type kind int

const (
	other kind = iota
	verb
	nounToo
	gerundForm
)

var kinds = sync.OnceValue(func() map[string]kind {
	all := map[string]kind{}
	for k, list := range map[kind]string{verb: verbs, nounToo: nounsToo} {
		for word := range strings.FieldsSeq(list) {
			all[word], all[gerund(word)] = k, gerundForm
		}
	}
	return all
})

// kindOf classifies a word in lower case.
func kindOf(word string) kind {
	if prefix, base, found := strings.Cut(word, "-"); found && isIn(prefixes, prefix) {
		return kinds()[base]
	}
	return kinds()[word]
}

func isIn(list, word string) bool {
	for other := range strings.FieldsSeq(list) {
		if other == word {
			return true
		}
	}
	return false
}

// short matches what comes after the last hyphen of a verb of one syllable, with a short vowel before one consonant.
var short = lazyregexp.New(`(^|-)[^aeiou-]+[aeiou][^aeiouwxy]$`)

// gerund returns the -ing form of a verb.
func gerund(word string) string {
	stem, isSilent := strings.CutSuffix(word, "e")
	base := word[strings.LastIndex(word, "-")+1:]
	switch {
	case strings.HasSuffix(word, "ie"):
		return strings.TrimSuffix(word, "ie") + "ying"
	case isSilent && len(stem) > 1 && !strings.ContainsAny(stem[len(stem)-1:], "eoy"):
		return stem + "ing"
	case isIn(doubling, base) || short().MatchString(word):
		return word + word[len(word)-1:] + "ing"
	case strings.HasSuffix(word, "ic"):
		return word + "king"
	}
	return word + "ing"
}

// isShout reports whether a word is in capitals: it is then the name of something (GET, DELETE), not a verb.
func isShout(word string) bool {
	return len(word) > 1 && word == strings.ToUpper(word) && strings.ContainsFunc(word, unicode.IsLetter)
}
