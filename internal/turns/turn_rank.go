package turns

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

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
		if decides(t.Text) {
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
		case explains(t.Text):
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

func decides(text string) bool  { return hasAny(text, deciding) }
func explains(text string) bool { return hasAny(text, reasoning) }

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

// maxRankedBytes is the length of the part of a text that is searched for words.
const maxRankedBytes = 600

func hasAny(text string, words []string) bool {
	if len(text) > maxRankedBytes {
		text = text[:maxRankedBytes]
	}
	text = " " + strings.ToLower(oneLine(text)) + " "
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// Compare orders turns by rank, then the longer first, then the later, then by UUID, so that
// different turns are never equal.
func Compare(a, b Turn) int {
	return cmp.Or(
		cmp.Compare(b.Rank, a.Rank),
		cmp.Compare(utf8.RuneCountInString(b.Text), utf8.RuneCountInString(a.Text)),
		b.At.Compare(a.At),
		cmp.Compare(a.UUID, b.UUID),
	)
}
