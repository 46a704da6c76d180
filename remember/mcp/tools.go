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

// tools are the tools that agents may call.
type tools struct{ backend remember.Backend }

// tool is one of them. Its JSON Schema is written by hand: for the library to derive it would take
// longer than the rest of the start.
type tool struct {
	name, title, description string
	schema                   string
	readOnly, destructive    bool
	// call runs the tool; warn adds a line to the result.
	call func(ctx context.Context, arguments json.RawMessage, warn func(string)) *sdk.CallToolResult
}

func (t *tools) all() []tool {
	return []tool{t.storeTool(), t.searchTool(), t.whenTool(), t.forgetTool(), t.feedbackTool()}
}

func (t *tools) service(warn func(string)) (*remember.Service, error) {
	svc, err := t.backend.Service()
	if err == nil {
		svc.Warn = warn
	}
	return svc, err
}

// register adds a tool to a server. A panic in it becomes an error result; the server goes on.
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
		var warnings []string
		result = t.call(ctx, r.Params.Arguments, func(line string) { warnings = append(warnings, line) })
		result.Content = append(result.Content, texts(warnings...).Content...)
		return result, nil
	})
}

// texts returns a result of several texts.
func texts(lines ...string) *sdk.CallToolResult {
	result := &sdk.CallToolResult{}
	for _, line := range lines {
		result.Content = append(result.Content, &sdk.TextContent{Text: line})
	}
	return result
}

// failed returns an error result.
func failed(line string) *sdk.CallToolResult {
	result := texts(line)
	result.IsError = true
	return result
}

// missing reports whether an error means that a learning does not exist.
func missing(err error) bool {
	return errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrNone)
}
