package remember

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/text"
)

// location is a store named on the command line.
type location struct {
	name   string // for people
	dir    string // "": it is on a server
	url    string
	shared bool // repositories have names that all machines share
}

// locate reads the name of a store: local, a folder, or the URL of a server.
func locate(env cli.Env, flag, named string) (location, error) {
	home, err := env.Home()
	if err != nil {
		return location{}, err
	}
	switch {
	case named == "":
		return location{}, cli.Usagef("%s is missing: name a store, as local, a folder, or postgres://user@host/database", flag)
	case named == "local":
		return location{name: "local", dir: home}, nil
	case strings.Contains(named, "://"):
		url, err := config.ParseStore(named)
		if err != nil {
			return location{}, cli.Usagef("%s: %v", flag, err)
		}
		replica := team.Replica{URL: url}
		return location{name: replica.Name(), url: url, shared: true}, nil
	}
	dir := filepath.Clean(env.Path(named))
	return location{name: text.Printable(named), dir: dir, shared: filepath.Dir(dir) == filepath.Join(home, "team")}, nil
}

// same reports whether two locations are one store.
func (l location) same(other location) bool {
	return l.url == other.url && resolved(l.dir) == resolved(other.dir)
}

func resolved(dir string) string {
	if found, err := filepath.EvalSymlinks(dir); err == nil {
		return found
	}
	return dir
}

var errNoServers = errors.New("this program cannot reach servers: use memory-remember")

func (l location) onServer(ctx context.Context, servers store.Servers) (*store.Store, error) {
	if servers.Open == nil {
		return nil, errNoServers
	}
	return servers.Open(ctx, l.url)
}

func (l location) toRead(ctx context.Context, servers store.Servers) (s *store.Store, err error) {
	if l.url != "" {
		return l.onServer(ctx, servers)
	}
	s, err = store.OpenReadOnly(ctx, l.dir)
	if errors.Is(err, store.ErrNone) {
		return nil, fmt.Errorf("%s (%s): %w", l.name, l.dir, err)
	}
	return s, err
}

// toWrite opens a store, and makes a missing folder.
func (l location) toWrite(ctx context.Context, servers store.Servers) (*store.Store, error) {
	if l.url != "" {
		return l.onServer(ctx, servers)
	}
	return store.Open(ctx, l.dir)
}
