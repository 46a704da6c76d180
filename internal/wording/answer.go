package wording

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

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

const answerForm = `{"entry": "…", "trigger": "…", "description": "…", "situations": ["…", …]}, one object a line`

// Answer reads an answer. Fields that it does not know are ignored, unless there is nothing else.
func (l Line) Answer() (Answer, error) {
	var a Answer
	var notText *text.NotTextError
	unknown, err := text.DecodeObject(l.JSON, &a)
	if errors.As(err, &notText) {
		return Answer{}, err
	}
	if err != nil {
		return Answer{}, fmt.Errorf("%w: write %s", err, answerForm)
	}
	if a.Entry == "" {
		return Answer{}, errors.New(`it names no entry: add "entry" as memory-remember entry drafts prints it`)
	}
	if a.Trigger == "" && a.Description == "" && len(a.Situations) == 0 && len(unknown) > 0 {
		return Answer{}, fmt.Errorf("unknown field %q, and nothing to set: write %s", unknown[0], answerForm)
	}
	return a, nil
}
