package report

import (
	"cmp"
	"maps"
	"slices"

	"whence/internal/agent"
	"whence/internal/dispatch"
)

// Miss is a query that had no answer. What is asked often and has none wants a decision, or
// a trigger in the words of those who ask.
type Miss struct {
	Query string `json:"query"`
	From  From   `json:"from"`
	Times int    `json:"times"`
}

// From is where a miss was found.
type From string

// The places.
const (
	FromPrompt From = "prompt" // typed behind /when or /how, in a transcript
	FromTool   From = "tool"   // asked by an agent, in a transcript
	FromLog    From = "log"    // looked up unasked; only where the settings log what is looked up
)

// mostMisses is how many are told.
const mostMisses = 200

// missesOf are the misses, the most frequent first.
func missesOf(sessions []session, log []dispatch.EventRecord) []Miss {
	times := map[Miss]int{}
	for _, s := range sessions {
		for i, r := range s.recalls {
			if !r.Missed || s.copied[i] || r.Query == "" {
				continue
			}
			from := FromTool
			if r.Way == ByPrompt {
				from = FromPrompt
			}
			times[Miss{Query: r.Query, From: from}]++
		}
	}
	for _, r := range log {
		if r.Query != "" && len(r.Items) == 0 && !r.Fault && (r.Event == agent.UserPromptSubmit || r.Event == agent.PostToolUseFailure) {
			times[Miss{Query: kept(r.Query), From: FromLog}]++
		}
	}
	all := []Miss{}
	for m := range maps.Keys(times) {
		m.Times = times[m]
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Miss) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.From, b.From), cmp.Compare(a.Query, b.Query))
	})
	return all[:min(len(all), mostMisses)]
}
