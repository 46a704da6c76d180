package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// Consent is the user's typed consent to the capture of an agent's sessions.
type Consent struct {
	Agent   string
	Project string // "": everywhere
}

// Covers reports whether the consent covers an agent in a project.
func (c Consent) Covers(agent, project string) bool {
	return c.Agent == agent && (c.Project == "" || c.Project == project)
}

// AnyCovers reports whether any of the consents covers an agent in a project.
func AnyCovers(consents []Consent, agent, project string) bool {
	return slices.ContainsFunc(consents, func(c Consent) bool { return c.Covers(agent, project) })
}

// GiveConsent records a consent, and ends the agent's current withdrawals.
func (s *Store) GiveConsent(ctx context.Context, c Consent) error {
	err := s.write(ctx, func(tx conn) error {
		p := c.params()
		p["now"] = time.Now()
		return errors.Join(
			tx.exec(ctx, `INSERT INTO consents (agent, project) VALUES (@agent, @project) ON CONFLICT DO NOTHING`, p),
			tx.exec(ctx, `UPDATE withdrawals SET until = @now WHERE agent = @agent AND until IS NULL`, p))
	})
	return s.wrap("record your consent", err)
}

// WithdrawConsent deletes the consent for an agent in a project, or all consents for the agent if the project is "". If
// there was any, it records a withdrawal and replaces the Watch of each transcript of the agent, in the project if one
// is named, by the result of end.
func (s *Store) WithdrawConsent(ctx context.Context, c Consent, at time.Time, end func(watch []byte) []byte) (found bool, err error) {
	err = s.write(ctx, func(tx conn) error {
		p := c.params()
		n, err := tx.count(ctx, `DELETE FROM consents WHERE agent = @agent AND @project IN ('', project)`, p)
		if found = n > 0; err != nil || !found {
			return err
		}
		watches := map[string][]byte{}
		err = tx.each(ctx, `SELECT path, watch FROM transcripts WHERE agent = @agent AND @project IN ('', project)`, p, func(row *sql.Rows) error {
			var path string
			var watch []byte
			err := row.Scan(&path, &watch)
			watches[path] = end(watch)
			return err
		})
		if err != nil {
			return err
		}
		for path, watch := range watches {
			if err := tx.exec(ctx, `UPDATE transcripts SET watch = @watch WHERE path = @path`, params{"path": path, "watch": watch}); err != nil {
				return err
			}
		}
		return tx.exec(ctx, `INSERT INTO withdrawals (agent, since) VALUES (@agent, @at)`, params{"agent": c.Agent, "at": at})
	})
	return found, s.wrap("withdraw your consent", err)
}

// Withdrawal is the time from the withdrawal of a consent to the next consent for the same agent.
type Withdrawal struct{ Since, Until time.Time } // Until is zero if there was none yet

// Withdrawals returns the withdrawals of consents for an agent.
func (s *Store) Withdrawals(ctx context.Context, agent string) (all []Withdrawal, err error) {
	err = s.conn.each(ctx, `SELECT since, until FROM withdrawals WHERE agent = @agent`, params{"agent": agent}, func(row *sql.Rows) error {
		var since, until sql.NullString
		err := row.Scan(&since, &until)
		all = append(all, Withdrawal{parseTime(since), parseTime(until)})
		return err
	})
	return all, s.wrap("look for your consent", err)
}

// Consents returns all consents.
func (s *Store) Consents(ctx context.Context) (all []Consent, err error) {
	err = s.conn.each(ctx, `SELECT agent, project FROM consents ORDER BY agent, project`, nil, func(row *sql.Rows) error {
		var c Consent
		err := row.Scan(&c.Agent, &c.Project)
		all = append(all, c)
		return err
	})
	return all, s.wrap("look for your consent", err)
}

func (c Consent) params() params { return params{"agent": c.Agent, "project": c.Project} }
