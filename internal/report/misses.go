package report

import (
	"cmp"
	"slices"

	"whence/internal/agent"
	"whence/internal/dispatch"
)

// Miss is a query without an answer. A frequent one needs a decision, or a trigger in the words of
// the query.
type Miss struct {
	Query string     `json:"query"`
	From  MissSource `json:"from"`
	Times int        `json:"times"`
}

// MissSource is where a miss was found.
type MissSource string

const (
	FromPrompt MissSource = "prompt" // typed after /when or /how, in a transcript
	FromTool   MissSource = "tool"   // asked by an agent, in a transcript
	FromLog    MissSource = "log"    // looked up unasked; only if the settings have queries logged
)

// maxMisses bounds the misses of a report.
const maxMisses = 200

// missesOf returns the misses, the most frequent first.
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
			times[Miss{Query: sanitize(r.Query), From: FromLog}]++
		}
	}
	all := []Miss{}
	for m, n := range times {
		m.Times = n
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Miss) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.From, b.From), cmp.Compare(a.Query, b.Query))
	})
	return all[:min(len(all), maxMisses)]
}
