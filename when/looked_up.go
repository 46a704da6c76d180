package when

import (
	"context"
	"path"
	"strings"

	"whence/internal/agent"
	"whence/internal/dispatch"
	"whence/internal/shell"
)

// looksUp reports whether a command may have looked something up.
func looksUp(e agent.Event) bool {
	return e.Tool == "Bash" && strings.Contains(e.Command, agent.ReadingProgram) && shell.RunsWhence(e.Command)
}

// noteLookUps marks as shown what an agent has looked up with memory-when: it has the text, and needs no pointer to it.
func noteLookUps(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	queries := queriesOfCommand(r.Command)
	if len(queries) == 0 {
		return nil, nil
	}
	l, err := openIfAny(r)
	if l == nil {
		return nil, err
	}
	var keys []string
	for _, text := range queries {
		q, err := ParseQuery(text)
		if err != nil {
			continue
		}
		if a, err := l.Resolve(q); err == nil {
			keys = append(keys, decisionKey(a.File, a.Title))
		}
	}
	if keys == nil {
		return nil, nil
	}
	return func(s *dispatch.Session) agent.Reply {
		for _, key := range keys {
			s.MarkShown(r.Subagent, key)
		}
		return agent.Reply{}
	}, nil
}

// queriesOfCommand returns what a command line may look up: each argument of memory-when, and all of them together,
// since it accepts words without quotes. Other arguments, such as the value of a flag, have no answer.
func queriesOfCommand(line string) (queries []string) {
	for _, words := range shell.Commands(line) {
		if path.Base(words[0]) != agent.ReadingProgram || len(words) < 2 || words[1] == "recall" || words[1] == "check" {
			continue
		}
		for _, word := range append(words[1:len(words):len(words)], strings.Join(words[1:], " ")) {
			queries = append(queries, Queries(strings.TrimLeft(word, "<"))...)
		}
	}
	return queries[:min(len(queries), maxLookUps)]
}

// maxLookUps bounds the queries of a command line that are resolved.
const maxLookUps = 50
