package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/redact"
	"whence/internal/store"
	"whence/internal/worktree"
)

// Rules say what is captured of a session.
type Rules struct {
	Folder  string // whose settings they are
	Project string // of turns whose records name no other folder, see cli.Scope.Turns
	Capture bool   // false: what is said in the folder is never stored
	Days    int    // how long turns are kept; 0: for good
}

// errSecretPath is returned for a transcript that cannot be registered, as paths are stored as they are.
var errSecretPath = errors.New("the path of the working folder or of the transcript contains a secret: rename it")

// Register records the transcripts that an event names, for the worker to read, and whether capture was on. A session
// without a transcript is not captured. Before the user's first consent a transcript of which nothing is known
// is left alone, unless the settings say off. Without a store there is no consent.
func Register(ctx context.Context, home string, e agent.Event, rules Rules, at time.Time) (err error) {
	main, sub := TranscriptName(e.Transcript, e.Session), TranscriptName(e.SubTranscript, e.Subagent)
	if main == "" && sub == "" {
		return nil
	}
	for _, path := range []string{main, sub, e.Cwd} {
		if redactText(path) != path {
			return fmt.Errorf("capture the session: %w", errSecretPath)
		}
	}
	s, err := store.OpenExisting(ctx, home)
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	if err == nil {
		err = errors.Join(register(ctx, s, e, main, sub, rules, at), s.Close())
	}
	if err != nil {
		return fmt.Errorf("capture the session: %w", err)
	}
	return nil
}

func register(ctx context.Context, s *store.Store, e agent.Event, main, sub string, rules Rules, at time.Time) error {
	consents, err := s.Consents(ctx)
	if err != nil {
		return err
	}
	withdrawn, err := s.Withdrawn(ctx, string(e.Agent))
	if err != nil {
		return err
	}
	folder := worktree.Resolved(rules.Folder)
	consented := slices.ContainsFunc(consents, func(c store.Consent) bool { return c.Covers(string(e.Agent), rules.Project) })
	hasConsent := slices.ContainsFunc(consents, func(c store.Consent) bool { return c.Agent == string(e.Agent) })
	on := rules.Capture && consented
	parent, isKnown, err := s.Transcript(ctx, main)
	if err != nil {
		return err
	}
	before := watchOf(parent.Watch)
	if !isKnown && !consented && !withdrawn && rules.Capture {
		return nil
	}
	beforeTurn := e.Name == agent.UserPromptSubmit || e.Name == agent.SessionStart
	t := store.Transcript{
		Session: redactText(e.Session), Agent: string(e.Agent), Cwd: e.Cwd, Seen: at,
		Project: rules.Project, Days: rules.Days, Ended: e.Name == agent.SessionEnd,
	}
	see := func(path string, first Watch) error {
		if path == "" {
			return nil
		}
		end, unread := endOf(ctx, path)
		t.Path = path
		return errors.Join(unread, s.Register(ctx, t, func(stored []byte) []byte {
			w := first
			if stored != nil {
				w = watchOf(stored)
			}
			if withdrawn && hasConsent {
				w.BeginAfter(end)
			}
			w.See("", hasConsent, end, at, beforeTurn)
			w.See(folder, on && unread == nil, end, at, beforeTurn) // else what was said up to where is unknown
			return w.stored()
		}))
	}
	return errors.Join(see(sub, before.branch()), see(main, Watch{}))
}

// EndConsent returns the Watch of a transcript after the user has withdrawn their consent, see [store.Store.WithdrawConsent].
func EndConsent(at time.Time) func(watch []byte) []byte {
	return func(stored []byte) []byte {
		w := watchOf(stored)
		w.EndConsent(at)
		return w.stored()
	}
}

// Start starts a worker, program with the command capture, without waiting for it. It works in the
// folder of the store, so that it keeps no other file system busy.
func Start(dir string, program home.Program) error {
	wait, err := cli.StartDetached(dir, program, "capture", "--quiet", "--store", dir)
	if err == nil {
		go wait() // the MCP server would otherwise accumulate zombies
	}
	return err
}

func redactText(text string) string {
	clean, _ := redact.Text(text)
	return clean
}
