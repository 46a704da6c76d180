package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"whence/internal/store"
)

// maxConnections is the limit of one program.
const maxConnections = 4

// connect returns a database that connects on first use. The URL is as for libpq, with parameters
// such as sslmode; the parameter team chooses one of several teams of a login. The password comes from
// PGPASSWORD or the password file.
func connect(address string) (*sql.DB, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the URL of the store cannot be read: expected postgres://user@host/database")
	}
	parameters := u.Query()
	team := parameters.Get("team")
	parameters.Del("team")
	u.RawQuery = parameters.Encode()
	config, err := pgx.ParseConfig(u.String())
	if err != nil {
		return nil, fmt.Errorf("the URL of the store cannot be used: %w", err)
	}
	for name, value := range map[string]string{"application_name": "whence", "search_path": "whence, public", "timezone": "UTC", "whence.team": team, "jit": "off", "hnsw.iterative_scan": "strict_order"} {
		if _, set := config.RuntimeParams[name]; !set && value != "" {
			config.RuntimeParams[name] = value
		}
	}
	if !parameters.Has("default_query_exec_mode") { // one round trip, planned for its arguments: statements rarely run twice
		config.DefaultQueryExecMode = pgx.QueryExecModeExec
	}
	db := sql.OpenDB(connector{stdlib.GetConnector(*config)})
	db.SetMaxOpenConns(maxConnections)
	return db, nil
}

// Open opens the store on a server. It waits for the server until the context ends. An error that
// every request would meet is a [store.ErrUnusable].
func Open(ctx context.Context, address string) (*store.Store, error) {
	db, err := connect(address)
	if err != nil {
		return nil, err
	}
	if err := usable(ctx, db); err != nil {
		return nil, errors.Join(fmt.Errorf("open the store on %s: %w", name(address), explain(err)), db.Close())
	}
	return store.New(db, engine{}), nil
}

// name returns the URL without parameters and password.
func name(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the server"
	}
	u.RawQuery = ""
	return u.Redacted()
}

// Errors of Open.
var (
	ErrNone   = errors.New("there is no store in this database: memory-remember store init makes one")
	ErrNoTeam = errors.New("this login is in no team: an owner of the store admits it by memory-remember store admit")
	ErrTeams  = errors.New("this login is in several teams: name one in the URL by ?team=NAME")
)

// usable returns an error unless this version can use the store.
func usable(ctx context.Context, db *sql.DB) error {
	var version, teams int
	var team sql.NullString
	err := db.QueryRowContext(ctx, `SELECT number, whence.team(), whence.teams() FROM whence.version`).Scan(&version, &team, &teams)
	switch {
	case isCode(err, invalidSchema, undefinedTable, undefinedFunction):
		return ErrNone
	case isCode(err, noPrivilege):
		return ErrNoTeam
	case err != nil:
		return err
	case newer(version) != nil:
		return newer(version)
	case team.Valid:
		return nil
	case teams > 1:
		return ErrTeams
	}
	return ErrNoTeam
}

// newer returns an error for a version of the schema that is not known yet.
func newer(version int) error {
	if version > schemaNumber {
		return fmt.Errorf("%w (its schema is %d, known is %d)", store.ErrNewer, version, schemaNumber)
	}
	return nil
}
