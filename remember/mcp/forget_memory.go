package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func (t *tools) forgetTool() tool {
	return tool{
		name: "forget_memory", title: "Forget a learning", destructive: true, call: t.forget,
		description: `Delete a learning for good, and only if the user asks for that. One that is wrong or outdated is better marked with record_feedback: then it is kept, with the reason, and no longer shown.`,
		schema: `{
	"type": "object",
	"properties": {
		"id": {"type": "string", "description": "id of the learning, as store_memory and search_memory give it, or its whole name"}
	},
	"required": ["id"],
	"additionalProperties": false
}`,
	}
}

func (t *tools) forget(ctx context.Context, arguments json.RawMessage, warn func(string)) *sdk.CallToolResult {
	var a struct {
		ID string `json:"id"`
	}
	if err := parse(arguments, &a); err != nil {
		return failed(object("error", err.Error()))
	}
	if a.ID == "" {
		return failed(object("error", "id must be non-empty"))
	}
	svc, err := t.service(warn)
	if err != nil {
		return failed(object("error", err.Error()))
	}
	l, err := svc.Forget(ctx, a.ID)
	if missing(err) {
		return failed(object("error", "Memory entry not found: "+a.ID))
	}
	if err != nil {
		return failed(object("error", err.Error()))
	}
	return texts(object("result", "Deleted memory: "+l.ID))
}

// object is a JSON object of one text, as earlier tools answered.
func object(key, value string) string {
	src, err := json.Marshal(map[string]string{key: value})
	if err != nil { // no text has one
		return value
	}
	return string(src)
}
