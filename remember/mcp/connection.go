package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// transport is the library's, except that the server still completes all calls in progress at the end of the
// client's stream. So a script may write its calls, close its end, and read.
type transport struct {
	sdk.Transport
	serving context.Context // done when the server has to stop
}

func (t transport) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &connection{Connection: c, serving: t.serving}, err
}

type connection struct {
	sdk.Connection
	serving context.Context
	ids     sync.Map // of the calls in progress
	open    sync.WaitGroup
}

// maxDrainTime limits the time for calls in progress after the client has closed its end. Those that it has
// cancelled may never get a response.
const maxDrainTime = 10 * time.Second

// Read returns the next message; io.EOF is the end.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	reading, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.serving, cancel)()
	message, err := c.Connection.Read(reading)
	if err != nil {
		c.drain(ctx)
		if c.serving.Err() != nil {
			err = io.EOF
		}
		return nil, err
	}
	r, isRequest := message.(*jsonrpc.Request)
	if isRequest && r.IsCall() && r.Method != "subscriptions/listen" { // which lasts as long as the session
		if _, known := c.ids.LoadOrStore(r.ID, true); !known {
			c.open.Add(1)
		}
	}
	return message, nil
}

// drain waits until all calls have a response, for a bounded time.
func (c *connection) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, maxDrainTime)
	defer cancel()
	done := make(chan struct{})
	go func() {
		c.open.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// Write writes a message. It gives an error without a code, such as that of a call before initialize, the code of an
// invalid request.
func (c *connection) Write(ctx context.Context, message jsonrpc.Message) error {
	r, isResponse := message.(*jsonrpc.Response)
	if failed := (*jsonrpc.Error)(nil); isResponse && r.Error != nil && (!errors.As(r.Error, &failed) || failed.Code == 0) {
		r.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: r.Error.Error()}
	}
	err := c.Connection.Write(ctx, message)
	if isResponse {
		if _, known := c.ids.LoadAndDelete(r.ID); known {
			c.open.Done()
		}
	}
	return err
}
