package trigger

import (
	"slices"
	"strings"

	"whence/internal/text"
)

const (
	articles = "a an the"
	english  = "and are from is of that the their this when with" // no words of other languages, mostly

	// verbs begin a title only as an order ("Use X", "Keep Y"), nounsToo only before an article.
	verbs = `add adopt allow apply avoid bind choose collect compile configure convert create declare define delete deploy
		derive describe detect disable drop embed enable encode encrypt enforce ensure expose extract fetch follow generate
		get give handle ignore implement include inject install invoke isolate keep make manage migrate move normalize parse
		pass pick pin prefer prevent propagate protect provide publish put read reduce reject remove rename render replace
		require resolve restrict reuse rotate run save select send separate serialize serve ship skip start stop store
		treat use validate verify wrap write`
	nounsToo = `build cache check commit copy document edit export fix format group guard limit list load lock log match
		merge mock name order plan process query record return schedule set show sort split test track trigger update`

	// doubling are verbs of several syllables whose last consonant -ing doubles.
	doubling = "begin commit embed emit forget omit prefer rerun reset submit"
)

func isIn(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

// short matches verbs of one syllable, with a short vowel before one consonant at its end.
var short = text.Lazy(`^[^aeiou]+[aeiou][^aeiouwxy]$`)

// gerund returns the -ing form of a verb.
func gerund(verb string) string {
	stem, isSilent := strings.CutSuffix(verb, "e")
	switch {
	case strings.HasSuffix(verb, "ing"):
		return verb
	case isSilent && len(stem) > 1 && !strings.ContainsAny(stem[len(stem)-1:], "eoy"):
		return stem + "ing"
	case isIn(doubling, verb) || short().MatchString(verb):
		return verb + verb[len(verb)-1:] + "ing"
	}
	return verb + "ing"
}
