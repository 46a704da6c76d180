package team

import (
	"context"
	_ "embed" // for the schema
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

//go:embed schema.sql
var schema string

// grants are the rights of a team. Columns that are missing are set by the server.
const grants = `
	GRANT USAGE ON SCHEMA whence TO %[1]s;
	GRANT SELECT ON whence.teams, whence.learnings, whence.turns, whence.applied TO %[1]s;
	GRANT INSERT (team, scope, id, learning, predecessor, origin), UPDATE (learning, predecessor, origin) ON whence.learnings TO %[1]s;
	GRANT USAGE ON SEQUENCE whence.revisions TO %[1]s;
	GRANT INSERT (team, scope, uuid, session, role, kind, text, at, words), UPDATE (text, words), DELETE ON whence.turns TO %[1]s;
	GRANT INSERT ON whence.applied TO %[1]s;
	GRANT EXECUTE ON FUNCTION whence.search TO %[1]s`

// Init makes a team in a database, and the schema if it is missing. The login must own the database and be
// able to create roles. It becomes the team's first admin.
func Init(ctx context.Context, address, team string) error {
	if !IsName(team) {
		return fmt.Errorf("%q cannot name a team: use letters, digits and ._-", team)
	}
	return connected(ctx, address, func(ctx context.Context, tx pgx.Tx) error {
		var encoding, role string
		var isMade bool
		if err := tx.QueryRow(ctx, `SELECT current_setting('server_encoding'), to_regclass('whence.teams') IS NOT NULL,
			'whence ' || current_database() || ' ' || $1::text`, team).Scan(&encoding, &isMade, &role); err != nil {
			return err
		}
		if encoding != "UTF8" {
			return fmt.Errorf("the database is in %s: make one with createdb --encoding=UTF8 --template=template0 NAME", encoding)
		}
		if len(role) > 63 { // PostgreSQL would cut it
			return fmt.Errorf("the names of database and team are too long for the role %q: choose shorter ones", role)
		}
		if !isMade {
			if _, err := tx.Exec(ctx, schema); err != nil {
				return err
			}
		}
		return makeRole(ctx, tx, team, role)
	})
}

// makeRole makes the role of a team, and the current login its admin. Since PostgreSQL 16, the login that
// creates a role may grant it, and cannot grant itself that right again.
func makeRole(ctx context.Context, tx pgx.Tx, team, role string) error {
	var isTeam, exists, isAdmin bool
	if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM whence.teams WHERE team = $1), EXISTS (SELECT FROM pg_roles WHERE rolname = $2)`,
		team, role).Scan(&isTeam, &exists); err != nil {
		return err
	}
	if exists && !isTeam {
		return fmt.Errorf("the server has a role %q already, whose members would all be in the team: choose another name for the team", role)
	}
	statements := fmt.Sprintf(grants, quoted(role))
	if !exists {
		statements = `CREATE ROLE ` + quoted(role) + ` NOLOGIN; ` + statements
	}
	if _, err := tx.Exec(ctx, statements); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `INSERT INTO whence.teams (team, role) VALUES ($1, $2) ON CONFLICT DO NOTHING`, team, role); err != nil {
		return err
	}
	if err := tx.QueryRow(ctx, `SELECT pg_has_role($1::name, 'USAGE WITH ADMIN OPTION')`, role).Scan(&isAdmin); err != nil {
		return err
	}
	return grant(ctx, tx, role, `CURRENT_USER`, !isAdmin)
}

func grant(ctx context.Context, tx pgx.Tx, role, login string, admin bool) error {
	option := ``
	if admin {
		option = ` WITH ADMIN OPTION`
	}
	_, err := tx.Exec(ctx, `GRANT `+quoted(role)+` TO `+login+option)
	return err
}

// Admit makes a login a member of a team, or its admin. Only an admin may do that.
func Admit(ctx context.Context, address, team, login string, admin bool) error {
	return asMember(ctx, address, team, func(ctx context.Context, tx pgx.Tx, role string) error {
		return grant(ctx, tx, role, quoted(login), admin)
	})
}

// Remove ends the membership of a login. What it has stored remains.
func Remove(ctx context.Context, address, team, login string) error {
	return asMember(ctx, address, team, func(ctx context.Context, tx pgx.Tx, role string) error {
		_, err := tx.Exec(ctx, `REVOKE `+quoted(role)+` FROM `+quoted(login))
		return err
	})
}

// CheckMember returns an error unless the login of a URL is a member of a team.
func CheckMember(ctx context.Context, address, team string) error {
	return asMember(ctx, address, team, func(context.Context, pgx.Tx, string) error { return nil })
}

// asMember runs a transaction of a member, who has the role of the team.
func asMember(ctx context.Context, address, team string, run func(ctx context.Context, tx pgx.Tx, role string) error) error {
	return connected(ctx, address, func(ctx context.Context, tx pgx.Tx) error {
		role, _, err := membership(ctx, tx, team)
		if err != nil {
			return err
		}
		return run(ctx, tx, role)
	})
}

// membership returns the role of a team, and the login, which must be a member.
func membership(ctx context.Context, tx pgx.Tx, team string) (role, login string, err error) {
	err = tx.QueryRow(ctx, `SELECT role, session_user::text FROM whence.teams WHERE team = $1 AND pg_has_role(role, 'USAGE')`, team).Scan(&role, &login)
	if errors.Is(err, pgx.ErrNoRows) {
		err = errNoMember
	}
	return role, login, err
}

func quoted(name string) string { return pgx.Identifier{strings.ToValidUTF8(name, "")}.Sanitize() }
