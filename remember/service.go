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
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/learning"
	"whence/internal/redact"
	"whence/internal/store"
	"whence/internal/text"
)

// Service stores, searches and changes learnings for one repository in one agent session. The
// command line and the MCP server share it, with its checks and messages. Messages that agents
// read, such as "Stored: …", do not change.
type Service struct {
	cli.Scope
	Dir     string       // of the store
	Session string       // of the agent; never "", see SessionOf
	Policy  store.Policy // what the agent may store without being asked
	Now     func() time.Time

	// OnStored is called after each learning that was stored or changed, unless it is nil. It must return
	// quickly.
	OnStored func()
	// EmbedQuery returns the vector of a query, unless it is nil. If it fails or takes too long,
	// the search uses words only.
	EmbedQuery func(ctx context.Context, text string) (model string, vector []float32, err error)
}

// Open returns the service of the repository that holds a folder. An empty session stands for the
// one in the environment. Cwd is the folder in which the program was started, as for repo.Open.
// Without a policy, nothing is stored unasked.
func Open(dir, cwd string, getenv func(string) string, session string, now time.Time) (*Service, error) {
	at, err := home.Dir(getenv)
	if err != nil {
		return nil, err
	}
	scope, err := cli.ScopeOf(dir, cwd)
	if err != nil {
		return nil, err
	}
	if session == "" {
		session = SessionOf(getenv, now)
	}
	return &Service{Scope: scope, Dir: at, Session: session, Now: time.Now}, nil
}

// SessionOf returns the id of the agent session of a process, from the variables that agents set.
// Without one it is the day, so that a budget for a session becomes one for a day.
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

// scope returns what this repository sees of the learnings.
func (svc *Service) scope() store.Scope { return store.Scope{Project: svc.Project} }

// Read runs a function on the store, for reading. The error is store.ErrNone if there is none.
func (svc *Service) Read(ctx context.Context, run func(*store.Store) error) error {
	s, err := store.OpenReadOnly(ctx, svc.Dir)
	if err != nil {
		return err
	}
	return errors.Join(run(s), s.Close())
}

// write runs a function on the store, which is made if it is missing.
func (svc *Service) write(ctx context.Context, run func(*store.Store) error) error {
	s, err := store.Open(ctx, svc.Dir)
	if err != nil {
		return err
	}
	return errors.Join(run(s), s.Close())
}

// change runs a function on the store. If there is none, none is made.
func (svc *Service) change(ctx context.Context, run func(*store.Store) error) error {
	s, err := store.OpenExisting(ctx, svc.Dir)
	if err != nil {
		return err
	}
	return errors.Join(run(s), s.Close())
}

// exceptNone treats a missing store as an empty one.
func exceptNone(err error) error {
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	return err
}

func (svc *Service) stored() {
	if svc.OnStored != nil {
		svc.OnStored()
	}
}

// prepare removes secrets from a complete learning, whose kinds it returns, and validates the rest.
func prepare(l *learning.Learning) (redacted []string, err error) {
	if err := checkLength(*l); err != nil {
		return nil, err
	}
	redacted = clean(l)
	if err := l.Validate(); err != nil {
		return redacted, err
	}
	if !longEnough(l.Description, redacted) {
		return redacted, learning.ErrTooShort
	}
	return redacted, nil
}

// clean removes from a learning what must not be stored, and returns the kinds of secrets among it.
func clean(l *learning.Learning) (kinds []string) {
	redactText := func(s *string) {
		var found []string
		*s, found = redact.Text(text.Clean(*s))
		kinds = appendNew(kinds, found...)
	}
	for _, s := range []*string{&l.Name, &l.Description, &l.Reasoning} {
		redactText(s)
	}
	l.Keywords, l.References = slices.Clone(l.Keywords), slices.Clone(l.References) // the caller's do not change
	for _, list := range [][]string{l.Keywords, l.References} {
		for i := range list {
			redactText(&list[i])
		}
	}
	return kinds
}

func appendNew(list []string, items ...string) []string {
	for _, item := range items {
		if !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}

// longEnough reports whether a cleaned text is long enough without the marks of redacted secrets.
func longEnough(description string, redacted []string) bool {
	if len(redacted) > 0 {
		description = redact.ReplaceMarks(description, "")
	}
	return learning.LongEnough(description)
}

// Longer texts do not help the agents that they are shown to.
const (
	maxLearningChars = 20_000 // of all texts of a learning together
)

// LengthError reports a text that is too long to be stored.
type LengthError struct {
	What            string
	Chars, MaxChars int
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("%s too long (%d characters, max %d): keep to one fact", e.What, e.Chars, e.MaxChars)
}

func checkLength(l learning.Learning) error {
	return checkTexts("learning", maxLearningChars, slices.Concat([]string{l.Name, l.Description, l.Reasoning}, l.Keywords, l.References)...)
}

func checkTexts(what string, maxChars int, texts ...string) error {
	if n := utf8.RuneCountInString(strings.Join(texts, "")); n > maxChars {
		return &LengthError{what, n, maxChars}
	}
	return nil
}

// complete fills in the fields that are missing, and shortens the name.
func complete(l *learning.Learning) {
	if l.Category == "" {
		l.Category = learning.InferCategory(l.Description)
	}
	if l.Name == "" {
		l.Name = learning.InferName(redact.ReplaceMarks(l.Description, "[secret]"))
	}
	if l.Reasoning == "" { // NoReason adds no word to search for
		if len(l.Keywords) == 0 {
			l.Keywords = learning.Keywords(l.Name, l.Description, "")
		}
		l.Reasoning = learning.NoReason
	}
	l.Name = learning.Shorten(l.Name)
}

// redactedText returns a line on the secrets that were not stored, or "".
func redactedText(kinds []string) string {
	if len(kinds) == 0 {
		return ""
	}
	return "Secrets left out: " + strings.Join(kinds, ", ")
}
