package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"whence/internal/store"
	"whence/remember"
)

// tools are what agents may call.
type tools struct{ memory remember.Memory }

// tool is one of them. Its schema is JSON Schema, written by hand: the library would need
// longer to derive it than the rest of the start takes.
type tool struct {
	name, title, description string
	schema                   string
	readOnly, destructive    bool
	// Call does what is asked. Tell takes what else is to be known, a line.
	call func(ctx context.Context, arguments json.RawMessage, tell func(string)) *sdk.CallToolResult
}

// all are the tools.
func (s *tools) all() []tool {
	return []tool{s.storeTool(), s.searchTool(), s.whenTool(), s.forgetTool(), s.feedbackTool()}
}

// register adds a tool to a server. A fault in it is an answer, not the end of the server.
func (t tool) register(m *sdk.Server) {
	destructive, open := t.destructive, false
	m.AddTool(&sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: json.RawMessage(t.schema),
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: t.readOnly, DestructiveHint: &destructive, OpenWorldHint: &open},
	}, func(ctx context.Context, r *sdk.CallToolRequest) (result *sdk.CallToolResult, _ error) {
		defer func() {
			if p := recover(); p != nil {
				result = failed(fmt.Sprintf("Error: a fault in the program: %v; please report it", p))
			}
		}()
		var told []string
		result = t.call(ctx, r.Params.Arguments, func(line string) { told = append(told, line) })
		result.Content = append(result.Content, texts(told...).Content...)
		return result, nil
	})
}

// texts is an answer of several texts.
func texts(lines ...string) *sdk.CallToolResult {
	result := &sdk.CallToolResult{}
	for _, line := range lines {
		result.Content = append(result.Content, &sdk.TextContent{Text: line})
	}
	return result
}

// failed is an answer that is an error.
func failed(line string) *sdk.CallToolResult {
	result := texts(line)
	result.IsError = true
	return result
}

// missing tells that what was named is not there.
func missing(err error) bool {
	return errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrNone)
}
