package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxFrameBytes is the maximum size of a client's message.
const maxFrameBytes = 4 << 20

// frames reads messages, one per line. It answers any other line with an error and continues; the library would end the
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

// line returns the next line. If it is longer than maxFrameBytes, the result may be cut, but is too long, too.
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

// accept lets a line be read next if it is a message, or refuses it.
func (f *frames) accept(line []byte) {
	if len(line) > maxFrameBytes {
		f.out.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has more than %d bytes", maxFrameBytes))
		return
	}
	if !json.Valid(line) {
		f.out.refuse(jsonrpc.CodeParseError, "this line is not JSON")
		return
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		f.out.refuse(jsonrpc.CodeInvalidRequest, err.Error())
		return
	}
	f.rest = append(line, '\n')
}

// frameWriter writes messages, each by one call. Several goroutines may use it.
type frameWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// Write writes a message.
func (w *frameWriter) Write(message []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(message)
}

// Close does nothing: the output stays open when the connection ends.
func (w *frameWriter) Close() error { return nil }

// refuse answers a line with an error.
func (w *frameWriter) refuse(code int, reason string) {
	text, _ := json.Marshal(reason)
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%s}}`+"\n", code, text) // the next write fails, too
}
