package team

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"
)

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
	// libpq and users also write user:password@host without a scheme, and password=….
	beforeHost := strings.Replace(text[:max(0, strings.LastIndexByte(text, '@'))], "://", "", 1)
	if strings.Contains(beforeHost, ":") || regexp.MustCompile(`(?i)password\s*(=|%3d)`).MatchString(text) {
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
	// Others could lead to another server than the one shown, or hold a secret.
	parameters := []string{"host", "passfile", "sslcert", "sslkey", "sslmode", "sslrootcert"}
	for name, values := range query {
		if !slices.Contains(parameters, name) {
			return "", fmt.Errorf("the URL of a server may only have the parameters %s", strings.Join(parameters, ", "))
		}
		if len(values) != 1 || values[0] == "" || strings.ContainsFunc(values[0], unicode.IsControl) {
			return "", errShape
		}
	}
	host, port, socket := strings.ToLower(u.Hostname()), cmp.Or(u.Port(), "5432"), query.Get("host")
	if number, err := strconv.ParseUint(port, 10, 16); err != nil || number == 0 {
		return "", errShape
	}
	if host == "" && !(strings.HasPrefix(socket, "/") && isWord(socket, "/._-")) || host != "" && (socket != "" || !isWord(host, ".-_:")) {
		return "", errShape
	}
	isLocal := slices.Contains([]string{"", "localhost", "127.0.0.1", "::1"}, host)
	if !isLocal && !query.Has("sslmode") {
		query.Set("sslmode", "verify-full")
	}
	u.Scheme, u.Host, u.RawQuery = "postgres", net.JoinHostPort(host, port), query.Encode()
	return u.String(), nil
}

// IsName reports whether a text may name a user, a database, a team or a scope. PostgreSQL allows more, but
// names are shown to agents: they must not hold sentences.
func IsName(name string) bool { return len(name) <= 60 && isWord(name, "._-$") }

// isWord reports whether a text only holds letters, digits and some punctuation.
func isWord(text, punctuation string) bool {
	return text != "" && len(text) <= 250 && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(punctuation, r)
	})
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

// connected runs one transaction on a connection of its own.
func connected(ctx context.Context, address string, run func(context.Context, pgx.Tx) error) error {
	conn, err := connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return transaction(ctx, conn, run)
}

// clearEnvironment removes the variables that choose a server, a login, a proxy or authorities from the
// environment of this process: an agent may have them from a repository. The URL alone decides.
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
