package dispatch

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
)

// Given notes that a reply has put an item before an agent: when, at which event, and hashes of the item and of the scope
// ([cli.Scope.Turns]). A state does not say what was shown: only what still exists can be found by its hash.
type Given struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"`
	Scope string    `json:"scope"`
	Item  string    `json:"item"`
}

// maxGiven is the number of items that are noted of a session.
const maxGiven = 300

// Give notes that a reply puts an item before the agent.
func (s *Session) Give(i Item) {
	s.giving[i.Kind]++
	s.Given = append(s.Given, Given{Item: GivenItem(i.Key)})
}

// GivenItem returns the hash of the item with a key.
func GivenItem(key string) string { return shortHash(key, 8) }

func givenScope(scope string) string { return shortHash(scope, 8) }

// complete adds to what a reply gives when and where that was.
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

// LastGiven returns what the session to which something was given last in a scope was given there, oldest first, and
// its agent; nothing if no session was given anything there in the last two weeks.
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
