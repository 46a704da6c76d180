package team

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"whence/internal/config"
)

// Replica is the copy of a team's store on this machine. A nil one means the user's own store.
type Replica struct {
	URL  string // as config.ParseStore returns it; it holds no password
	home string
}

// AllowedReplica returns the replica of the store that settings name. It returns nil if that is the user's
// own store, or one that the user has not allowed, as the remark then says. Home is the folder of package home.
func AllowedReplica(c config.Config, home string) (p *Replica, remark string, err error) {
	if c.Store == "" {
		return nil, "", nil
	}
	p = &Replica{c.Store, home}
	list, err := readAllowed(home)
	switch {
	case err != nil:
		return nil, "", err
	case contains(list, revokedPrefix+c.Store):
		return nil, fmt.Sprintf("the store %s is named here, which you have revoked: memory-remember store allow", p.Name()), nil
	case !c.StoreByUser && !contains(list, c.Store):
		return nil, fmt.Sprintf("this repository names the store %s, which you have not allowed: memory-remember store allow", p.Name()), nil
	}
	return p, "", nil
}

// AllowedName returns the name that settings give a repository in a team's store; "" if they give none.
// At identifies the repository: the name of its remote, or else its git directory. A repository
// could take the name of another to be shown its learnings, so a name counts only if it is that of
// the remote, or if the user has allowed it for this repository; if not, the remark says so.
func AllowedName(c config.Config, home, at string) (name, remark string, err error) {
	if c.Repository == "" || c.Repository == at {
		return c.Repository, "", nil
	}
	switch allowed, err := isAllowed(home, nameLine(c.Repository, at)); {
	case err != nil:
		return "", "", err
	case allowed:
		return c.Repository, "", nil
	}
	return "", fmt.Sprintf("this repository calls itself %q, which you have not allowed: memory-remember store allow", c.Repository), nil
}

// Name returns the URL without parameters, for messages. That of a socket includes its folder.
func (p *Replica) Name() string {
	u := p.parsed()
	socket := u.Query().Get("host")
	u.RawQuery = ""
	if u.Port() == "5432" {
		u.Host = strings.TrimSuffix(u.Host, ":5432")
	}
	if socket != "" {
		return fmt.Sprintf("%s (%s)", u, socket)
	}
	return u.String()
}

// Dir returns the folder of the replica. It does not depend on parameters that only say how to connect, such
// as sslmode.
func (p *Replica) Dir() string {
	u := p.parsed()
	query := u.Query()
	u.RawQuery = ""
	sum := sha256.Sum256([]byte(strings.Join([]string{u.String(), query.Get("host"), query.Get("team")}, "\n")))
	return filepath.Join(p.home, "team", hex.EncodeToString(sum[:8]))
}

// Outbox returns the folder of operations that are not sent yet.
func (p *Replica) Outbox() string { return filepath.Join(p.Dir(), "outbox") }

// parsed parses the URL. config.ParseStore returns none that fails.
func (p *Replica) parsed() *url.URL {
	u, err := url.Parse(p.URL)
	if err != nil {
		return &url.URL{Path: "unknown"}
	}
	return u
}
