package team

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"
)

// parameters are those that the URL of a server may have. Others could lead to another server than the one
// shown, or hold a secret.
func parameters() []string {
	return []string{"host", "passfile", "sslcert", "sslkey", "sslmode", "sslrootcert"}
}

// Errors of ParseURL. None quotes the text, which may hold a password.
var (
	errShape    = errors.New("this is not the URL of a server: write postgres://user@host/database, with ?host=/folder for a socket")
	errPassword = errors.New("a password does not belong in a URL, where others read it: put it into ~/.pgpass")
)

// ParseURL returns the normal form of the URL of a server: with a port and sorted parameters. A URL with a
// password is refused. Errors repeat no part of the text.
//
// Without sslmode, a server on another machine must prove who it is (verify-full).
func ParseURL(text string) (string, error) {
	if mayHoldPassword(text) {
		return "", errPassword
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Opaque != "" || u.Fragment != "" {
		return "", errShape
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil || !IsName(strings.TrimPrefix(u.Path, "/")) || u.User != nil && !IsName(u.User.Username()) {
		return "", errShape
	}
	for name, values := range query {
		if !slices.Contains(parameters(), name) {
			return "", fmt.Errorf("the URL of a server may only have the parameters %s", strings.Join(parameters(), ", "))
		}
		if len(values) != 1 || values[0] == "" || strings.ContainsFunc(values[0], unicode.IsControl) {
			return "", errShape
		}
	}
	host, port, socket := strings.ToLower(u.Hostname()), u.Port(), query.Get("host")
	if port == "" {
		port = "5432"
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return "", errShape
	}
	if host == "" && !isSocketFolder(socket) || host != "" && (socket != "" || !isHost(host)) {
		return "", errShape
	}
	if !query.Has("sslmode") && host != "" && !isLoopback(host) {
		query.Set("sslmode", "verify-full")
	}
	u.Scheme, u.Host, u.RawQuery = "postgres", net.JoinHostPort(host, strconv.FormatUint(number, 10)), query.Encode()
	return u.String(), nil
}

// mayHoldPassword reports whether a text has a password in any form that libpq or a user may write:
// user:password@host with or without a scheme, or password=….
func mayHoldPassword(text string) bool {
	if strings.Contains(strings.ToLower(text), "password") {
		return true
	}
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		return false
	}
	_, user, hasScheme := strings.Cut(text[:at], "://")
	if !hasScheme {
		user = text[:at]
	}
	return strings.Contains(user, ":")
}

// maxNameBytes bounds names of teams, users and databases.
const maxNameBytes = 60

// IsName reports whether a text may name a user, a database, a team or a scope. PostgreSQL allows more, but names
// are shown to agents: they must not hold sentences.
func IsName(name string) bool {
	return name != "" && len(name) <= maxNameBytes && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-$", r)
	})
}

func isHost(host string) bool {
	if address, err := netip.ParseAddr(host); err == nil {
		return address.Zone() == ""
	}
	return len(host) < 256 && !strings.ContainsFunc(host, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	})
}

// isSocketFolder reports whether a text is the folder of one socket: a comma would add another server.
func isSocketFolder(name string) bool {
	return strings.HasPrefix(name, "/") && !strings.Contains(name, ",")
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// Timeouts of a connection, and of one transaction.
const (
	connectTimeout     = 5 * time.Second
	transactionTimeout = 30 * time.Second
)

// connect connects to a server, by a URL as ParseURL returns it. The password comes from ~/.pgpass.
func connect(ctx context.Context, address string) (*pgx.Conn, error) {
	if _, err := ParseURL(address); err != nil {
		return nil, err
	}
	clearEnvironment()
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errors.New("the URL of the server, or a file that it names, cannot be used")
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec // no prepared statements, for pgbouncer
	config.RuntimeParams = map[string]string{"application_name": "whence"}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config)
	return conn, explain(err)
}

// clearEnvironment removes the variables that choose a server, a login, a proxy or whose certificates
// count from the environment of this process: an agent may have them from a repository. The URL alone
// decides.
func clearEnvironment() {
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		upper := strings.ToUpper(name)
		if strings.HasPrefix(upper, "PG") || strings.HasSuffix(upper, "_PROXY") || strings.HasPrefix(upper, "SSL_CERT_") {
			os.Unsetenv(name)
		}
	}
}

// transaction runs a transaction. What it calls without a schema is PostgreSQL's own.
func transaction(ctx context.Context, conn *pgx.Conn, run func(context.Context, pgx.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, transactionTimeout)
	defer cancel()
	begin := fmt.Sprintf(`BEGIN; SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL TimeZone = 'UTC'; SET LOCAL statement_timeout = %d`,
		transactionTimeout.Milliseconds())
	return explain(pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{BeginQuery: begin}, func(tx pgx.Tx) error { return run(ctx, tx) }))
}

// serverName returns the part of a URL that tells users which server it is.
func serverName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the server"
	}
	if u.Hostname() == "" {
		return u.Query().Get("host") + u.Path
	}
	return u.Host + u.Path
}
