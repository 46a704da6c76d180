package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxFrameBytes bounds a message of the client.
const maxFrameBytes = 4 << 20

// bigID begins the id of a request while it is in the library, which would round the number that follows.
const bigID = "whence-number:"

// frames reads messages, one a line. It answers any other line with its error and goes on, where the library would end the
// connection.
type frames struct {
	in   *bufio.Reader
	out  *frameWriter
	rest []byte // of a line that was not yet returned
}

// Read returns bytes of lines that are messages.
func (f *frames) Read(p []byte) (int, error) {
	for len(f.rest) == 0 {
		line, err := f.line()
		if len(bytes.TrimSpace(line)) > 0 {
			f.accept(line)
		}
		if err != nil && len(f.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// line returns the next line, of one that is too long more than maxFrameBytes.
func (f *frames) line() (line []byte, err error) {
	for {
		part, isPrefix, err := f.in.ReadLine()
		if len(line) <= maxFrameBytes {
			line = append(line, part...)
		}
		if err != nil || !isPrefix {
			return line, err
		}
	}
}

// accept makes a line what is read next, or refuses it.
func (f *frames) accept(line []byte) {
	var fields map[string]json.RawMessage
	if len(line) > maxFrameBytes {
		f.out.refuse("null", jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has more than %d bytes", maxFrameBytes))
		return
	}
	if !json.Valid(line) {
		f.out.refuse("null", jsonrpc.CodeParseError, "this line is not JSON")
		return
	}
	if json.Unmarshal(line, &fields) != nil || fields == nil {
		f.out.refuse("null", jsonrpc.CodeInvalidRequest, "a message is an object; batches are not supported")
		return
	}
	id, hasID := fields["id"]
	reply, isID := "null", isString(id) || isInteger(id)
	if isID {
		reply = string(id)
	}
	_, hasMethod := fields["method"]
	_, hasParams := fields["params"]
	var method, version string
	var params map[string]json.RawMessage
	switch {
	case json.Unmarshal(fields["jsonrpc"], &version) != nil || version != "2.0":
		f.out.refuse(reply, jsonrpc.CodeInvalidRequest, `jsonrpc is not "2.0"`)
	case hasID && !isID:
		f.out.refuse("null", jsonrpc.CodeInvalidRequest, "id is neither a string nor an integer")
	case !hasMethod && fields["result"] == nil && fields["error"] == nil || hasMethod && json.Unmarshal(fields["method"], &method) != nil:
		f.out.refuse(reply, jsonrpc.CodeInvalidRequest, "method is missing, or not a string")
	case hasParams && json.Unmarshal(fields["params"], &params) != nil:
		f.out.refuse(reply, jsonrpc.CodeInvalidParams, "params is not an object")
	default:
		if isInteger(id) && len(id) >= len("9007199254740993") {
			fields["id"] = json.RawMessage(`"` + bigID + string(id) + `"`)
			line, _ = json.Marshal(fields) // of parts that are valid
		}
		f.rest = append(line, '\n')
	}
}

func isString(id json.RawMessage) bool {
	return json.Unmarshal(id, new(string)) == nil && string(id) != "null"
}

func isInteger(id json.RawMessage) bool {
	digits := strings.TrimPrefix(string(id), "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// frameWriter writes messages, each by one call.
type frameWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// Write writes a message of the library, with the ids that the client has sent.
func (w *frameWriter) Write(message []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	written := message
	if quoted := []byte(`"id":"` + bigID); bytes.Contains(message, quoted) {
		before, after, _ := bytes.Cut(message, quoted)
		digits, rest, _ := bytes.Cut(after, []byte{'"'})
		written = bytes.Join([][]byte{before, []byte(`"id":`), digits, rest}, nil)
	}
	if _, err := w.w.Write(written); err != nil {
		return 0, err
	}
	return len(message), nil
}

// Close does nothing: the output stays open when the connection ends.
func (w *frameWriter) Close() error { return nil }

// refuse answers a line with an error.
func (w *frameWriter) refuse(id string, code int, reason string) {
	text, _ := json.Marshal(reason)
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`+"\n", id, code, text) // the next write fails, too
}
