package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessageBytes bounds a line of the client.
const maxMessageBytes = 16 << 20

// maxDrainTime bounds the calls in progress after the client has closed its end.
const maxDrainTime = 30 * time.Second

// connection exchanges messages, one a line, on two streams. Unlike the library's transport, it
// replies to an invalid line with an error and reads on; and after the end of the client's stream
// it still completes all calls, so that a script may write its calls, close its end, and read.
type connection struct {
	lines  <-chan line
	stop   <-chan struct{} // closed when the server has to stop
	closed <-chan struct{}
	close  context.CancelFunc // closes it

	writing sync.Mutex
	out     io.Writer

	mu        sync.Mutex
	open      map[jsonrpc.ID]bool // calls in progress
	responded chan struct{}       // signalled after each response
}

// line is a line of the client, or the reason why there are no more.
type line struct {
	text []byte
	err  error
}

func newConnection(in io.Reader, out io.Writer, stop <-chan struct{}) *connection {
	lines := make(chan line)
	closed, cancel := context.WithCancel(context.Background())
	c := &connection{lines: lines, stop: stop, closed: closed.Done(), close: cancel, out: out, open: map[jsonrpc.ID]bool{}, responded: make(chan struct{}, 1)}
	go c.readLines(bufio.NewReaderSize(in, 64<<10), lines)
	return c
}

// Connect makes the connection its own transport, since a process has one of each.
func (c *connection) Connect(context.Context) (sdk.Connection, error) { return c, nil }

// SessionID is for transports that have more than one session.
func (c *connection) SessionID() string { return "" }

func (c *connection) Close() error {
	c.close()
	return nil
}

func (c *connection) readLines(in *bufio.Reader, lines chan<- line) {
	for {
		text, err := readLine(in)
		if len(text) > 0 || err != nil {
			select {
			case lines <- line{text, err}:
			case <-c.closed:
				return
			}
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return
		}
	}
}

var errTooLong = fmt.Errorf("the message is longer than %d bytes", maxMessageBytes)

// readLine reads up to the end of a line or of the stream. It skips the rest of a line that is too
// long.
func readLine(in *bufio.Reader) (text []byte, err error) {
	tooLong := false
	for {
		part, err := in.ReadSlice('\n')
		if tooLong = tooLong || len(text)+len(part) > maxMessageBytes; !tooLong {
			text = append(text, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if tooLong {
			return nil, errTooLong
		}
		text = bytes.TrimSpace(text)
		if len(text) > 0 && errors.Is(err, io.EOF) {
			err = nil // the next read returns it
		}
		return text, err
	}
}

// Read returns the next message; io.EOF is the end.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case <-c.stop:
			c.drain(ctx, maxStopTime)
			return nil, io.EOF
		case l := <-c.lines:
			switch {
			case errors.Is(l.err, errTooLong):
				if err := c.refuse(jsonrpc.CodeInvalidRequest, l.err); err != nil {
					return nil, err
				}
				continue
			case l.err != nil: // io.EOF, or a broken stream
				c.drain(ctx, maxDrainTime)
				return nil, io.EOF
			}
			message, err := jsonrpc.DecodeMessage(l.text)
			if err != nil {
				code := int64(jsonrpc.CodeInvalidRequest)
				if !json.Valid(l.text) {
					code, err = jsonrpc.CodeParseError, errors.New("the line is not JSON")
				}
				if err := c.refuse(code, err); err != nil {
					return nil, err
				}
				continue
			}
			c.note(message)
			return message, nil
		}
	}
}

// note records which calls are in progress.
func (c *connection) note(message jsonrpc.Message) {
	r, isRequest := message.(*jsonrpc.Request)
	if !isRequest {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case r.Method == "notifications/cancelled":
		var params struct {
			RequestID any `json:"requestId"`
		}
		if json.Unmarshal(r.Params, &params) == nil {
			if id, err := jsonrpc.MakeID(params.RequestID); err == nil {
				delete(c.open, id) // may get no response
			}
		}
	case r.IsCall() && r.Method != "subscriptions/listen": // which lasts as long as the session
		c.open[r.ID] = true
	}
}

// drain waits until all calls have a response, for a bounded time.
func (c *connection) drain(ctx context.Context, maxTime time.Duration) {
	late := time.After(maxTime)
	for {
		c.mu.Lock()
		done := len(c.open) == 0
		c.mu.Unlock()
		if done {
			return
		}
		select {
		case <-c.responded:
		case <-c.stop:
			c.stop = nil // once is enough
			late = time.After(maxStopTime)
		case <-ctx.Done():
			return
		case <-c.closed:
			return
		case <-late:
			return
		}
	}
}

// Write writes a message.
func (c *connection) Write(ctx context.Context, message jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	if err := c.writeLine(text); err != nil {
		return err
	}
	if r, isResponse := message.(*jsonrpc.Response); isResponse {
		c.mu.Lock()
		delete(c.open, r.ID)
		c.mu.Unlock()
		select {
		case c.responded <- struct{}{}:
		default: // signalled already
		}
	}
	return nil
}

// refuse replies to an invalid line, whose id is unknown.
func (c *connection) refuse(code int64, why error) error {
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why.Error()}})
	if err != nil {
		return err
	}
	return c.writeLine(text)
}

func (c *connection) writeLine(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
}
