// Package model is a language model that follows a script. Tests put it before real coding agents, each of
// which asks it in the protocol that it knows.
package model

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Turn is the model's answer to one request: it calls a tool, or it says something and is done.
type Turn struct {
	Say, Tool string
	Input     any // of the tool; one that takes plain text gets a string
}

// Route has the model's answers, turn by turn, to requests that have certain words.
type Route struct {
	When  string // as JSON writes them
	Turns []Turn
}

// Model answers what agents ask. The first route whose words a request has is taken. Beside their
// conversation, agents ask for titles and the like; such requests offer no tools, and are not counted.
type Model struct {
	Routes []Route

	mu       sync.Mutex
	taken    map[string]int // turns, by route
	asked    int
	requests []string
}

// Requests are the texts that the model was sent, request by request.
func (m *Model) Requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.requests
}

// ServeHTTP answers in the protocol of the path. Whatever else agents want to know, such as how many tokens a text has,
// gets one and the same answer.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := protocolOf(r.URL.Path)
	if r.Method != http.MethodPost || answer == nil {
		reply(w, map[string]any{"input_tokens": 100, "totalTokens": 100, "data": []any{}})
		return
	}
	var asked request
	if err := json.Unmarshal(body, &asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	whole, events := answer(m.next(asked, string(body)))
	if asked.Stream || strings.HasSuffix(r.URL.Path, ":streamGenerateContent") {
		stream(w, events)
		return
	}
	reply(w, whole)
}

// request has what the protocols share: they differ in where the texts are.
type request struct {
	Stream                            bool
	Tools                             []any
	System, Messages, Input, Contents any
}

// next is the turn that a request gets, and its number.
func (m *Model) next(asked request, body string) (Turn, int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	if len(asked.Tools) == 0 {
		return Turn{Say: "ok"}, m.asked
	}
	var texts strings.Builder
	for _, value := range []any{asked.System, asked.Messages, asked.Input, asked.Contents} {
		collect(&texts, value)
	}
	m.requests = append(m.requests, texts.String())
	for _, route := range m.Routes {
		if !strings.Contains(body, route.When) {
			continue
		}
		n := m.taken[route.When]
		if n == len(route.Turns) {
			break
		}
		if m.taken == nil {
			m.taken = map[string]int{}
		}
		m.taken[route.When]++
		return route.Turns[n], m.asked
	}
	return Turn{Say: "the script says nothing"}, m.asked
}

// collect writes the texts of a message: what was said, and what tools have answered.
func collect(out *strings.Builder, value any) {
	switch v := value.(type) {
	case string:
		out.WriteString(v + "\n")
	case []any:
		for _, item := range v {
			collect(out, item)
		}
	case map[string]any:
		for _, name := range []string{"content", "text", "parts", "output", "functionResponse", "response", "error"} {
			collect(out, v[name])
		}
	}
}

func reply(w http.ResponseWriter, whole any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(whole) // an agent that has gone away needs no answer
}

// stream sends events, each by its type if it has one.
func stream(w http.ResponseWriter, events []object) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		if kind, has := event["type"].(string); has {
			_, _ = io.WriteString(w, "event: "+kind+"\n")
		}
		_, _ = io.WriteString(w, "data: "+text(event)+"\n\n")
	}
}
