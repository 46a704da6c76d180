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

// Replica is a team's store, and where its copy is.
type Replica struct {
	URL  string // as config.ParseStore returns it; it holds no password
	home string
}

// newReplica is the place of a store, by its URL as config.ParseStore returns it.
func newReplica(home, url string) *Replica { return &Replica{url, home} }

// AllowedReplica is the place that the settings name, in a folder of package home; nil where that is the
// user's own store. It is nil too where the user has not allowed the store: the remark says
// so, for who has to know. An error is that it cannot be told what is allowed.
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

// AllowedName is what the settings call a repository in a team's store; "" where that is for its
// remote to tell. At tells the repository from others: it is the name of its remote, else its
// git directory. A repository could take the name of another one, to be told what is known
// there: a name counts that the user has allowed to this very one, or that is that of its
// remote. Else the remark says so.
func AllowedName(c config.Config, home, at string) (name, remark string, err error) {
	if c.Repository == "" || c.Repository == at {
		return c.Repository, "", nil
	}
	allowed, err := isAllowed(home, nameLine(c.Repository, at))
	if err != nil || allowed {
		return c.Repository, "", err
	}
	return "", fmt.Sprintf("this repository calls itself %q, which you have not allowed: memory-remember store allow", c.Repository), nil
}

// Name is the store for people: its URL without parameters. Of a socket its folder stands
// behind it.
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

// Dir is the folder of the copy. What of the URL says how to speak to the server, as sslmode,
// makes no other one.
func (p *Replica) Dir() string {
	u := p.parsed()
	query := u.Query()
	u.RawQuery = ""
	sum := sha256.Sum256([]byte(strings.Join([]string{u.String(), query.Get("host"), query.Get("team")}, "\n")))
	return filepath.Join(p.home, "team", hex.EncodeToString(sum[:8]))
}

// Outbox is the folder of what is still to be told to the server.
func (p *Replica) Outbox() string { return filepath.Join(p.Dir(), "outbox") }

// parsed is the URL in its parts. One that cannot be parsed, which config.ParseStore never
// returns, has none but its path.
func (p *Replica) parsed() *url.URL {
	u, err := url.Parse(p.URL)
	if err != nil {
		return &url.URL{Path: "unknown"}
	}
	return u
}
