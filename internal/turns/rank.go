package turns

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// What a turn is worth, so that of a session that is too large the best is kept, and not
// the first. What only the user knew can be read nowhere else; how a failure was mended
// costs most to find out again; what the agent explains can mostly be found out from the
// code; a command alone says least.
const (
	correction = 90 // the user's, after having stopped the agent, or with a reason
	decision   = 80 // the user's words that decide
	request    = 70 // the user's other words
	mended     = 60 // a failure with its fix
	failure    = 50
	explained  = 45 // an answer that gives reasons
	answered   = 40
	stopped    = 30 // an interrupt without a word
	announced  = 25 // an answer that only tells what comes next
	executed   = 20 // a command
	misused    = 10 // a failure that is the agent's own doing
)

// MinAnswerRank is the least rank of an answer that tells more than what comes next.
const MinAnswerRank = answered

// rank is what a turn is worth by its kind and words.
func rank(t Turn) int {
	switch t.Kind {
	case Prompt, Command:
		if decides(t.Text) {
			return decision
		}
		return request
	case Fix:
		return mended
	case Error:
		return failure
	case Answer:
		switch {
		case announces(t.Text):
			return announced
		case explains(t.Text):
			return explained
		}
		return answered
	case Interrupt:
		return stopped
	}
	return executed
}

// deciding and reasoning are the words by which a text is known, each between blanks. They
// are English; what is said in another language has the rank of its kind.
var (
	deciding = []string{
		" always ", " never ", " don't ", " do not ", " instead ", " rather ", " must ", " should ", " let's ", " prefer ", " actually ", " no, ",
		" wrong ", " not what ", " decided ", " from now on ",
	}
	reasoning = []string{" because ", " since ", " root cause ", " so that ", " decided ", " instead of ", " the problem ", " the issue ", " means that ", " due to ", " in order to "}
)

// announcing are the words of an agent that says what it does next.
var announcing = []string{" let me ", " let's ", " i'll ", " now i ", " i need to ", " i will "}

func decides(text string) bool  { return hasAny(text, deciding) }
func explains(text string) bool { return hasAny(text, reasoning) }

// longestAnnouncement is how many characters an answer has at most that only tells what
// comes next, and leastBeside how many must stand beside that for it to tell more.
const (
	longestAnnouncement = 250
	leastBeside         = 60
)

// announces tells whether an answer only leads to the use of a tool, as nearly half of the
// answers in real transcripts do.
func announces(text string) bool {
	if isLong(text, longestAnnouncement) || strings.Contains(text, "\n") {
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
	return announced && beside < leastBeside
}

// sentences splits a text behind what ends a sentence.
func sentences(text string) (all []string) {
	for at := 0; at < len(text); {
		end := len(text)
		for _, mark := range []string{". ", "! ", "? "} {
			if i := strings.Index(text[at:], mark); i >= 0 {
				end = min(end, at+i+1)
			}
		}
		all = append(all, strings.TrimSpace(text[at:end]))
		at = end
	}
	return all
}

// judged is how many bytes of a text are looked at.
const judged = 600

func hasAny(text string, words []string) bool {
	if len(text) > judged {
		text = text[:judged]
	}
	text = " " + strings.ToLower(oneLine(text)) + " "
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// Compare orders turns, the one that is worth more first: by rank, then the longer, then
// the later, then by UUID, so that no two different turns are equal.
func Compare(a, b Turn) int {
	return cmp.Or(
		cmp.Compare(b.Rank, a.Rank),
		cmp.Compare(utf8.RuneCountInString(b.Text), utf8.RuneCountInString(a.Text)),
		b.At.Compare(a.At),
		cmp.Compare(a.UUID, b.UUID),
	)
}
