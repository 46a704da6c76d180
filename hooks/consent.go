package hooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/store"
)

// consentHooks returns the handler that says, once for each agent, that its sessions are not captured until the user
// agrees. That may be so because a repository or a plugin has registered the events.
func consentHooks() dispatch.Handlers {
	return dispatch.Handlers{agent.SessionStart: {{Run: askForConsent}}}
}

func askForConsent(ctx context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	isShown := r.Config.Injection || r.Agent.ShowsNotices()
	if r.Home == "" || !r.Begins() || !r.Config.TurnCapture || !r.Agent.HasTranscripts() || !isShown {
		return nil, nil
	}
	scope, err := cli.ScopeOf(r.Cwd, r.Env.Dir)
	if err != nil {
		return nil, err
	}
	key, wasAsked := "asked for consent "+string(r.Agent), false
	s, err := store.OpenReadOnly(store.ForEvent(ctx), r.Home)
	if err == nil {
		var agreed bool
		agreed, err = hasConsent(ctx, s, r.Agent, scope.Turns)
		_, unread := s.Noted(ctx, key, &wasAsked)
		err = errors.Join(err, unread, s.Close())
		wasAsked = wasAsked || agreed
	}
	if errors.Is(err, store.ErrNone) {
		err = nil
	}
	if err != nil || wasAsked {
		return nil, err
	}
	until := func(who string) string {
		return fmt.Sprintf("the sessions of %s are not captured until %s %s in a terminal", r.Agent.Title(), who, cli.Command(r.Env, installLine(r.Agent)))
	}
	return func(session *dispatch.Session) agent.Reply {
		session.After(func(ctx context.Context) error {
			s, err := store.OpenExisting(store.ForEvent(ctx), r.Home)
			if err != nil { // without a store, each session says so again
				return nil
			}
			return errors.Join(s.Note(ctx, key, true), s.Close())
		})
		reply := agent.Reply{Notice: "whence: " + until("you type") + agent.ConsentEnd}
		if r.Config.Injection {
			reply.Context = agent.SettingsHead + until("the user types") + agent.ConsentEnd + "\n"
		}
		return reply
	}, nil
}

// installLine returns the command by which a user agrees to the capture of an agent's sessions.
func installLine(c agent.Client) string {
	if c == agent.Claude {
		return programName + " install"
	}
	return programName + " install --agent " + string(c)
}

func hasConsent(ctx context.Context, s *store.Store, c agent.Client, project string) (bool, error) {
	all, err := s.Consents(ctx)
	return store.AnyCovers(all, string(c), project), err
}

// consentTo returns the consent that goes with the scope of an installation: for all repositories, or for one.
func (o *registerOptions) consentTo(c agent.Client) (store.Consent, error) {
	if o.scope == agent.User {
		return store.Consent{Agent: string(c)}, nil
	}
	scope, err := cli.ScopeOf(project(o.env, o.dir), o.env.Dir)
	return store.Consent{Agent: string(c), Project: scope.Turns}, err
}

// giveConsent records that the user has agreed to what showCapture has shown.
func (o *registerOptions) giveConsent(ctx context.Context) error {
	dir, err := o.env.Home()
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	for _, c := range withTranscripts(o.clients) {
		to, unknown := o.consentTo(c)
		if unknown == nil {
			unknown = s.GiveConsent(ctx, to)
		}
		err = errors.Join(err, unknown)
	}
	return errors.Join(err, s.Close())
}

// withdrawConsent ends the capture of the agents' sessions, and reports whether there was a consent.
func (o *registerOptions) withdrawConsent(ctx context.Context) (withdrawn bool, err error) {
	dir, err := o.env.Home()
	if err != nil {
		return false, nil // nothing is stored there
	}
	s, err := store.OpenExisting(ctx, dir)
	if errors.Is(err, store.ErrNone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, c := range o.clients {
		from, unknown := o.consentTo(c)
		ended, now := false, time.Now()
		if unknown == nil {
			ended, unknown = s.WithdrawConsent(ctx, from, now, capture.EndConsent(now))
		}
		if ended {
			fmt.Fprintf(o.env.Stdout, "%s: the capture of sessions has ended\n", c.Title())
		}
		goesOn, unread := hasConsent(ctx, s, c, from.Project)
		if goesOn && from.Project != "" {
			fmt.Fprintf(o.env.Stdout, "%s: sessions are still captured here, as you have agreed to it everywhere; to end it here, write memory_turn_capture: false into %s\n", c.Title(), config.LocalFile)
		}
		unknown = errors.Join(unknown, unread)
		withdrawn, err = withdrawn || ended, errors.Join(err, unknown)
	}
	return withdrawn, errors.Join(err, s.Close())
}
