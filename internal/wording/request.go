// Package wording asks an agent to word entries of a memory, and checks what it answers.
//
// Rules can draft an entry, but only someone who has read its section can word it well. The
// programs print a [Request], a batch of entries with everything needed to word them, and read
// an [Answer] a line. Each answer is checked by itself, so one that is refused holds up no other.
package wording

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/validate"
	"whence/when"
)

// Request is a batch of entries to word.
type Request struct {
	Left    int      `json:"left"`  // entries to word, those of this batch included
	All     int      `json:"all"`   // entries to word and worded
	Batch   int      `json:"batch"` // entries of this batch
	Rules   []string `json:"rules"`
	Entries []Entry  `json:"entries"`
}

// Entry is an entry to word.
type Entry struct {
	Line        int      `json:"line,omitempty"` // of the index, if the entry has one there
	File        string   `json:"file"`
	Header      string   `json:"header"` // "": no heading is known
	Operator    string   `json:"operator"`
	Trigger     string   `json:"trigger"`
	Description string   `json:"description"`
	Why         string   `json:"why,omitempty"` // how trigger and description were derived
	Confidence  float64  `json:"confidence"`
	Source      string   `json:"source,omitempty"` // the line of the index
	Text        string   `json:"text"`             // of the section, without situations
	Room        int      `json:"room,omitempty"`   // words for trigger and description together
	Neighbours  []string `json:"neighbours"`       // triggers that this one must differ from, and their headers
	Situations  []string `json:"situations"`
	Wanted      int      `json:"wanted"` // how many more situations
}

// WantedSituations is the number of situations that a decision should have: measured, recall gains
// little from more, and loses much below half of it.
const WantedSituations = 16

// DefaultBatch is the number of entries of a batch: what an agent words with care in one go, in
// about 8,000 tokens.
const DefaultBatch = 10

// NewRequest returns a request for the first entries, the least certain first: at most maxEntries, or
// as many as fit if that is 0.
func NewRequest(entries []Entry, all, maxEntries int, c config.Config) Request {
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Confidence, b.Confidence) })
	r := Request{Left: len(entries), All: all, Rules: rules(c), Entries: entries}
	if maxEntries > 0 {
		r.Entries = entries[:min(len(entries), maxEntries)]
	}
	r.Entries = r.Entries[:fitting(r.Entries)]
	r.Batch = len(r.Entries)
	for i, e := range r.Entries {
		if e.Header != "" {
			r.Entries[i].Room = max(0, c.WordCount.Max-validate.CountWords(e.Header))
		}
	}
	return r
}

// maxBatchBytes bounds a batch, since the shells of agents cut output at 30,000 characters;
// otherBytes is what an entry takes beside its texts, neighbours included.
const (
	maxBatchBytes = 26_000
	otherBytes    = 1_100
)

// fitting returns how many of the first entries fit in a batch, one at least.
func fitting(entries []Entry) int {
	size := 0
	for i, e := range entries {
		if size += len(e.Text) + len(e.Source) + otherBytes; size > maxBatchBytes && i > 0 {
			return i
		}
	}
	return len(entries)
}

// rules returns the rules of a good entry.
func rules(c config.Config) []string {
	return []string{
		`The trigger completes "when …": it says what someone is doing or facing when the decision applies.`,
		fmt.Sprintf(`It has %d to %d words in lower case, a verb and its object: "writing mock tests", not "mocks", not "working on mocks".`, minTriggerWords, maxTriggerWords),
		"It has the words of a developer who has not read the decision yet. Do not repeat a title that is vague.",
		"It reads as a colleague would say it aloud, with no word missing, doubled, or with two meanings, and is as broad as the section: not one example from it, and not the subject of a neighbour.",
		`A decision against something applies when someone is about to do it: for "Never log in as owner", "choosing a database role".`,
		"It differs from all neighbours, so that it leads to this decision alone.",
		fmt.Sprintf("The description has further words by which one would search for it. Trigger, header and description have %d to %d words together.", c.WordCount.Min, c.WordCount.Max),
		fmt.Sprintf("Situations are what someone types, does or sees when the decision applies, in other words than trigger and header: %d phrases of %d to %d words.", WantedSituations, minPhraseWords, validate.MaxPhraseWords),
		"A field that you leave out stays as it is.",
	}
}

// maxTextBytes bounds the text of a section: 90 % of the 2,397 sections of seven memories are
// shorter.
const maxTextBytes = 3000

// Section fills in what the decision file says about an entry.
func (e *Entry) Section(file *decision.File, heading int) {
	h := file.Headings[heading]
	e.File, e.Header = file.Path, h.Title
	e.Situations = append([]string{}, file.Phrases(heading)...)
	e.Text = strings.TrimSpace(file.WithoutSituations(h.Body, h.End))
	if len(e.Text) > maxTextBytes {
		end := maxTextBytes
		for !utf8.RuneStart(e.Text[end]) {
			end--
		}
		e.Text = fmt.Sprintf("%s … (%d more bytes: see %s:%d)", e.Text[:end], len(e.Text)-end, file.Path, h.Line)
	}
}

// maxNeighbours bounds the neighbours of an entry, so that a batch fits what an agent's shell shows.
const maxNeighbours = 8

// Neighbours returns the triggers beside an entry, with their headers: those that its text leads to,
// the nearest first, then others of its file.
func Neighbours(f *when.Finder, e Entry) []string {
	neighbours := []string{}
	add := func(other when.Lead) {
		name := fmt.Sprintf("%s (%s)", other.Command(), other.Title)
		own := other.File == e.File && decision.Key(other.Title) == decision.Key(e.Header)
		if !own && len(neighbours) < maxNeighbours && !slices.Contains(neighbours, name) {
			neighbours = append(neighbours, name)
		}
	}
	for _, other := range f.Leads(e.Header + "\n" + e.Description + "\n" + e.Text) {
		add(other)
	}
	for _, other := range f.Entries() {
		if other.File == e.File {
			add(other)
		}
	}
	return neighbours
}
