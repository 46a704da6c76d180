package mcp

import (
	"context"
	"encoding/json"
	"errors"
)

func (t *tools) forgetTool() tool {
	return tool{
		name: "forget_memory", title: "Forget a learning", destructive: true, objects: true, call: t.forget,
		description: `Delete a learning for good, and only if the user asks for that, or agrees that it is wrong or outdated.`,
		schema: `{
	"type": "object",
	"properties": {
		"id": {"type": "string", "description": "id of the learning, as store_memory and search_memory give it, or its whole name"}
	},
	"required": ["id"]
}`,
	}
}

func (t *tools) forget(ctx context.Context, arguments json.RawMessage) ([]string, error) {
	var a struct {
		ID string `json:"id"`
	}
	if err := parse(arguments, &a); err != nil {
		return nil, err
	}
	if a.ID == "" {
		return nil, errors.New("id must be non-empty")
	}
	svc, err := t.backend.Service()
	if err != nil {
		return nil, err
	}
	l, err := svc.Forget(ctx, a.ID)
	if missing(err) {
		err = refusal("Memory entry not found: " + a.ID)
	}
	return []string{object("result", "Deleted memory: "+l.ID)}, err
}
