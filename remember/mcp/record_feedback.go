package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"whence/internal/store"
)

func (t *tools) feedbackTool() tool {
	return tool{
		name: "record_feedback", title: "Judge a learning", call: t.feedback,
		description: `Say what a learning was worth, once it shows. "helped" ranks it higher. "wrong" or "outdated" takes it out of use: it is kept, with the reason, and no longer shown; storing it again with approved: true brings it back.`,
		schema: `{
	"type": "object",
	"properties": {
		"id": {"type": "string", "description": "id of the learning, as store_memory and search_memory give it, or its whole name"},
		"verdict": {"type": "string", "enum": ["helped", "wrong", "outdated"], "description": "what it was"},
		"reason": {"type": "string", "description": "why, for the next one who reads it"}
	},
	"required": ["id", "verdict"],
	"additionalProperties": false
}`,
	}
}

func (t *tools) feedback(ctx context.Context, arguments json.RawMessage, warn func(string)) *sdk.CallToolResult {
	var a struct {
		ID      string `json:"id"`
		Verdict string `json:"verdict"`
		Reason  string `json:"reason"`
	}
	if err := parse(arguments, &a); err != nil {
		return failed("Error: " + err.Error())
	}
	if a.ID == "" {
		return failed("Error: id must be non-empty")
	}
	verdict, err := store.ParseVerdict(a.Verdict)
	if err != nil {
		return failed("Error: " + err.Error())
	}
	svc, err := t.service(warn)
	if err != nil {
		return failed("Error: " + err.Error())
	}
	l, err := svc.RecordFeedback(ctx, a.ID, verdict, a.Reason)
	if missing(err) {
		return failed("Entry not found: " + a.ID)
	}
	if err != nil {
		return failed("Error: " + err.Error())
	}
	if verdict == store.Helped {
		return texts(fmt.Sprintf("Recorded: %s helped (%d times)", l.Name, l.Influence))
	}
	return texts(fmt.Sprintf("Retired: %s (%s)", l.Name, l.Retired))
}
