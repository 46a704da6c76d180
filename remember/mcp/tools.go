package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"whence/internal/agent"
	"whence/internal/inert"
	"whence/internal/store"
	"whence/remember"
)

type tools struct{ backend remember.Backend }

// tool is a tool of the server. Its JSON Schema is written by hand: deriving it by the library would
// take longer than the rest of the start.
type tool struct {
	name, title, description string
	schema                   string
	readOnly, destructive    bool
	objects                  bool // results and errors are JSON objects with one text
	// call returns the texts of the result.
	call func(ctx context.Context, arguments json.RawMessage) ([]string, error)
}

// refusal is an error whose text is the whole reply; "Error: " precedes others.
type refusal string

func (r refusal) Error() string { return string(r) }

func (t *tools) all() []tool {
	return []tool{t.storeTool(), t.searchTool(), t.whenTool(), t.forgetTool()}
}

// register adds a tool to a server. A panic in it becomes an error result; the server goes on.
func (t tool) register(m *sdk.Server) {
	destructive, open := t.destructive, false
	m.AddTool(&sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: json.RawMessage(t.schema),
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: t.readOnly, DestructiveHint: &destructive, OpenWorldHint: &open},
	}, func(ctx context.Context, r *sdk.CallToolRequest) (result *sdk.CallToolResult, _ error) {
		result = &sdk.CallToolResult{}
		add := func(s string) {
			result.Content = append(result.Content, &sdk.TextContent{Text: inert.Text(s, agent.Markup...)})
		}
		defer func() {
			if p := recover(); p != nil {
				result = &sdk.CallToolResult{IsError: true}
				add(fmt.Sprintf("Error: a fault in the program: %v; please report it", p))
			}
		}()
		texts, err := t.call(ctx, r.Params.Arguments)
		if err != nil {
			texts, result.IsError = []string{t.errorText(err)}, true
		}
		for _, s := range texts {
			add(s)
		}
		return result, nil
	})
}

func (t tool) errorText(err error) string {
	var verbatim refusal
	if t.objects {
		return object("error", err.Error())
	}
	if errors.As(err, &verbatim) {
		return string(verbatim)
	}
	return "Error: " + err.Error()
}

// parse parses the arguments of a call, if it has any. Missing ones stay zero; the tool decides whether
// they are required. Unknown ones are ignored, because some clients add their own.
func parse(arguments json.RawMessage, into any) error {
	if len(bytes.TrimSpace(arguments)) == 0 {
		return nil
	}
	_, err := remember.DecodeObject(arguments, into)
	return err
}

// object returns a JSON object with one text, the form in which earlier tools replied.
func object(key, value string) string {
	src, _ := json.Marshal(map[string]string{key: value}) // strings cannot fail
	return string(src)
}

// missing reports whether an error means that a learning does not exist.
func missing(err error) bool {
	return errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrNone)
}
