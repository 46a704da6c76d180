package turns

import (
	"regexp"
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

// IsQuestion reports whether a text only asks, so that it is useless without its answer. A
// request for work is an instruction. Only English is recognized.
func IsQuestion(text string) bool {
	asks := false
	for line := range strings.Lines(text) {
		for _, sentence := range sentences(strings.TrimSpace(line)) {
			switch sentence = strings.TrimRight(sentence, ` "')*_`); {
			case sentence == "":
			case isInstruction(sentence):
				return false
			case strings.HasSuffix(sentence, "?"), interrogative().MatchString(sentence):
				asks = true
			case !courtesy().MatchString(sentence):
				return false
			}
		}
	}
	return asks
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
		return regexp.MustCompile(`(?i)^(and |but |so |ok,? |also )*(` +
			`how (do|does|did|can|could|should|is|are|was|were|come|many|much|long|often|to)\b|` +
			`what('s| is| are| was| were| do| does| did| happens| happened| kind| version)\b|` +
			`(where|why|who|when|which)('s| is| are| was| were| do| does| did| can| should| has| have)\b|` +
			`(is|are|was|were|do|does|did|can|could|should|would|will|has|have) (i|we|you|it|the|this|that|these|those|there|they|he|she|my|our|your|any|some) )`)
	})
)
