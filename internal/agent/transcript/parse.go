package transcript

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"time"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-json-experiment/json/v1"

	"whence/internal/agent"
)

// format reads a line of one agent. It returns its records, often none.
type format func(line []byte, c *carried) []Record

// carried has the values that later lines take from earlier ones.
type carried struct {
	Session, Cwd string
	Sidechain    bool   // all of it is of a subagent
	Event        string // of Codex: at which hooks inject something now
}

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

// madeUUID begins the UUID of a record that came without one.
const madeUUID = "line-"

// parse reads a line. Its records have the session, folder and version that the line does not name.
func (f format) parse(src []byte, c *carried) []Record {
	src = bytes.Trim(src, "\x00\r\n\t ")
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if len(src) == 0 || src[0] != '{' {
		return nil
	}
	records := f(src, c)
	for i := range records {
		r := &records[i]
		if r.UUID == "" {
			r.UUID = madeUUID + hashOf(src)
		}
		if r.Session == "" {
			r.Session = clean(c.Session)
		}
		if r.Cwd == "" {
			r.Cwd = clean(c.Cwd)
		}
		r.Sidechain = r.Sidechain || c.Sidechain
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

// decodeFrom reads the next value as decode does.
func decodeFrom(in *jsontext.Decoder, into any) error {
	var field *json.UnmarshalTypeError
	if err := json2.UnmarshalDecode(in, into); err != nil && !errors.As(err, &field) {
		return err
	}
	return nil
}

// eachOf calls a function to read each value of the list that comes next.
func eachOf(in *jsontext.Decoder, read func(i int) error) error {
	if _, err := in.ReadToken(); err != nil { // the bracket
		return err
	}
	for i := 0; in.PeekKind() != ']'; i++ {
		if err := read(i); err != nil {
			return err
		}
	}
	_, err := in.ReadToken()
	return err
}

// parseTime returns the zero time for an invalid one.
func parseTime(text string) time.Time {
	at, _ := time.Parse(time.RFC3339, text)
	return at
}

// clean removes NULs. The decoder has made the rest of a text valid.
func clean(text string) string { return strings.ReplaceAll(text, "\x00", "") }
