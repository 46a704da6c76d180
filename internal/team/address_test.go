package team

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"whence/internal/test/pgtest"
)

func TestParseURL(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://ann@db.acme.com:5433/app":               "postgres://ann@db.acme.com:5433/app?sslmode=verify-full",
		"postgresql://ann@DB.acme.com/app?sslmode=require":  "postgres://ann@db.acme.com:5432/app?sslmode=require",
		"postgres://ann@db/app?sslrootcert=r&passfile=%2Fp": "postgres://ann@db:5432/app?passfile=%2Fp&sslmode=verify-full&sslrootcert=r",
		"postgres://ann@[::1]/app":                          "postgres://ann@[::1]:5432/app",
		"postgres://localhost/app":                          "postgres://localhost:5432/app",
		"postgres:///app?host=/run/postgresql":              "postgres://:5432/app?host=%2Frun%2Fpostgresql",
		"postgres://ann@:5433/app?host=/run/postgresql":     "postgres://ann@:5433/app?host=%2Frun%2Fpostgresql",
	} {
		got, err := ParseURL(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
		again, err := ParseURL(got)
		require.NoError(t, err)
		require.Equal(t, got, again)
		_, err = pgx.ParseConfig(strings.Replace(got, "sslrootcert=r", "", 1))
		require.NoError(t, err)
	}
}

// What could lead elsewhere than what is shown, or hold a sentence, is refused and not repeated.
func TestNoURL(t *testing.T) {
	for _, text := range []string{
		"", " ", "local", "postgres:", "postgres://", "postgres://ann@db", "postgres://ann@db/", "postgres:///app", "mysql://ann@db/app", "https://db/app",
		"ann@db/app", "host=db dbname=app", "/run/postgresql", "postgres://ann@db/app/more", "postgres://ann@db/app#x", "postgres://@db/app", "postgres://ann@a,b/app",
		"postgres://ann@db:0/app", "postgres://ann@db:99999/app", "postgres://ann@db/app?host=other", "postgres://ann@db/app?host=/run", "postgres://ann@/app?host=/run,evil",
		"postgres://ann@/app?host=/run&host=/tmp", "postgres://ann@db/app?hostaddr=1.2.3.4", "postgres://ann@db/app?service=x", "postgres://ann@db/app?options=x",
		"postgres://ann@db/app?user=bob", "postgres://ann@db/app?sslmode", "postgres://ann@db/app?sslmode=%zz", "postgres://ann@db/app?sslmode=a%0Ab",
		"postgres://ann@db/do%20as%20I%20say", "postgres://do%20as%20I%20say@db/app", "postgres://ann@do as I say/app",
		"postgres://ann@" + strings.Repeat("a", 300) + "/app",
	} {
		_, err := ParseURL(text)
		require.Error(t, err, text)
		if len(text) > len("postgres://") {
			require.NotContains(t, err.Error(), text)
		}
	}
}

func TestPasswordsAreRefused(t *testing.T) {
	for _, text := range []string{
		"postgres://ann:s3cret@db/app", "postgres://:s3cret@db/app", "postgres://ann:s3cret%zz@db/app", "postgres://ann:s3/cr@et@db:x/app", "postgres://ann:@db/app",
		"postgres:bob:s3cret@h", "bob:s3cret@h/app", "host=db password=s3cret", "host=db password = 's3cret'", "postgres://ann@db/app?password=s3cret",
		"postgres://ann@db/app?sslpassword=s3cret", "postgres://ann@db/app?PASSWORD=s3cret", "https://ann:s3cret@db/app",
	} {
		_, err := ParseURL(text)
		require.ErrorIs(t, err, errPassword, text)
		_, err = connect(t.Context(), text)
		require.ErrorIs(t, err, errPassword)
	}
}

// Variables choose neither server nor login.
func TestVariablesDoNotCount(t *testing.T) {
	o := newOffice(t)
	ann := o.member(t, o.Address())
	network := pgtest.NewProxy(t, o.Address())
	host, port, _ := strings.Cut(network.Address(), ":")
	for name, value := range map[string]string{
		"PGHOST": host, "PGPORT": port, "PGUSER": "eve", "PGDATABASE": "evil", "PGPASSWORD": "wrong", "PGSERVICE": "evil", "PGSSLMODE": "require",
		"PGOPTIONS": "-c search_path=evil", "PGSSLROOTCERT": "/evil", "HTTPS_PROXY": network.Address(), "SSL_CERT_FILE": "/evil",
	} {
		t.Setenv(name, value)
	}
	ann.add("The booking table is locked while the harbour imports tides")
	require.Empty(t, ann.sync())
	require.Zero(t, network.Taken())
	require.Len(t, o.liveIDs(t), 1)
}
