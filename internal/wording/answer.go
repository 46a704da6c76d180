package wording

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"whence/internal/text"
)

// Answer is how an agent words an entry. Fields that are empty stay as they are.
type Answer struct {
	Line        int      `json:"line"` // of the index
	File        string   `json:"file"`
	Header      *string  `json:"header"`
	Operator    string   `json:"operator"`
	Trigger     string   `json:"trigger"`
	Description string   `json:"description"`
	Situations  []string `json:"situations"`
}

// Title returns the header, or "".
func (a Answer) Title() string {
	if a.Header == nil {
		return ""
	}
	return *a.Header
}

// Report says what became of the answers.
type Report struct {
	Set     int       `json:"set"`  // answers that were taken
	Left    int       `json:"left"` // entries still to word
	Refused []Refusal `json:"refused"`
}

// Refusal is an answer that was not taken.
type Refusal struct {
	Input   int      `json:"input"` // line of standard input
	Line    int      `json:"line,omitempty"`
	Header  string   `json:"header,omitempty"`
	Trigger string   `json:"trigger,omitempty"`
	Reasons []string `json:"reasons"` // each says what to do
}

// Refuse adds an answer that was not taken.
func (r *Report) Refuse(input int, a Answer, reasons ...string) {
	r.Refused = append(r.Refused, Refusal{input, a.Line, a.Title(), a.Trigger, reasons})
}

// Sort puts the refusals in the order of the input.
func (r *Report) Sort() {
	slices.SortStableFunc(r.Refused, func(a, b Refusal) int { return cmp.Compare(a.Input, b.Input) })
}

// Line is a line of a batch that is not empty.
type Line struct {
	Number int // 1-based
	JSON   []byte
}

// maxLineBytes bounds a line of a batch.
const maxLineBytes = 16 << 20

// ReadLines reads a batch of JSON objects, one a line. No object is an error.
func ReadLines(r io.Reader) ([]Line, error) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLineBytes)
	var lines []Line
	number := 0
	for scanner.Scan() {
		number++
		line := bytes.TrimSpace(bytes.TrimPrefix(scanner.Bytes(), []byte("\uFEFF")))
		if len(line) > 0 {
			lines = append(lines, Line{number, bytes.Clone(line)})
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("line %d of standard input: %w", number+1, err)
	}
	if len(lines) == 0 {
		return nil, errors.New("standard input is empty: write one JSON object a line")
	}
	return lines, nil
}

// Answer reads an answer.
func (l Line) Answer() (Answer, error) {
	var a Answer
	if err := text.DecodeJSON(l.JSON, &a); err != nil {
		return Answer{}, fmt.Errorf(`%w: write {"header": "…", "trigger": "…", "description": "…", "situations": ["…", …]}, one object a line`, err)
	}
	return a, nil
}
