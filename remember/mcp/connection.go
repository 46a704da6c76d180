package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// transport is the library's, except that the server completes all calls in progress after the end of the
// client's stream, so that a script may write its calls, close its end, and read.
type transport struct {
	sdk.Transport
	serving context.Context // done when the server has to stop
}

func (t transport) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &connection{Connection: c, serving: t.serving, open: map[jsonrpc.ID]bool{}, responded: make(chan struct{}, 1)}, err
}

type connection struct {
	sdk.Connection
	serving context.Context

	mu        sync.Mutex
	open      map[jsonrpc.ID]bool // calls in progress
	responded chan struct{}       // signalled after each response
}

// maxDrainTime bounds the calls in progress after the client has closed its end.
const maxDrainTime = 30 * time.Second

// Read returns the next message; io.EOF is the end.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	reading, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.serving, cancel)()
	message, err := c.Connection.Read(reading)
	if err == nil {
		c.note(message)
		return message, nil
	}
	if c.serving.Err() != nil {
		c.drain(ctx, maxStopTime)
		return nil, io.EOF
	}
	if errors.Is(err, io.EOF) {
		c.drain(ctx, maxDrainTime)
	}
	return nil, err
}

// note records which calls are in progress.
func (c *connection) note(message jsonrpc.Message) {
	r, isRequest := message.(*jsonrpc.Request)
	if !isRequest {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.IsCall() && r.Method != "subscriptions/listen" { // which lasts as long as the session
		c.open[r.ID] = true
	}
	if r.Method != "notifications/cancelled" {
		return
	}
	var params struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(r.Params, &params) != nil {
		return
	}
	if id, err := jsonrpc.MakeID(params.RequestID); err == nil {
		delete(c.open, id) // may get no response
	}
}

// drain waits until all calls have a response, for a bounded time.
func (c *connection) drain(ctx context.Context, maxTime time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	for {
		c.mu.Lock()
		done := len(c.open) == 0
		c.mu.Unlock()
		if done {
			return
		}
		select {
		case <-c.responded:
		case <-ctx.Done():
			return
		}
	}
}

// Write writes a message.
func (c *connection) Write(ctx context.Context, message jsonrpc.Message) error {
	if err := c.Connection.Write(ctx, message); err != nil {
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

// unclosed is an output that stays open when the connection ends.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
