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

// longestMessage is how many bytes a line of the client may have.
const longestMessage = 16 << 20

// patience is how long the calls in progress have to end once the client has gone.
const patience = 30 * time.Second

// connection is messages on two streams, a line each. It differs from the library's own in
// two things. A line that is no message is answered as an error, and the next one is read.
// And the end of the client's stream is the end only when all calls are answered: a script
// may write its calls, close its end, and read.
type connection struct {
	lines  <-chan line
	stop   <-chan struct{} // the server is to end
	closed chan struct{}
	close  sync.Once

	writing sync.Mutex
	out     io.Writer

	mu       sync.Mutex
	open     map[jsonrpc.ID]bool // calls without an answer yet
	answered chan struct{}       // told after each answer
}

// line is one line of the client, or why there are no more.
type line struct {
	text []byte
	err  error
}

func newConnection(in io.Reader, out io.Writer, stop <-chan struct{}) *connection {
	lines := make(chan line)
	c := &connection{lines: lines, stop: stop, closed: make(chan struct{}), out: out, open: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1)}
	go c.readLines(bufio.NewReaderSize(in, 64<<10), lines)
	return c
}

// Connect makes a connection its own transport: there is one of each in a process.
func (c *connection) Connect(context.Context) (sdk.Connection, error) { return c, nil }

// SessionID is for transports that have more than one session.
func (c *connection) SessionID() string { return "" }

func (c *connection) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

// readLines hands over line after line. A read that blocks ends with the process.
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

var errTooLong = fmt.Errorf("the message is longer than %d bytes", longestMessage)

// readLine reads up to a line end, or the end of all. Of a line that is too long the rest
// is skipped.
func readLine(in *bufio.Reader) (text []byte, err error) {
	tooLong := false
	for {
		part, err := in.ReadSlice('\n')
		if tooLong = tooLong || len(text)+len(part) > longestMessage; !tooLong {
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
			err = nil // it comes again
		}
		return text, err
	}
}

// Read returns the next message. io.EOF is the end.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case <-c.stop:
			c.drain(ctx, farewell)
			return nil, io.EOF
		case l := <-c.lines:
			switch {
			case errors.Is(l.err, errTooLong):
				if err := c.refuse(jsonrpc.CodeInvalidRequest, l.err); err != nil {
					return nil, err
				}
				continue
			case l.err != nil: // io.EOF, or the stream is broken: the client is gone
				c.drain(ctx, patience)
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

// note remembers what has to be answered before the end.
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
				delete(c.open, id) // may never be answered
			}
		}
	case r.IsCall() && r.Method != "subscriptions/listen": // which lasts as long as the session
		c.open[r.ID] = true
	}
}

// drain waits until all calls are answered, but not for ever.
func (c *connection) drain(ctx context.Context, most time.Duration) {
	late := time.After(most)
	for {
		c.mu.Lock()
		done := len(c.open) == 0
		c.mu.Unlock()
		if done {
			return
		}
		select {
		case <-c.answered:
		case <-c.stop:
			c.stop = nil // to hurry once is enough
			late = time.After(farewell)
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
		case c.answered <- struct{}{}:
		default: // told already
		}
	}
	return nil
}

// refuse answers a line that is no message: nobody knows its id.
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
