package learning

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"whence/internal/trigger"
)

// InferCategory returns the category of a text, by its first clause that forbids or orders: anti-patterns are what not to do and what went wrong, patterns what to do. A
// text without such a clause is judged by its sentences that report what happened
// (storyCategory). Anything else, such as how something is, is heuristics. Words count
// whole, and by their place: "the cache never expires" forbids nothing.
func InferCategory(text string) Category {
	text = strings.ReplaceAll(prose(text), "’", "'")
	for sentence := range sentences(text) {
		for _, c := range clausesOf(withoutAny(sentence, leadIns)) {
			if kind := c.category(); kind != "" {
				return kind
			}
		}
	}
	for sentence := range sentences(text) {
		if kind := storyCategory(bareWords(sentence)); kind != "" {
			return kind
		}
	}
	return Heuristics
}

// bareWords returns the words of a sentence in lower case, without punctuation.
func bareWords(sentence string) (words []string) {
	for word := range strings.FieldsSeq(sentence) {
		if word = bareWord(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}

func bareWord(word string) string { return strings.ToLower(strings.Trim(word, "\"'`*_,;:.!?()[]")) }

// clause is part of a sentence.
type clause struct {
	words []string // as bareWords
	first bool     // an order may begin here with any verb
}

// clausesOf splits a sentence at stops, commas, dashes and some conjunctions.
func clausesOf(sentence string) []clause {
	var all []clause
	current := clause{first: true}
	end := func(first bool) {
		if len(current.words) > 0 {
			all = append(all, current)
		}
		current = clause{first: first}
	}
	for word := range strings.FieldsSeq(sentence) {
		bare := bareWord(word)
		switch n := len(current.words); {
		case bare == "":
			continue
		case strings.Trim(bare, "-—–") == "":
			end(true)
			continue
		case n > 0 && (bare == "so" || bare == "but" || bare == "and" || bare == "then"):
			end(false)
			continue
		}
		current.words = append(current.words, bare)
		switch word[len(word)-1] {
		case ';', ':', '.', '!', '?':
			end(true)
		case ',':
			end(conditions.has(current.words[0]))
		}
	}
	end(true)
	return all
}

// category returns the category of a clause, or "" for a plain statement.
func (c clause) category() Category {
	w := c.words
	for len(w) > 1 && (fillers.has(w[0]) || w[0] == "always" && forbids(w[1:])) {
		w = w[1:]
	}
	switch {
	case conditions.has(w[0]):
		return phraseCategory(w)
	case forbids(w):
		return AntiPatterns
	case w[0] == "always" || w[0] == "prefer":
		return Patterns
	}
	if kind := cmp.Or(phraseCategory(w), modalCategory(w), gerundCategory(w)); kind != "" || !c.first || !isOrder(w) {
		return kind
	}
	return Patterns
}

// fillers may precede a clause.
var fillers = wordSet{words: "please just also then so and but or instead therefore hence thus again first finally generally usually normally typically ideally simply"}

// forbids reports whether a clause begins with what not to do.
func forbids(w []string) bool {
	next := ""
	if len(w) > 1 {
		next = w[1]
	}
	switch w[0] {
	case "never", "avoid", "don't", "dont", "beware", "refrain":
		return next != ""
	case "do", "must", "should":
		return next == "not" || next == "never"
	case "stop", "quit":
		return strings.HasSuffix(next, "ing")
	case "no", "zero":
		if len(w) > 2 && strings.HasSuffix(next, "s") { // "no tests cover X"
			if verb, _ := orderVerb(w[2]); verb {
				return false
			}
		}
		return next != "" && next != "matter" && !hasFiniteVerb(w[1:])
	}
	return false
}

// people are subjects whose habits are rules.
var people = wordSet{words: "i we you one everyone everybody nobody developers agents people they reviewers contributors"}

// badPhrases and goodPhrases begin words that judge wherever they are.
var (
	badPhrases = []string{
		"not a good idea", "bad idea", "bad practice", "poor practice", "anti pattern", "anti-pattern", "antipattern", "pitfall", "code smell",
		"mistake", "wrong to", "wrongly", "forgot to", "forgetting to", "accidentally", "be avoided", "is forbidden", "are forbidden", "prohibited", "banned", "discouraged",
		"not allowed", "not acceptable", "not recommended", "never worth", "watch out for", "backfired", "should have", "should've", "shouldn't have",
		"harmful", "is dangerous", "a trap",
	}
	goodPhrases = []string{
		"best practice", "good practice", "good idea", "better to", "best to", "recommend ", "is recommended", "are recommended", "recommended way", "preferred", "the convention is", "our convention",
		"by convention", "work best", "works best", "works well", "worked well", "the right way", "the correct way", "the way to", "make sure", "be sure to",
		"remember to", "it pays to", "it helps to", "pays off",
	}
)

func phraseCategory(w []string) Category {
	text := " " + strings.Join(w, " ") + " "
	has := func(phrase string) bool { return strings.Contains(text, " "+phrase) }
	switch {
	case slices.ContainsFunc(badPhrases, has):
		return AntiPatterns
	case slices.ContainsFunc(goodPhrases, has):
		return Patterns
	}
	return ""
}

// modalCategory judges "X should Y", "we never Z" and the like.
func modalCategory(w []string) Category {
	for i := 1; i < len(w)-1; i++ {
		next := w[i+1]
		switch w[i] {
		case "should", "must", "shall":
			if next == "not" || next == "never" {
				return AntiPatterns
			}
			return Patterns
		case "shouldn't", "mustn't":
			return AntiPatterns
		case "never", "don't", "avoid":
			if people.has(w[i-1]) && i == 1 && !states.has(next) {
				return AntiPatterns
			}
		case "do":
			if people.has(w[i-1]) && i == 1 && (next == "not" || next == "never") && i+2 < len(w) && !states.has(w[i+2]) {
				return AntiPatterns
			}
		case "always", "prefer", "use", "like", "want":
			if i == 1 && people.has(w[0]) && w[0] != "they" {
				return Patterns
			}
		}
	}
	return ""
}

// states are verbs of being and knowing: "we don't have X" forbids nothing.
var states = wordSet{words: "have know need want see own support get yet exist care ship control understand think seem"}

// gerundCategory judges an activity by what comes of it: "Hardcoding paths breaks the
// build", "Caching templates saves time".
func gerundCategory(w []string) Category {
	if len(w) < 3 || !strings.HasSuffix(w[0], "ing") || len(w[0]) < 6 {
		return ""
	}
	for _, word := range w[2:] {
		switch {
		case harms.has(word):
			return AntiPatterns
		case helps.has(word):
			return Patterns
		}
	}
	return ""
}

var (
	harms = wordSet{words: `
		breaks broke break causes caused corrupts corrupted leaks leaked loses lost hides hid masks masked fails failed deletes deleted
		wastes wasted delays delayed deadlocks deadlocked overwrites overwrote destroys destroyed crashes crashed blocks blocked ruins ruined bloats bloated costs cost leads led results resulted`}
	helps = wordSet{words: `
		prevents prevented avoids avoided saves saved keeps kept helps helped reduces reduced improves improved simplifies simplified
		catches caught makes made speeds protects protected eliminates eliminated works worked`}
)

var auxiliaries = wordSet{words: "is are was has can"}

// isOrder reports whether a clause begins with a verb in the imperative. A word that may
// be a noun is a verb only if the clause has no other one.
func isOrder(w []string) bool {
	verb, noun := orderVerb(w[0])
	if !verb || len(w) < 2 || auxiliaries.has(w[1]) {
		return false
	}
	return !noun || !hasFiniteVerb(w[1:])
}

// moreOrders are verbs of instructions beside those of package trigger; nounOrders are those
// that are as often nouns.
var (
	moreOrders = wordSet{words: `
		abort accept acknowledge adapt adjust align amend automate be blame bump calculate cancel centralize clarify consider
		construct coordinate correct defer deprecate describe disallow distinguish distribute divide do download
		eliminate encourage encrypt establish examine expect explore favor fill gather go hardcode honor improve incorporate increase
		inform inherit initialize introduce investigate kill leave leverage listen look manage modify narrow negotiate observe
		paginate partition permit persist populate precompute predict propose purge quit reach react rebase rebuild recheck
		recognize recompile reconcile recreate redirect regenerate reload remember rephrase replay reply rerun resize respond restart
		retain rethink rethrow retrieve revisit say secure see solve spell spend standardize stick strengthen subscribe suggest
		summarize synthesize terminate think tighten toggle translate tune understand undo unlock vary weigh widen`}
	nounOrders = wordSet{words: `
		build cache cap cast change debug default hash point prefix profile stub watch wire work back focus archive clone filter
		group index label link map mark note pair pause poll pool post query queue reference refresh request sample scale script
		share shift sign slice state support surface target template time trace upgrade vendor view seed tag tie return sleep talk
		swap sync suspend`}
)

func orderVerb(word string) (verb, noun bool) {
	if verb, noun = trigger.Verb(word); verb {
		return verb, noun
	}
	if i := strings.LastIndexByte(word, '-'); i > 0 { // auto-commit,
		return trigger.Verb(word[i+1:])
	}
	noun = nounOrders.has(word)
	return noun || moreOrders.has(word), noun
}

// subordinators begin a clause whose verb is not that of the main clause.
var subordinators = wordSet{words: "so because when if that which since as before after until unless while where who whenever once to for"}

// finite are verbs that make a statement of a clause.
var finite = wordSet{words: `
	is are was were has have had does did can cannot can't could may might will would won't isn't aren't wasn't doesn't don't didn't
	need needs live lives means mean get gets go goes come comes run ran fail fails exist exists become becomes contain contains
	require requires expect expects return returns happen happens stay stays differ differs depend depends break breaks rotate expire expires`}

func hasFiniteVerb(w []string) bool {
	for _, word := range w {
		if subordinators.has(word) {
			return false
		}
		if finite.has(word) || trigger.IsPresent(word) && !isPluralNoun(word) {
			return true
		}
	}
	return false
}

// isPluralNoun reports whether the third person of a verb is as often a plural.
func isPluralNoun(word string) bool {
	_, noun := orderVerb(strings.TrimSuffix(word, "s"))
	return noun || !strings.HasSuffix(word, "s") || strings.ContainsFunc(word, unicode.IsDigit)
}
