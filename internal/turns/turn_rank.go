package turns

import "strings"

// Ranks of turns: of a session that is too large, those with the highest rank are kept. What
// only the user knew is written nowhere else; fixes cost most to find again; explanations of
// the agent can mostly be derived from the code; a command alone says little.
const (
	correction = 90 // the user stopped the agent, or refused a tool with a reason
	decision   = 80 // the user's words that decide
	request    = 70 // the user's other words
	repaired   = 60 // a failure with its fix
	failure    = 50
	explained  = 45 // an answer that gives reasons
	answered   = 40
	stopped    = 30 // an interrupt without a word
	announced  = 25 // an answer that only announces the next step
	executed   = 20 // a command
	misused    = 10 // a failure that the agent caused
)

// MinAnswerRank is the minimum rank of an answer that does more than announce the next step.
const MinAnswerRank = answered

// rank returns the rank of a turn by its kind and words.
func rank(t Turn) int {
	switch t.Kind {
	case Prompt, Command:
		if hasAny(t.Text, deciding) {
			return decision
		}
		return request
	case Fix:
		return repaired
	case Error:
		return failure
	case Answer:
		switch {
		case announces(t.Text):
			return announced
		case hasAny(t.Text, reasoning):
			return explained
		}
		return answered
	case Interrupt:
		return stopped
	}
	return executed
}

// deciding and reasoning are words of decisions and explanations, each between spaces. They
// are English; turns in other languages have the rank of their kind.
var (
	deciding = []string{
		" always ", " never ", " don't ", " do not ", " instead ", " rather ", " must ", " should ", " let's ", " prefer ", " actually ", " no, ",
		" wrong ", " not what ", " decided ", " from now on ",
	}
	reasoning = []string{" because ", " since ", " root cause ", " so that ", " decided ", " instead of ", " the problem ", " the issue ", " means that ", " due to ", " in order to "}
)

// announcing are words of an agent that announces its next step.
var announcing = []string{" let me ", " let's ", " i'll ", " now i ", " i need to ", " i will "}

// An announcement has at most maxAnnouncementChars, and fewer than minBesideBytes of other
// sentences.
const (
	maxAnnouncementChars = 250
	minBesideBytes       = 60
)

// announces reports whether an answer only announces the use of a tool, as nearly half of the
// answers in real transcripts do.
func announces(text string) bool {
	if isLong(text, maxAnnouncementChars) || strings.Contains(text, "\n") {
		return false
	}
	beside, announced := 0, false
	for _, sentence := range sentences(text) {
		if strings.HasSuffix(sentence, ":") || hasAny(sentence, announcing) {
			announced = true
		} else {
			beside += len(sentence)
		}
	}
	return announced && beside < minBesideBytes
}

// sentences splits a text into sentences.
func sentences(text string) (all []string) {
	for len(text) > 0 {
		end := len(text)
		for _, mark := range []string{". ", "! ", "? "} {
			if i := strings.Index(text, mark); i >= 0 {
				end = min(end, i+1)
			}
		}
		all = append(all, strings.TrimSpace(text[:end]))
		text = text[end:]
	}
	return all
}

// maxRankedBytes limits the part of a text that is searched for words.
const maxRankedBytes = 600

func hasAny(text string, words []string) bool {
	text = " " + strings.ToLower(oneLine(text[:min(len(text), maxRankedBytes)])) + " "
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
