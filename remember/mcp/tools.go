package mcp

import (
	"context"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"whence/internal/knowledge"
	"whence/internal/learning"
	"whence/internal/store"
)

// addTools registers the tools.
func (s *server) addTools(m *sdk.Server) {
	no, yes := false, true
	sdk.AddTool(m, &sdk.Tool{
		Name:        "store_memory",
		Description: "Store a learning of this session so that later sessions find it. The same learning again reinforces it. What the user's settings do not allow is answered, not stored.",
		Annotations: &sdk.ToolAnnotations{Title: "Store a learning", DestructiveHint: &no, IdempotentHint: false, OpenWorldHint: &no},
	}, s.store)
	sdk.AddTool(m, &sdk.Tool{
		Name:        "search_memory",
		Description: "Find learnings of earlier sessions by a question, an error message or a command, in its own words. Nothing relevant is said so.",
		Annotations: &sdk.ToolAnnotations{Title: "Search learnings", ReadOnlyHint: true, OpenWorldHint: &no},
	}, s.search)
	sdk.AddTool(m, &sdk.Tool{
		Name:        "when",
		Description: "The text of the project's decisions for what you are about to do: a trigger of the memory index (\"writing mock tests\"), several as \"- \" lines, a section (\"§ .Title\") or a file (\"§ name.md\").",
		Annotations: &sdk.ToolAnnotations{Title: "Look up decisions", ReadOnlyHint: true, OpenWorldHint: &no},
	}, s.decisions)
	sdk.AddTool(m, &sdk.Tool{
		Name:        "forget_memory",
		Description: "Delete a learning for good, when the user asks for it. To mark one as wrong or outdated use record_feedback.",
		Annotations: &sdk.ToolAnnotations{Title: "Forget a learning", DestructiveHint: &yes, OpenWorldHint: &no},
	}, s.forget)
	sdk.AddTool(m, &sdk.Tool{
		Name:        "record_feedback",
		Description: "Say of a learning that it helped, or that it is wrong or outdated: then it is kept, with the reason, and no longer shown.",
		Annotations: &sdk.ToolAnnotations{Title: "Judge a learning", DestructiveHint: &no, OpenWorldHint: &no},
	}, s.feedback)
}

// text is an answer of several texts.
func text(lines ...string) *sdk.CallToolResult {
	result := &sdk.CallToolResult{}
	for _, line := range lines {
		result.Content = append(result.Content, &sdk.TextContent{Text: line})
	}
	return result
}

// failed is an answer that is an error.
func failed(line string) *sdk.CallToolResult {
	result := text(line)
	result.IsError = true
	return result
}

func (s *server) store(ctx context.Context, _ *sdk.CallToolRequest, a knowledge.Arguments) (*sdk.CallToolResult, any, error) {
	if s.settings != nil {
		return failed("Error: " + s.settings.Error()), nil, nil
	}
	c, err := s.base.Store(ctx, a)
	if refusal := knowledge.Refused(err); refusal != "" {
		return failed(refusal), nil, nil
	}
	if err != nil {
		return failed("Failed to store learning: " + err.Error()), nil, nil
	}
	return text(append([]string{c.Message()}, c.Notes()...)...), nil, nil
}

// searchArguments are those of search_memory.
type searchArguments struct {
	Query    string `json:"query" jsonschema:"the question, error message or command"`
	Limit    int    `json:"limit,omitempty" jsonschema:"answers at most (default 10)"`
	Category string `json:"category,omitempty" jsonschema:"only anti-patterns, heuristics or patterns"`
	Brief    bool   `json:"brief,omitempty" jsonschema:"names only"`
}

// mostAnswers is how many learnings one search returns at most.
const mostAnswers = 50

func (s *server) search(ctx context.Context, _ *sdk.CallToolRequest, a searchArguments) (*sdk.CallToolResult, any, error) {
	if learning.Clean(a.Query) == "" {
		return failed(learning.EmptyQuery), nil, nil
	}
	if a.Limit <= 0 {
		a.Limit = 10
	}
	q := knowledge.Question{Text: a.Query, Most: min(a.Limit, mostAnswers)}
	if a.Category != "" {
		category, err := learning.ParseCategory(a.Category)
		if err != nil {
			return failed(learning.Refusal(err)), nil, nil
		}
		q.Category = category
	}
	hits, warning, err := s.base.Search(ctx, q)
	if err != nil {
		return failed("Error: " + err.Error()), nil, nil
	}
	found := make([]learning.Learning, len(hits))
	for i, h := range hits {
		found[i] = h.Learning
	}
	result := text(learning.SearchText(found, a.Brief))
	if len(found) > 0 {
		ids := "ids, best first:"
		for _, l := range found {
			ids += " " + l.ID
		}
		result.Content = append(result.Content, &sdk.TextContent{Text: ids})
	}
	if warning != nil {
		result.Content = append(result.Content, &sdk.TextContent{Text: fmt.Sprintf("(searched by words alone: %v)", warning)})
	}
	return result, nil, nil
}

// whenArguments are those of when.
type whenArguments struct {
	Query string `json:"query" jsonschema:"what you are about to do; several as lines that begin with \"- \""`
}

func (s *server) decisions(_ context.Context, _ *sdk.CallToolRequest, a whenArguments) (*sdk.CallToolResult, any, error) {
	answer, answered := s.when(a.Query)
	if !answered {
		return failed(answer), nil, nil
	}
	return text(answer), nil, nil
}

// forgetArguments are those of forget_memory.
type forgetArguments struct {
	ID string `json:"id" jsonschema:"the id of the learning, or its name"`
}

func (s *server) forget(ctx context.Context, _ *sdk.CallToolRequest, a forgetArguments) (*sdk.CallToolResult, any, error) {
	l, err := s.base.Forget(ctx, a.ID)
	if missing(err) {
		return failed(object("error", "Memory entry not found: "+a.ID)), nil, nil
	}
	if err != nil {
		return failed(object("error", err.Error())), nil, nil
	}
	return text(object("result", "Deleted memory: "+l.ID)), nil, nil
}

// feedbackArguments are those of record_feedback.
type feedbackArguments struct {
	ID      string `json:"id" jsonschema:"the id of the learning, or its name"`
	Verdict string `json:"verdict" jsonschema:"helped, wrong or outdated"`
	Reason  string `json:"reason,omitempty" jsonschema:"why"`
}

func (s *server) feedback(ctx context.Context, _ *sdk.CallToolRequest, a feedbackArguments) (*sdk.CallToolResult, any, error) {
	verdict, err := store.ParseVerdict(a.Verdict)
	if err != nil {
		return failed("Error: " + err.Error()), nil, nil
	}
	l, err := s.base.Say(ctx, a.ID, verdict, a.Reason)
	if missing(err) {
		return failed("Entry not found: " + a.ID), nil, nil
	}
	if err != nil {
		return failed("Error: " + err.Error()), nil, nil
	}
	if verdict == store.Helped {
		return text(fmt.Sprintf("Recorded: %s helped (%d times)", l.Name, l.Influence)), nil, nil
	}
	return text(fmt.Sprintf("Retired: %s (%s)", l.Name, l.Retired)), nil, nil
}

// missing tells that what was named is not there.
func missing(err error) bool {
	return errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrNone)
}
