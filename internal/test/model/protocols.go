package model

import (
	"encoding/json"
	"fmt"
	"strings"
)

type object = map[string]any

// protocol turns a turn, the nth, into an answer: whole, and as the events in which it is sent.
type protocol func(turn Turn, n int) (whole object, events []object)

// protocolOf is the protocol that is spoken at a path.
func protocolOf(path string) protocol {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return messages
	case strings.HasSuffix(path, "/responses"):
		return responses
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		return contents
	}
	return nil
}

// messages is the Messages protocol of Anthropic: Claude Code, Copilot CLI and OpenCode.
func messages(turn Turn, n int) (whole object, events []object) {
	usage := object{"input_tokens": 100, "output_tokens": 10}
	block, begun, delta, stopped := object{"type": "text", "text": turn.Say}, object{"type": "text", "text": ""}, object{"type": "text_delta", "text": turn.Say}, "end_turn"
	if turn.Tool != "" {
		id := fmt.Sprint("toolu_", n)
		block = object{"type": "tool_use", "id": id, "name": turn.Tool, "input": turn.Input}
		begun = object{"type": "tool_use", "id": id, "name": turn.Tool, "input": object{}}
		delta, stopped = object{"type": "input_json_delta", "partial_json": text(turn.Input)}, "tool_use"
	}
	message := func(content []object, stopped any) object {
		return object{"id": fmt.Sprint("msg_", n), "type": "message", "role": "assistant", "model": "scripted", "content": content, "stop_reason": stopped, "stop_sequence": nil, "usage": usage}
	}
	return message([]object{block}, stopped), []object{
		{"type": "message_start", "message": message([]object{}, nil)},
		{"type": "content_block_start", "index": 0, "content_block": begun},
		{"type": "content_block_delta", "index": 0, "delta": delta},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": object{"stop_reason": stopped, "stop_sequence": nil}, "usage": usage},
		{"type": "message_stop"},
	}
}

// responses is the Responses protocol of OpenAI: Codex.
func responses(turn Turn, n int) (whole object, events []object) {
	id := fmt.Sprint("item_", n)
	var item object
	switch input := turn.Input.(type) {
	case nil:
		item = object{"type": "message", "id": id, "role": "assistant", "content": []object{{"type": "output_text", "text": turn.Say, "annotations": []any{}}}}
	case string:
		item = object{"type": "custom_tool_call", "id": id, "call_id": id, "name": turn.Tool, "input": input}
	default:
		item = object{"type": "function_call", "id": id, "call_id": id, "name": turn.Tool, "arguments": text(input)}
	}
	whole = object{"id": fmt.Sprint("resp_", n), "object": "response", "status": "completed", "output": []object{item}, "usage": object{
		"input_tokens": 100, "output_tokens": 10, "total_tokens": 110, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0},
	}}
	return whole, []object{
		{"type": "response.created", "response": object{"id": whole["id"]}},
		{"type": "response.output_item.done", "output_index": 0, "item": item},
		{"type": "response.completed", "response": whole},
	}
}

// contents is the protocol of Gemini, which sends the whole answer.
func contents(turn Turn, n int) (whole object, events []object) {
	part := object{"text": turn.Say}
	if turn.Tool != "" {
		part = object{"functionCall": object{"id": fmt.Sprint("call_", n), "name": turn.Tool, "args": turn.Input}}
	}
	whole = object{
		"candidates":    []object{{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": []object{part}}}},
		"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110},
	}
	return whole, []object{whole}
}

// text is a value as JSON.
func text(value any) string {
	src, err := json.Marshal(value)
	if err != nil {
		panic(err) // a script is JSON
	}
	return string(src)
}
