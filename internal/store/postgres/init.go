package postgres

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
)

//go:embed schema.sql
var schema string

// schemaNumber is the version that schema.sql writes into the table version.
const schemaNumber = 1

// Made is the result of Init.
type Made struct {
	New      bool   // there was no store before
	Vector   string // version of pgvector, or ""
	NoVector string // why there is none
}

// Init makes the store in a database, unless there is one. The login must own the database and be able
// to create roles. Any number of processes may do it at the same time.
func Init(ctx context.Context, address string) (made Made, err error) {
	db, err := connect(address)
	if err != nil {
		return made, err
	}
	defer db.Close()
	if err := locked(ctx, db, func(tx *sql.Tx) error { return initialise(ctx, tx, &made) }); err != nil {
		return Made{}, fmt.Errorf("make the store on %s: %w", name(address), explain(err))
	}
	made.Vector, made.NoVector = vectorExtension(ctx, db)
	return made, nil
}

func initialise(ctx context.Context, tx *sql.Tx, made *Made) error {
	var encoding string
	if err := tx.QueryRowContext(ctx, `SELECT current_setting('server_encoding')`).Scan(&encoding); err != nil {
		return err
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the database is in %s: make one in UTF8 (createdb --encoding=UTF8 --template=template0 NAME)", encoding)
	}
	if err := run(ctx, tx,
		`DO $$ BEGIN
			IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'whence') THEN CREATE ROLE whence NOLOGIN; END IF;
			IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'whence_member') THEN CREATE ROLE whence_member NOLOGIN; END IF;
			EXECUTE format('GRANT CREATE ON DATABASE %I TO whence', current_database());
		END $$`); err != nil {
		return err
	}
	leave, err := becomeOwner(ctx, tx)
	if err != nil {
		return err
	}
	if err := run(ctx, tx, `CREATE SCHEMA IF NOT EXISTS whence`, `SET LOCAL search_path = whence`); err != nil {
		return err
	}
	if err := tx.QueryRowContext(ctx, `SELECT to_regclass('whence.version') IS NULL`).Scan(&made.New); err != nil {
		return err
	}
	if made.New {
		if err := run(ctx, tx, schema); err != nil {
			return err
		}
	}
	var version int
	if err := tx.QueryRowContext(ctx, `SELECT number FROM version`).Scan(&version); err != nil {
		return err
	}
	if err := newer(version); err != nil {
		return err
	}
	return leave()
}

// locked runs a transaction that changes schema or roles, one at a time.
func locked(ctx context.Context, db *sql.DB, change func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	if err := run(ctx, tx, `SELECT pg_advisory_xact_lock(hashtextextended('whence schema', 0))`); err != nil {
		return err
	}
	if err := change(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func run(ctx context.Context, tx *sql.Tx, statements ...string) error {
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// becomeOwner continues as the role that owns the store. Leave ends that, and revokes the role if
// the login did not have it before: row-level security must hold for it as well.
func becomeOwner(ctx context.Context, tx *sql.Tx) (leave func() error, err error) {
	var before bool
	if err := tx.QueryRowContext(ctx, `SELECT pg_has_role(current_user, 'whence', CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END)`).Scan(&before); err != nil {
		return nil, err
	}
	become, end := []string{`SET LOCAL ROLE whence`}, []string{`RESET ROLE`}
	if !before {
		become, end = []string{`GRANT whence TO CURRENT_USER`, become[0]}, append(end, `REVOKE whence FROM CURRENT_USER`)
	}
	return func() error { return run(ctx, tx, end...) }, run(ctx, tx, become...)
}

// vectorExtension adds pgvector to the database, if the server has it.
func vectorExtension(ctx context.Context, db *sql.DB) (version, without string) {
	const known = `SELECT extversion FROM pg_extension WHERE extname = 'vector'`
	if db.QueryRowContext(ctx, known).Scan(&version) == nil {
		return version, ""
	}
	_, err := db.ExecContext(ctx, `CREATE EXTENSION vector SCHEMA public`)
	switch {
	case isCode(err, noPrivilege):
		return "", "a superuser has to add it to the database: CREATE EXTENSION vector"
	case err != nil:
		return "", "the server does not have it: " + explain(err).Error()
	}
	if err := db.QueryRowContext(ctx, known).Scan(&version); err != nil {
		return "", explain(err).Error()
	}
	return version, ""
}

// Roles of a member within a team.
var Roles = []string{"reader", "member", "admin"}

// Admit makes a login a member of a team, or changes its role there. The caller must own the store.
// A missing login is created without a password, so that it cannot connect yet; made reports that.
func Admit(ctx context.Context, address, team, login, role string) (made bool, err error) {
	if !slices.Contains(Roles, role) {
		return false, fmt.Errorf("unknown role %q: use %s", role, strings.Join(Roles, ", "))
	}
	if !isName(team) {
		return false, fmt.Errorf("%q cannot name a team: use letters a to z, digits, points, dashes and underscores", team)
	}
	err = asOwner(ctx, address, func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, `SELECT NOT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`, login).Scan(&made); err != nil {
			return err
		}
		if made {
			if err := format(ctx, tx, `CREATE ROLE %I LOGIN`, login); err != nil {
				return err
			}
		}
		if err := format(ctx, tx, `GRANT whence_member TO %I`, login); err != nil {
			return err
		}
		leave, err := becomeOwner(ctx, tx)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO whence.members (team, login, role) VALUES ($1, $2, $3) ON CONFLICT (team, login) DO UPDATE SET role = excluded.role`, team, login, role)
		return cmp.Or(err, leave())
	})
	if err != nil {
		return false, fmt.Errorf("admit %s to the team %s: %w", login, team, err)
	}
	return made, nil
}

// ErrNotThere reports that a login is not a member.
var ErrNotThere = errors.New("is not a member of that team")

// Dismiss removes a login from a team. Its rows and the login itself remain.
func Dismiss(ctx context.Context, address, team, login string) error {
	err := asOwner(ctx, address, func(tx *sql.Tx) error {
		leave, err := becomeOwner(ctx, tx)
		if err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, `DELETE FROM whence.members WHERE team = $1 AND login = $2`, team, login)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return cmp.Or(err, fmt.Errorf("%s %w", login, ErrNotThere))
		}
		return leave()
	})
	if err != nil {
		return fmt.Errorf("dismiss %s from the team %s: %w", login, team, err)
	}
	return nil
}

// asOwner runs a transaction that changes the members of an existing store.
func asOwner(ctx context.Context, address string, change func(*sql.Tx) error) error {
	db, err := connect(address)
	if err != nil {
		return err
	}
	defer db.Close()
	err = locked(ctx, db, change)
	if isCode(err, invalidSchema, undefinedTable, undefinedObject) {
		return ErrNone
	}
	return explain(err)
}

// format runs a statement that contains names, which the server quotes.
func format(ctx context.Context, tx *sql.Tx, statement string, names ...string) error {
	arguments := make([]any, len(names))
	marks := make([]string, len(names))
	for i, name := range names {
		arguments[i], marks[i] = name, fmt.Sprintf(", $%d::text", i+1)
	}
	var quoted string
	if err := tx.QueryRowContext(ctx, `SELECT format('`+statement+`'`+strings.Join(marks, "")+`)`, arguments...).Scan(&quoted); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, quoted)
	return err
}

// isName reports whether a text can name a team.
func isName(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789.-_") == "" && !strings.HasPrefix(text, ".") && len(text) <= 63
}
