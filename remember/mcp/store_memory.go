package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"whence/internal/learning"
	"whence/remember"
)

func (t *tools) storeTool() tool {
	return tool{
		name: "store_memory", title: "Store a learning", call: t.store,
		description: `Store one learning so that later sessions find it: a correction by the user, a surprise, an error seen twice, a convention, a workaround. ` +
			`Not for what the code or the documents say already, nor for the state of a task. ` +
			`The user's settings decide what is stored without asking; the answer says which: "Stored" or "Captured" (done), "Reinforced" (already known, counted), ` +
			`or a proposal, for which you ask the user and call again with approved. Show its first line to the user.`,
		schema: fmt.Sprintf(`{
	"type": "object",
	"properties": {
		"name": {"type": "string", "description": "title, at most %d characters, as in a table of contents: \"Hooks must not write to stderr\""},
		"description": {"type": "string", "description": "what was learned, %d characters or more, understandable without this session: name the command, file or error. The same description again counts as seen again."},
		"reasoning": {"type": "string", "description": "why it holds, or how it showed"},
		"category": {"type": "string", "enum": ["anti-patterns", "heuristics", "patterns"], "description": "anti-patterns: what not to do; patterns: what to do; heuristics: how something behaves, a rule of thumb"},
		"references": {"type": "array", "items": {"type": "string"}, "description": "files, commits or links that it is about"},
		"confidence": {"type": "string", "enum": ["high", "low", "medium"], "default": "medium", "description": "low for what was seen once"},
		"approved": {"type": "boolean", "description": "true only if the user has agreed to this learning or asked for it; false if they turned it down. Leave it out if they have not been asked."}
	},
	"required": ["name", "description", "reasoning", "category"]
}`, learning.MaxNameChars, learning.MinDescriptionChars),
	}
}

func (t *tools) store(ctx context.Context, arguments json.RawMessage) ([]string, error) {
	var a remember.StoreArguments
	if err := parse(arguments, &a); err != nil {
		return nil, err
	}
	policy, err := t.backend.Policy()
	if err != nil {
		return nil, fmt.Errorf("nothing is stored while the settings cannot be read: %w", err)
	}
	svc, err := t.backend.Service()
	if err != nil {
		return nil, refusal("Failed to store learning: " + err.Error())
	}
	svc.Policy = policy
	c, err := svc.Store(ctx, a)
	if text := remember.RefusalText(err); text != "" {
		return nil, refusal(text)
	}
	if err != nil {
		return nil, refusal("Failed to store learning: " + err.Error())
	}
	return append([]string{c.Message()}, c.Notes()...), nil
}
