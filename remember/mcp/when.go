package mcp

import (
	"context"
	"encoding/json"
)

func (t *tools) whenTool() tool {
	return tool{
		name: "when", title: "Look up decisions", readOnly: true, call: t.when,
		description: `Read the project's decisions for what you are about to do. Ask with a trigger of the memory index, as it stands there ("writing mock tests"), or with the title of a decision. ` +
			`The answer is the whole text of the decision, and the queries for what lies beside it; any other text, as what the user asks, is answered with the decisions that may apply.`,
		schema: `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "description": "what you are about to do, as a trigger of the memory index; or a section (\"§ .Title\") or a whole decision file (\"§ name.md\"). Several at once: a line each, begun with \"- \"."}
	},
	"required": ["query"]
}`,
	}
}

func (t *tools) when(_ context.Context, arguments json.RawMessage) ([]string, error) {
	var a struct {
		Query string `json:"query"`
	}
	if err := parse(arguments, &a); err != nil {
		return nil, err
	}
	answer, answered := t.backend.When(a.Query)
	if !answered {
		return nil, refusal(answer)
	}
	return []string{answer}, nil
}
