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
	return administer(ctx, address, func(ctx context.Context, tx pgx.Tx) error {
		var encoding, role string
		var made, known, exists bool
		if err := tx.QueryRow(ctx, `SELECT current_setting('server_encoding'), to_regclass('whence.teams') IS NOT NULL,
			'whence ' || current_database() || ' ' || $1::text`, team).Scan(&encoding, &made, &role); err != nil {
			return err
		}
		if encoding != "UTF8" {
			return fmt.Errorf("the database is in %s: make one with createdb --encoding=UTF8 --template=template0 NAME", encoding)
		}
		if len(role) > maxRoleBytes {
			return fmt.Errorf("the names of database and team are too long for the role %q: choose shorter ones", role)
		}
		if !made {
			if _, err := tx.Exec(ctx, schema); err != nil {
				return err
			}
		}
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM whence.teams WHERE team = $1), EXISTS (SELECT FROM pg_roles WHERE rolname = $2)`,
			team, role).Scan(&known, &exists); err != nil {
			return err
		}
		if exists && !known {
			return fmt.Errorf("the server has a role %q already, whose members would all be in the team: choose another name for the team", role)
		}
		if !exists {
			if _, err := tx.Exec(ctx, `CREATE ROLE `+quoted(role)+` NOLOGIN`); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, fmt.Sprintf(grants, quoted(role))); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO whence.teams (team, role) VALUES ($1, $2) ON CONFLICT DO NOTHING`, team, role); err != nil {
			return err
		}
		return grantToSelf(ctx, tx, role)
	})
}

// maxRoleBytes is the length to which PostgreSQL cuts names.
const maxRoleBytes = 63

// grantToSelf makes the current login an admin of a role. Since PostgreSQL 16, the login that creates a role
// may grant it, and cannot grant itself that right again.
func grantToSelf(ctx context.Context, tx pgx.Tx, role string) error {
	var admin bool
	if err := tx.QueryRow(ctx, `SELECT pg_has_role(current_user, $1::name, 'USAGE WITH ADMIN OPTION')`, role).Scan(&admin); err != nil {
		return err
	}
	option := ` WITH ADMIN OPTION`
	if admin {
		option = ``
	}
	_, err := tx.Exec(ctx, `GRANT `+quoted(role)+` TO CURRENT_USER`+option)
	return err
}

// Admit makes a login a member of a team, or its admin. Only an admin may do that.
func Admit(ctx context.Context, address, team, login string, admin bool) error {
	option := ``
	if admin {
		option = ` WITH ADMIN OPTION`
	}
	return changeMember(ctx, address, team, login, func(role, login string) string { return `GRANT ` + role + ` TO ` + login + option })
}

// Remove ends the membership of a login. What it has stored remains.
func Remove(ctx context.Context, address, team, login string) error {
	return changeMember(ctx, address, team, login, func(role, login string) string { return `REVOKE ` + role + ` FROM ` + login })
}

func changeMember(ctx context.Context, address, team, login string, change func(role, login string) string) error {
	return administer(ctx, address, func(ctx context.Context, tx pgx.Tx) error {
		role, err := roleOf(ctx, tx, team)
		if err != nil {
			return err
		}
		var exists bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`, login).Scan(&exists); err != nil {
			return err
		}
		if !exists {
			return fmt.Errorf("the server has no login %q: its owner makes one with createuser --pwprompt", login)
		}
		_, err = tx.Exec(ctx, change(quoted(role), quoted(login)))
		return err
	})
}

// roleOf returns the role of a team that the login belongs to.
func roleOf(ctx context.Context, tx pgx.Tx, team string) (role string, err error) {
	var member bool
	err = tx.QueryRow(ctx, `SELECT t.role, pg_has_role(t.role, 'USAGE') FROM whence.teams t WHERE t.team = $1`, team).Scan(&role, &member)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && !member {
		return "", errNoMember
	}
	return role, err
}

// CheckMember returns an error unless the login of a URL is a member of a team.
func CheckMember(ctx context.Context, address, team string) error {
	return administer(ctx, address, func(ctx context.Context, tx pgx.Tx) error {
		_, err := roleOf(ctx, tx, team)
		return err
	})
}

func administer(ctx context.Context, address string, run func(context.Context, pgx.Tx) error) error {
	conn, err := connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return transaction(ctx, conn, run)
}

func quoted(name string) string { return pgx.Identifier{strings.ToValidUTF8(name, "")}.Sanitize() }
