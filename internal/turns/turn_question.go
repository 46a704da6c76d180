package turns

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
)

// choice returns the turn of the user's answers to the agent's questions, which are decisions,
// and nil for other results.
func choice(r transcript.Record, b transcript.Block, u toolUse) []Turn {
	if u.Name != "AskUserQuestion" || r.Sidechain {
		return nil
	}
	answers := usertext.Answers(b.Text)
	if answers == "" {
		return nil
	}
	t := turn(r, Prompt, User, uuidOf(r, Prompt, b), answers)
	t.Rank = max(t.Rank, decision)
	return []Turn{t}
}

// IsQuestion reports whether a text only asks, so that it is useless without its answer. A request
// for work is an instruction. Without a question mark, some beginnings are recognized, mostly English
// ones.
func IsQuestion(text string) bool {
	asks, tells := questions(text)
	return asks && !tells
}

// Asks reports whether a text asks something, whatever else it says.
func Asks(text string) bool {
	asks, _ := questions(text)
	return asks
}

// questions reports whether a text has questions, and whether it says more.
func questions(text string) (asks, tells bool) {
	for line := range strings.Lines(text) {
		for _, sentence := range sentences(strings.TrimSpace(line)) {
			switch sentence = strings.TrimRight(sentence, ` "')*_`); {
			case sentence == "":
			case isInstruction(sentence):
				tells = true
			case hasQuestionMark(sentence), interrogative().MatchString(sentence):
				asks = true
			case !courtesy().MatchString(sentence):
				tells = true
			}
		}
	}
	return asks, tells
}

// hasQuestionMark reports whether a sentence ends with a question mark of any script.
func hasQuestionMark(sentence string) bool {
	return slices.ContainsFunc([]string{"?", "？", "؟"}, func(mark string) bool { return strings.HasSuffix(sentence, mark) })
}

// isInstruction reports whether a sentence asks for more than an answer.
func isInstruction(sentence string) bool {
	asked := instruction().FindStringSubmatch(sentence)
	if asked == nil {
		return false
	}
	switch strings.ToLower(asked[len(asked)-1]) {
	case "tell", "explain", "show", "check", "find", "remind", "say", "see", "look", "describe", "confirm", "verify", "list", "clarify", "remember", "give", "think":
		return false
	}
	return true
}

var (
	courtesy = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(hi|hello|hey|thanks|thank you|ok|okay|hm+|sorry|wait|great|good|nice|cool|perfect|yes|no)\b[^ ]*( [^ ]+){0,2}$`)
	})
	instruction = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(and |also |so |ok,? |now |please )*(can|could|would|will) you (please |also |now |then |maybe |just |always |never )*([a-z]+)`)
	})
	interrogative = sync.OnceValue(func() *regexp.Regexp {
		const subject = `(i|we|you|it|the|this|that|these|those|there|they|he|she|my|our|your|their|its|an?|any|some|all|every|both|each|anyone|anybody|someone|somebody|something|anything|everything)\b`
		return regexp.MustCompile(`(?i)^(and |but |so |or |ok,? |also |hi,? |hey,? |hm+,? |wait,? |actually,? )*(` +
			`how (do|does|did|can|could|should|would|will|is|are|was|were|come|many|much|long|often|to|big|large|old|far|fast)\b|` +
			`what('s| is| are| was| were| do| does| did| if| would| should| can| could| else| exactly| happens| happened| kind| sort| type| version)\b|` +
			`(where|why|who|when|which)('s| is| are| was| were| do| does| did| can| could| should| would| will| has| have)\b|` +
			`why (not|the|this|that)\b|who (owns|wrote|uses|calls|decides|decided|knows)\b|which \S{4,} (\S+ )?(is|are|was|do|does|did|should|can|has|have)\b|` +
			`(is|are|was|were|do|does|did|can|could|should|would|will|has|have|isn't|aren't|wasn't|don't|doesn't|didn't|can't|couldn't|shouldn't|wouldn't|won't|hasn't|haven't) ` + subject + `|` +
			`does \S+[-_./]\S+ |any (idea|chance|reason) |no idea (how|what|where|why|which) |(i wonder|i'm wondering|i was wondering|wondering) |` +
			`(warum|wieso|weshalb|woher|wohin|womit|wofür|wie (geht|gehen|kann|können|macht|machen|mache|lange|viele|oft|heißt|funktioniert|ist|wird)|wo (ist|sind|liegt|steht|kann)|was (ist|sind|macht|passiert|bedeutet)|` +
			`pourquoi|comment|est-ce|qu'est-ce|combien|¿|por qué|cómo|cuándo|dónde|cuál|cuánto) )`)
	})
)
