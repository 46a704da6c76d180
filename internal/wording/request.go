// Package wording asks an agent to word entries of a memory, and checks what it answers.
//
// Rules can draft an entry, but only someone who has read its section can word it well. The program
// prints a [Request] with what is needed to word some entries, and reads an [Answer] a line. Each line is
// checked by itself, and what is right in it is kept.
package wording

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/validate"
	"whence/when"
)

// Request is a number of entries to word.
type Request struct {
	Left    int      `json:"left"`              // entries to word, those printed included
	Printed int      `json:"printed"`           // of them here
	Skipped []string `json:"skipped,omitempty"` // files of superseded or rejected records, which need no wording
	Rules   []string `json:"rules"`
	Entries []Entry  `json:"entries"`
}

// Entry is an entry to word.
type Entry struct {
	Entry       string   `json:"entry"` // operator and trigger
	IsDraft     bool     `json:"draft"` // false: only its situations are missing
	Title       string   `json:"title"`
	Description string   `json:"description"`
	MaxWords    int      `json:"max_words"` // of trigger and description together
	File        string   `json:"file"`      // and the line of the heading
	Text        string   `json:"text"`      // of the section
	Neighbours  []string `json:"neighbours"`
}

// DefaultEntries is the number of entries that an agent words with care in one go; their texts fit the
// 30,000 characters that the shells of agents show.
const DefaultEntries = 10

// wantedSituations is the number of situations that a decision should have. With sixteen, no more is
// reached, and half as many lines again are shown where nothing applies; with four, less is reached.
const wantedSituations = 8

// Rules returns the rules of a good entry.
func Rules(c config.Config) []string {
	return []string{
		`Pass on one JSON object a line to memory-remember entry set --stdin: {"entry": "…", "trigger": "…", "description": "…", "situations": ["…", …]}. "entry" is as printed here; a field that you leave out stays as it is.`,
		`The trigger completes "when …": it says what someone is doing or facing when the decision applies, in words that they would use before they have read it.`,
		fmt.Sprintf(`It has %d to %d words, as few as it can without leaving out an article, in lower case, without commas and quotes (only letters, digits and - ' / . _ # +), a verb and its object: "writing mock tests", not "mocks", not "working on mocks". Do not repeat a vague title. For an entry of steps, begin it with /how.`, minTriggerWords, maxTriggerWords),
		"It reads as a colleague would say it aloud, with no word missing, doubled, or with two meanings, and is as broad as the section: not one example from it, and not the subject of a neighbour.",
		`A decision against something applies when someone is about to do it: for "Never log in as owner", "choosing a database role".`,
		fmt.Sprintf("The description has further words by which one would search for it. Trigger, title and description have %d to %d words together, as spaces divide them: count, and keep trigger and description within max_words.", c.WordCount.Min, c.WordCount.Max),
		fmt.Sprintf("Situations are what someone types, does or sees when the decision applies, in other words than trigger and title: %d phrases of at most %d words, fewer if the section has too little. Each fits this decision alone. They are added to those that it has.", wantedSituations, validate.MaxPhraseWords),
	}
}

// maxTextChars bounds the text of a section. That of a record begins with what was decided.
const maxTextChars = 2000

// NewEntry describes an entry, which leads to a heading, without its neighbours.
func NewEntry(p Proposal, file *decision.File, heading int, c config.Config) Entry {
	h := file.Headings[heading]
	e := Entry{
		Entry: p.Command(), Title: p.Header, Description: p.Description,
		MaxWords: max(0, c.WordCount.Max-validate.CountWords(p.Header)),
		File:     fmt.Sprintf("%s:%d", file.Path, h.Line),
		Text:     strings.TrimSpace(file.WithoutSituations(h.Body, h.End)),
	}
	if file.Document {
		e.Text = file.Decided()
	}
	if chars := []rune(e.Text); len(chars) > maxTextChars {
		e.Text = fmt.Sprintf("%s … (%d more characters)", string(chars[:maxTextChars]), len(chars)-maxTextChars)
	}
	return e
}

// maxNeighbours bounds the neighbours of an entry.
const maxNeighbours = 6

// Neighbours returns the triggers beside an entry, with their titles: those that its text leads to,
// the nearest first, then others of its file.
func Neighbours(l *when.Library, of when.Lead, text string) []string {
	neighbours := []string{}
	add := func(other when.Lead) {
		name := fmt.Sprintf("%s (%s)", other.Command(), other.Title)
		if !isSame(other, of) && len(neighbours) < maxNeighbours && !slices.Contains(neighbours, name) {
			neighbours = append(neighbours, name)
		}
	}
	for _, other := range l.Recall(text, maxRecalled) {
		add(other.Lead)
	}
	for _, other := range l.Leads() {
		if other.File == of.File {
			add(other)
		}
	}
	return neighbours
}
