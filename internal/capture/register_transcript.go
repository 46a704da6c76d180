package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/program"
	"whence/internal/redact"
	"whence/internal/store"
	"whence/internal/worktree"
)

// Rules say what is captured of a session.
type Rules struct {
	Folder  string // the folder whose settings they come from
	Project string // of turns whose records name no other folder, see cli.Scope.Turns
	Capture bool   // false: what is said in the folder is never stored
	Days    int    // how long turns are kept; 0: for good
}

// errSecretPath is returned for a transcript that cannot be registered, because paths are stored unredacted.
var errSecretPath = errors.New("the path of the working folder or of the transcript contains a secret: rename it")

// Register records the transcripts that an event names, for the worker to read, and whether capture was on. It does
// nothing if the event names no transcript, or if there is no store and so no consent. An unknown transcript that no
// consent covers is registered only if the settings say off or a consent was withdrawn before.
func Register(ctx context.Context, home string, e agent.Event, rules Rules, at time.Time) (err error) {
	main, sub := transcriptName(resolved(e.Transcript), e.Session), transcriptName(resolved(e.SubTranscript), e.Subagent)
	if main == "" && sub == "" || e.Session == "" && rules.Capture {
		return nil
	}
	if !store.Exists(home) {
		return nil
	}
	seen := sighting{
		Of: store.Transcript{
			Path: main, Session: e.Session, Agent: string(e.Agent), Cwd: e.Cwd, Seen: at,
			Project: rules.Project, Days: rules.Days, Ended: e.Name == agent.SessionEnd,
		},
		Dir: e.Cwd, Folder: worktree.Resolved(rules.Folder), At: at,
		Kind: map[string]eventKind{agent.SessionStart: eventBegun, agent.UserPromptSubmit: eventPrompted}[e.Name],
	}
	if err = registerIn(ctx, home, seen, sub, rules); err == nil {
		return nil
	}
	if !rules.Capture && !errors.Is(err, errSecretPath) {
		wrong := seen.clean(sub)
		if wrong == nil {
			wrong = leaveAll(ctx, home, seen, sub)
		}
		err = errors.Join(err, wrong)
	}
	return fmt.Errorf("capture the session: %w", err)
}

// clean removes secrets from the session id. A secret in a path is an error.
func (seen *sighting) clean(sub string) error {
	for _, path := range []string{seen.Of.Path, sub, seen.Of.Cwd} {
		if redactText(path) != path {
			return errSecretPath
		}
	}
	seen.Of.Session = redactText(seen.Of.Session)
	return nil
}

// resolved returns a path with links resolved, so that a transcript has one name, however events name it.
func resolved(path string) string {
	if path == "" {
		return ""
	}
	return worktree.Resolved(path)
}

func registerIn(ctx context.Context, home string, seen sighting, sub string, rules Rules) error {
	s, err := store.OpenExisting(ctx, home)
	if err != nil {
		return err
	}
	_, err = recordMissed(ctx, s, home)
	if err == nil {
		err = register(ctx, s, seen, sub, rules)
	}
	return errors.Join(err, s.Close())
}

// leaveAll calls leaveMissed for the transcripts that an event names.
func leaveAll(ctx context.Context, home string, seen sighting, sub string) (err error) {
	var all []sighting
	for _, path := range []string{sub, seen.Of.Path} {
		if seen.Of.Path = path; path != "" {
			place, unread := endOf(ctx, path)
			seen.Place, err = place, errors.Join(err, unread)
			all = append(all, seen)
		}
	}
	return errors.Join(err, leaveMissed(home, all))
}

// register records an event for the session's transcript and for that of a subagent, if it names them.
func register(ctx context.Context, s *store.Store, seen sighting, sub string, rules Rules) error {
	main, writer := seen.Of.Path, seen.Of.Agent
	consents, err := s.Consents(ctx)
	if err != nil {
		return err
	}
	withdrawals, err := s.Withdrawals(ctx, writer)
	if err != nil {
		return err
	}
	withdrawn := len(withdrawals) > 0
	hasConsent := slices.ContainsFunc(consents, func(c store.Consent) bool { return c.Agent == writer })
	consented := store.AnyCovers(consents, writer, rules.Project)
	parent, isKnown, err := s.Transcript(ctx, main)
	if err != nil {
		return err
	}
	if !isKnown && !consented && !withdrawn && rules.Capture {
		return nil
	}
	isCleaned := isKnown && sub == "" && parent.Session == seen.Of.Session && parent.Cwd == seen.Of.Cwd
	if !isCleaned { // the redaction rules take a while to build
		if err := seen.clean(sub); err != nil {
			return err
		}
	}
	before := watchOf(parent.Watch)
	see := func(path string, first watch) error {
		if path == "" {
			return nil
		}
		end, unread := endOf(ctx, path)
		on := rules.Capture && consented && unread == nil // without the end, what was said under on is unknown
		t := seen.Of
		t.Path = path
		return errors.Join(unread, s.Register(ctx, t, func(stored []byte) []byte {
			w := first
			if stored != nil {
				w = watchOf(stored)
			}
			if withdrawn && hasConsent {
				w.beginAfter(end)
			}
			w.see(everywhere, hasConsent, end, seen.At, seen.Kind)
			w.seeIn(seen.Dir, seen.Folder, on, end, seen.At, seen.Kind)
			return w.stored()
		}))
	}
	return errors.Join(see(sub, before.branch()), see(main, watch{}))
}

// EndConsent returns a function that ends the user's consent in the watch of a transcript, for
// [store.Store.WithdrawConsent].
func EndConsent(at time.Time) func(watch []byte) []byte {
	return func(stored []byte) []byte {
		w := watchOf(stored)
		w.endConsent(at)
		return w.stored()
	}
}

// Start starts a worker, which is the program's capture command, without waiting for it. The worker runs
// in the folder of the store, so that it keeps no other file system busy.
func Start(dir string, program program.Path, more ...string) error {
	wait, err := cli.StartDetached(dir, program, append([]string{"capture", "--quiet", "--store", dir}, more...)...)
	if err == nil {
		go wait() // the MCP server would otherwise accumulate zombies
	}
	return err
}

func redactText(text string) string {
	clean, _ := redact.Text(text)
	return clean
}
