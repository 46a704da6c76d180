package transcript

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"time"

	"github.com/go-json-experiment/json/v1"

	"whence/internal/agent"
)

// format reads a line in the format of one agent. It returns the records of the line, often none.
type format func(line []byte, c *carried) []Record

// formatOf recognizes the agent by the first line of a transcript, or by its beginning.
func formatOf(first []byte) (agent.Client, format) {
	if bytes.Contains(first, []byte(`"type":"session_meta"`)) {
		return agent.Codex, parseCodex
	}
	if bytes.Contains(first, []byte(`"projectHash":`)) {
		return agent.Gemini, parseGemini
	}
	if bytes.Contains(first, []byte(`"type":"session.start"`)) {
		return agent.Copilot, parseCopilot
	}
	return agent.Claude, parseClaude
}

// AgentOf returns the agent that wrote a transcript of lines: Claude Code if it recognizes no other.
func AgentOf(src io.ReaderAt, size int64) agent.Client {
	c, _ := formatOf(firstOf(src, size))
	return c
}

// parse reads a line. It completes the records with the session and folder of earlier lines, and with a UUID derived
// from the line if they have none.
func (f format) parse(src []byte, c *carried) []Record {
	src = bytes.Trim(src, "\x00\r\n\t ")
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if len(src) == 0 || src[0] != '{' {
		return nil
	}
	records := f(src, c)
	for i := range records {
		r := &records[i]
		r.UUID = cmp.Or(r.UUID, "line-"+hashOf(src))
		r.Session, r.Cwd = cmp.Or(r.Session, c.Session), cmp.Or(r.Cwd, c.Cwd)
		r.Sidechain = r.Sidechain || c.Sidechain
		r.clean()
	}
	return records
}

// decode reads JSON. It ignores fields of unexpected types.
func decode(src []byte, into any) error {
	var field *json.UnmarshalTypeError
	if err := json.Unmarshal(src, into); err != nil && !errors.As(err, &field) {
		return err
	}
	return nil
}

// elementsOf returns the values of a list, or any other value as the only one.
func elementsOf(src []byte) (all []json.RawMessage) {
	if len(src) == 0 || src[0] != '[' {
		return []json.RawMessage{src}
	}
	_ = json.Unmarshal(src, &all)
	return all
}

// parseTime reads a time in RFC 3339; the zero time if it is invalid.
func parseTime(text string) time.Time {
	at, _ := time.Parse(time.RFC3339, text)
	return at
}
