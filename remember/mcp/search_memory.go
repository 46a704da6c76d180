package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/remember"
)

const (
	someAnswers = 10    // how many learnings a search returns if it is not said
	mostAnswers = 50    // how many at most
	mostText    = 2_000 // characters shown of a description
	someTurns   = 3     // how many captured turns stand behind them
	turnText    = 600   // characters shown of one
)

func (s *tools) searchTool() tool {
	return tool{
		name: "search_memory", title: "Search learnings", readOnly: true, call: s.search,
		description: `Find learnings of earlier sessions: before you run into a problem a second time, when something fails, or when the user asks what is known. ` +
			`Search with the words at hand: the error message, the command, the question. The best comes first; if nothing fits that is said, and nothing is shown. ` +
			`The ids are for record_feedback and forget_memory.`,
		schema: `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "description": "error message, command or question, in its own words; no operators"},
		"limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10, "description": "how many at most"},
		"category": {"type": "string", "enum": ["anti-patterns", "heuristics", "patterns"], "description": "these only"},
		"brief": {"type": "boolean", "description": "names only"}
	},
	"required": ["query"],
	"additionalProperties": false
}`,
	}
}

func (s *tools) search(ctx context.Context, arguments json.RawMessage, tell func(string)) *sdk.CallToolResult {
	var a struct {
		Query    string `json:"query"`
		Limit    int    `json:"limit"`
		Category string `json:"category"`
		Brief    bool   `json:"brief"`
	}
	if err := parse(arguments, &a); err != nil {
		return failed("Error: " + err.Error())
	}
	if learning.Clean(a.Query) == "" {
		return failed(learning.EmptyQuery)
	}
	if a.Limit <= 0 {
		a.Limit = someAnswers
	}
	q := remember.Question{Text: a.Query, Most: min(a.Limit, mostAnswers)}
	if a.Category != "" {
		category, err := learning.ParseCategory(a.Category)
		if err != nil {
			return failed(learning.Refusal(err))
		}
		q.Category = category
	}
	b, err := s.memory.Base()
	if err != nil {
		return failed("Error: " + err.Error())
	}
	b.Tell = tell
	if q.Category == "" && !a.Brief { // turns have neither category nor name
		q.Turns = someTurns
	}
	found, err := b.Search(ctx, q)
	if err != nil {
		return failed("Error: " + err.Error())
	}
	if len(found.Learnings) == 0 && len(found.Turns) > 0 {
		return texts(withWarning(found.Warning, turnsText(found.Turns))...)
	}
	hits := found.Learnings
	learnings := make([]learning.Learning, len(hits))
	ids := make([]string, len(hits))
	for i, h := range hits {
		learnings[i], ids[i] = h.Learning, h.ID
		learnings[i].Description = shortened(h.Description, mostText)
	}
	result := []string{learning.SearchText(learnings, a.Brief)}
	if len(ids) > 0 {
		result = append(result, "ids, in this order: "+strings.Join(ids, " "))
	}
	if len(found.Turns) > 0 {
		result = append(result, turnsText(found.Turns))
	}
	return texts(withWarning(found.Warning, result...)...)
}

// withWarning adds that vectors could not be used, if so.
func withWarning(warning error, result ...string) []string {
	if warning == nil {
		return result
	}
	return append(result, fmt.Sprintf("(searched by words alone: %v)", warning))
}

// turnsText prints captured turns, inert and each at most so long.
func turnsText(turns []store.TurnHit) string {
	var b strings.Builder
	b.WriteString("Captured turns of past sessions, as they were said:\n")
	for _, t := range turns {
		fmt.Fprintf(&b, "\n%s %s\n%s\n", learning.Inert(t.Prefix()), learning.Inert(cmp.Or(t.Kind, t.Role)+", "+t.At.Format(time.DateOnly)), learning.Inert(shortened(t.Text, turnText)))
	}
	return b.String()
}

// shortened is at most some characters of a text, and says so.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + " […]"
	}
	return text
}
