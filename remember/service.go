package remember

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/learning"
	"whence/internal/redact"
	"whence/internal/store"
	"whence/internal/team"
)

// Service is what one repository, in one agent session, may do with the store of learnings:
// remember, search, forget, judge. The command line and the MCP server share it, with its
// checks and its words. Texts that agents read, such as "Stored: …", do not change.
type Service struct {
	team.Scope // which store, and under what names

	Session string       // of the agent; never "", see SessionOf
	Policy  store.Policy // what the agent may store of its own accord
	Now     func() time.Time

	// Server is how the team's server is asked; nil: it is not, and nobody waits for it.
	Server *team.Server
	// Tell is told what is to be known of the team's store, such as that it is away, if it is
	// not nil.
	Tell func(line string)

	// Uncounted is that nothing is noted of what is shown: it is a trial.
	Uncounted bool
	// Stored is called after each learning that was stored or reinforced, if it is not
	// nil. It must not take long.
	Stored func()
	// Embed makes the vector of a question, if it is not nil. Where it fails or takes too
	// long the words must do.
	Embed func(ctx context.Context, text string) (model string, vector []float32, err error)

	told      string // last, by Tell
	toldAside bool
}

// Open returns the service of the repository that holds a folder, for an agent session; "" is
// the session that the environment names. Cwd is the folder in which the program was started,
// as for repo.Open. It has no policy: nothing is stored without being asked for.
func Open(dir, cwd string, getenv func(string) string, session string, now time.Time) (*Service, error) {
	scope, err := team.ScopeOf(dir, cwd, getenv)
	if err != nil {
		return nil, err
	}
	return newService(scope, getenv, session, now), nil
}

// OpenWith is Open for a caller that has read the settings of the folder.
func OpenWith(c config.Config, dir, cwd string, getenv func(string) string, session string, now time.Time) (*Service, error) {
	scope, err := team.ScopeWith(c, dir, cwd, getenv)
	if err != nil {
		return nil, err
	}
	return newService(scope, getenv, session, now), nil
}

func newService(s team.Scope, getenv func(string) string, session string, now time.Time) *Service {
	if session == "" {
		session = SessionOf(getenv, now)
	}
	return &Service{Scope: s, Session: session, Now: time.Now}
}

// SessionOf is the id of the agent session in which a process runs, from the environment
// that agents give. Without one it is the day: a budget for a session is then one for a
// day.
func SessionOf(getenv func(string) string, now time.Time) string {
	if id := getenv("WHENCE_SESSION"); id != "" {
		return id
	}
	for _, client := range agent.Clients {
		if name := client.SessionVariable(); name != "" && getenv(name) != "" {
			return getenv(name)
		}
	}
	return "day " + now.UTC().Format(time.DateOnly)
}

// Read opens the store for reading alone. The error is store.ErrNone where there is none.
func (b *Service) Read(ctx context.Context, run func(*store.Store) error) error {
	s, err := store.OpenReadOnly(ctx, b.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	return run(s)
}

// ReadAny is Read where no store is as good as an empty one: then nothing is run.
func (b *Service) ReadAny(ctx context.Context, run func(*store.Store) error) error {
	if err := b.Read(ctx, run); !errors.Is(err, store.ErrNone) {
		return err
	}
	return nil
}

// clean takes out of a learning what must not be stored, and tells what kinds of that
// there were.
func clean(l *learning.Learning) (kinds []string) {
	take := func(text *string) {
		found := []string(nil)
		*text, found = redact.Text(learning.Clean(*text))
		for _, kind := range found {
			kinds = joined(kinds, kind)
		}
	}
	for _, text := range []*string{&l.Name, &l.Description, &l.Reasoning} {
		take(text)
	}
	l.Keywords, l.References = slices.Clone(l.Keywords), slices.Clone(l.References) // the caller's stay as they are
	for _, list := range [][]string{l.Keywords, l.References} {
		for i := range list {
			take(&list[i])
		}
	}
	return kinds
}

// longEnough tells whether a cleaned text says enough; what was taken out of it says
// nothing.
func longEnough(description string, redacted []string) bool {
	if len(redacted) > 0 {
		description = redact.ReplaceMarks(description, "")
	}
	return learning.LongEnough(description)
}

// How many characters texts may have. What is found is shown to agents, for whom longer
// ones are no help.
const (
	longestLearning = 20_000 // all texts of a learning together
	longestReason   = 2_000  // why a learning was judged so
)

// LengthError is a text that is too long to be stored.
type LengthError struct {
	What         string
	Length, Most int
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("%s too long (%d characters, max %d): keep to one fact", e.What, e.Length, e.Most)
}

// checkLength tells whether a learning is too long.
func checkLength(l learning.Learning) error {
	return checkTexts("learning", longestLearning, slices.Concat([]string{l.Name, l.Description, l.Reasoning}, l.Keywords, l.References)...)
}

func checkTexts(what string, most int, texts ...string) error {
	n := 0
	for _, text := range texts {
		n += utf8.RuneCountInString(text)
	}
	if n > most {
		return &LengthError{what, n, most}
	}
	return nil
}

// complete fills in by rule what is not given. A name is shortened to 60 characters.
func complete(l *learning.Learning) {
	if l.Category == "" {
		l.Category = learning.InferCategory(l.Description)
	}
	if l.Name == "" {
		l.Name = learning.InferName(redact.ReplaceMarks(l.Description, "[secret]"))
	}
	if l.Reasoning == "" { // an inferred one holds no word to find it by
		if len(l.Keywords) == 0 {
			l.Keywords = learning.Keywords(l.Name, l.Description, "")
		}
		l.Reasoning = learning.InferReasoning(l.Description, l.Category)
	}
	l.Name = learning.Shorten(l.Name)
}

// RedactedText tells what was taken out of a text before it was stored, or is "".
func RedactedText(kinds []string) string {
	if len(kinds) == 0 {
		return ""
	}
	return "Not stored, since it is secret: " + strings.Join(kinds, ", ")
}

// ContradictsText tells that learnings say the opposite of a new one, or is "".
func ContradictsText(opposites []Opposite) string {
	if len(opposites) == 0 {
		return ""
	}
	named := make([]string, len(opposites))
	for i, o := range opposites {
		named[i] = fmt.Sprintf("%q (id: %s)", o.Name, o.ID)
	}
	return "Contradicts " + strings.Join(named, " and ") + ": both are kept. Say by feedback which one is wrong or outdated."
}

// Opposite is a learning that says the opposite of another.
type Opposite struct{ ID, Name string }

// opposites finds the names of learnings. One that has gone meanwhile contradicts nothing.
func opposites(ctx context.Context, s *store.Store, ids []string) (all []Opposite, err error) {
	for _, id := range ids {
		d, err := s.Get(ctx, id)
		if errors.Is(err, store.ErrUnknown) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, Opposite{d.ID, d.Name})
	}
	return all, nil
}
