package dispatch

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
)

// Given records that a reply has put an item before an agent: when, at which event, and hashes of the item and of the
// scope ([cli.Scope.Turns]). So a session file does not reveal what was shown: only items that still exist can be found
// by their hashes.
type Given struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"`
	Scope string    `json:"scope"`
	Item  string    `json:"item"`
}

// maxGiven is the maximum number of items recorded for a session: the latest.
const maxGiven = 300

// Give records that a reply puts an item before the agent.
func (s *Session) Give(i Item) {
	s.giving[i.Kind]++
	s.Given = append(s.Given, Given{Item: GivenItem(i.Key)})
}

// GivenItem returns the hash of the item with a key.
func GivenItem(key string) string { return shortHash(key, 8) }

func givenScope(scope string) string { return shortHash(scope, 8) }

// complete sets the time, the event and the scope of the items that a reply gives.
func (r *Request) complete(given []Given) {
	if len(given) == 0 {
		return
	}
	where := ""
	if scope, err := cli.ScopeOf(r.Cwd, r.Env.Dir); err == nil {
		where = givenScope(scope.Turns)
	}
	for i := range given {
		given[i].At, given[i].Event, given[i].Scope = r.Now, r.Name, where
	}
}

// LastGiven finds the session that was last given an item in a scope. It returns all items that this session was given
// there, oldest first, and its agent; nothing if no session was given any there in the last two weeks.
func LastGiven(home, scope string) (given []Given, of agent.Client) {
	entries, err := os.ReadDir(sessionsDir(home))
	if err != nil {
		return nil, ""
	}
	var latest time.Time
	for _, e := range entries {
		if !sessionFileName().MatchString(e.Name()) {
			continue
		}
		s := readSession(filepath.Join(sessionsDir(home), e.Name()))
		here := slices.DeleteFunc(s.Given, func(g Given) bool { return g.Scope != givenScope(scope) })
		if len(here) > 0 && here[len(here)-1].At.After(latest) {
			given, of, latest = here, s.Agent, here[len(here)-1].At
		}
	}
	return given, of
}
