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

// format reads a line of one agent. It returns its records, often none.
type format func(line []byte, c *carried) []Record

// formatOf recognizes the agent by the first line of a transcript, of which a beginning will do.
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

// AgentOf returns the agent that has written a transcript of lines: Claude Code, if no other is recognized.
func AgentOf(src io.ReaderAt, size int64) agent.Client {
	c, _ := formatOf(firstOf(src, size))
	return c
}

// parse reads a line. Its records have the session and folder that the line does not name, and a UUID made of
// the line if it has none.
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

// decode reads JSON, and skips fields of unexpected types.
func decode(src []byte, into any) error {
	var field *json.UnmarshalTypeError
	if err := json.Unmarshal(src, into); err != nil && !errors.As(err, &field) {
		return err
	}
	return nil
}

// elementsOf returns the values of a list, or another value alone.
func elementsOf(src []byte) (all []json.RawMessage) {
	if len(src) == 0 || src[0] != '[' {
		return []json.RawMessage{src}
	}
	_ = json.Unmarshal(src, &all)
	return all
}

// parseTime returns the zero time for an invalid one.
func parseTime(text string) time.Time {
	at, _ := time.Parse(time.RFC3339, text)
	return at
}
