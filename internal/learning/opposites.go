package learning

import (
	"strings"
	"sync"
)

// denies are words that negate what follows, as do those with n't.
var denies = wordSet{words: `
	never not no don't dont avoid avoiding avoided without cannot cant nor neither none nothing nobody refrain forbid forbids
	forbidden prohibit prohibits prohibited ban bans banned isnt doesnt wont shouldnt refuse refuses`}

// doubtful are words that restrict or weaken, by meaning. Statements that differ in one are
// different.
var doubtful = groups{lines: `
	only solely exclusively, unless except excluding, sometimes occasionally rarely seldom, usually mostly often generally typically,
	may might can could optionally, maybe perhaps probably possibly, some few, first, last, twice, once, half, off, down`}

// directed are words between two that are not exchangeable; comparing are those that put one
// before the other.
var (
	directed = groups{lines: `
		before prior, after, over, under, above, below, than, from, into, onto, to, by, with, via, until, instead, versus vs`}
	comparing = wordSet{words: "before after over than instead versus"}
)

// light are words without weight in a comparison, beside stop words.
var light = wordSet{words: `
	always use used uses using prefer please really very just simply also so do does did doing done should must shall will would have has
	had need needs ought you we i your our my us them they he she one it's here there make makes sure ensure try remember been being am
	any all every each such own if while which who where what whose because since otherwise order ever even still already now but
	properly correctly actually quite rather too much many whenever going get gets thus therefore hence well like recommended best
	practice good idea important better way note rule keep mind`}

// synonyms are words of one meaning.
var synonyms = groups{stems: true, lines: `
	prevent avoid avoids, fail break crash, remove delete drop erase, create make add, run execute invoke launch,
	check verify validate confirm, error failure, show display print, repo repository, directory folder dir, config configuration,
	database db, parameter param argument arg, variable var, env environment, function func, fix repair, big large huge, quick fast,
	start begin, finish end complete, alter change modify edit, discard suppress silence swallow mute hide, subprocess child,
	commit check-in, app application, doc docs documentation, cause lead, corrupt damage, require need`}

// opposites are pairs of groups of which one denies the other.
var opposites = sync.OnceValue(func() map[[2]string]bool {
	pairs := map[[2]string]bool{}
	for pair := range strings.SplitSeq(`
		enable disable, allow forbid, allow prevent, allow deny, permit forbid, accept reject, include exclude, add remove, keep remove,
		keep discard, true false, before after, above below, over under, more less, more fewer, most least, max min, maximum minimum,
		increase decrease, raise lower, upper lower, grow shrink, start stop, start end, open close, push pull, early late, earlier later,
		top bottom, left right, ascending descending, public private, local remote, local global, internal external, explicit implicit,
		static dynamic, mutable immutable, sync async, synchronous asynchronous, parallel sequential, serial parallel, eager lazy,
		eagerly lazily, strict lenient, required optional, mandatory optional, safe unsafe, possible impossible, valid invalid,
		success failure, succeed fail, pass fail, small big, short long, fast slow, high low, read write, load save, encode decode,
		encrypt decrypt, attach detach, show suppress, inline extract, merge split, import export, input output, commit revert,
		inside outside, client server, cheap expensive, same different, old new, hard soft, whitelist blacklist, single double, tabs spaces`, ",") {
		words := strings.Fields(pair)
		a, b := groupOf(words[0]), groupOf(words[1])
		pairs[[2]string{a, b}], pairs[[2]string{b, a}] = true, true
	}
	return pairs
})

// opposite reports whether two groups deny each other: by the table, or by a prefix.
func opposite(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if opposites()[[2]string{a, b}] {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, prefix := range []string{"un", "in", "im", "dis", "de", "non", "ir", "mis"} {
		if rest, found := strings.CutPrefix(b, prefix); found && len(rest) >= 4 && rest == a {
			return true
		}
	}
	return false
}
