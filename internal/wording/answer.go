package wording

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"whence/internal/text"
)

// Answer is how an agent words an entry. Fields that are empty stay as they are; situations are added.
type Answer struct {
	Entry       string   `json:"entry"`
	Trigger     string   `json:"trigger"`
	Description string   `json:"description"`
	Situations  []string `json:"situations"`
}

// Report says what became of the answers.
type Report struct {
	Set     int       `json:"set"`     // answers of which nothing is refused
	Left    int       `json:"left"`    // entries still to word
	Refused []Refusal `json:"refused"` // in the order of the input
}

// Refusal lists the reasons against parts of an answer. The rest of it is kept.
type Refusal struct {
	Input   int      `json:"input"`           // line of standard input
	Entry   string   `json:"entry,omitempty"` // by which to name it now
	Reasons []string `json:"reasons"`         // each says what to do
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
	if !utf8.Valid(l.JSON) || bytes.ContainsRune(l.JSON, 0) {
		return Answer{}, errors.New("it is not UTF-8 text, or has a NUL: convert it to UTF-8 first")
	}
	if err := text.DecodeJSON(l.JSON, &a); err != nil {
		return Answer{}, fmt.Errorf(`%w: write {"entry": "…", "trigger": "…", "description": "…", "situations": ["…", …]}, one object a line`, err)
	}
	if a.Entry == "" {
		return Answer{}, errors.New(`it names no entry: add "entry" as memory-remember entry drafts prints it`)
	}
	return a, nil
}
