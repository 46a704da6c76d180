package mcp

import (
	"context"
	"encoding/json"
	"fmt"

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

func (t *tools) feedback(ctx context.Context, arguments json.RawMessage, warn func(string)) ([]string, error) {
	var a struct {
		ID      string `json:"id"`
		Verdict string `json:"verdict"`
		Reason  string `json:"reason"`
	}
	if err := parse(arguments, &a); err != nil {
		return nil, err
	}
	if a.ID == "" {
		return nil, errNoID
	}
	verdict, err := store.ParseVerdict(a.Verdict)
	if err != nil {
		return nil, err
	}
	svc, err := t.service(warn)
	if err != nil {
		return nil, err
	}
	l, err := svc.RecordFeedback(ctx, a.ID, verdict, a.Reason)
	switch {
	case missing(err):
		return nil, refusal("Entry not found: " + a.ID)
	case verdict == store.Helped:
		return []string{fmt.Sprintf("Recorded: %s helped (%d times)", l.Name, l.Influence)}, err
	}
	return []string{fmt.Sprintf("Retired: %s (%s)", l.Name, l.Retired)}, err
}
