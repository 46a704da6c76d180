package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"whence/internal/files"
	"whence/internal/text"
)

// StoreVariable is the environment variable that may say that the user's own store is used. It names no
// other: agents let a repository set it.
const StoreVariable = "WHENCE_STORE"

// JobVariable names the store of a worker's job, within the process: no environment can hold it.
const JobVariable = "\x00store"

// storeOf returns the store that an environment names; "" if it names none.
func storeOf(getenv func(string) string) string {
	if store := getenv(JobVariable); store != "" {
		return store
	}
	if getenv(StoreVariable) == LocalStore {
		return LocalStore
	}
	return ""
}

// LocalStore is the value of a setting that names the user's own store.
const LocalStore = "local"

// LoadStoreFrom reads the settings for callers that only need to know the store. If none is named,
// no YAML is parsed and errors in other settings do not count, unless the user's own file, which may
// name one, cannot be read.
func LoadStoreFrom(tree fs.FS, u User) (Config, error) {
	switch storeOf(u.Getenv) {
	case LocalStore:
		c := Default()
		c.StoreByUser = true
		return c, nil
	case "":
		if u.unread == nil && !namesStore(tree, ProjectFile) && !namesStore(tree, LocalFile) && !bytes.Contains(u.Settings, []byte(keyStore)) {
			return Default(), nil
		}
	}
	return LoadFrom(tree, u)
}

// namesStore reports whether a file may name a store.
func namesStore(tree fs.FS, name string) bool {
	src, err := files.ReadText(tree, name)
	return err == nil && bytes.Contains(src, []byte(keyStore))
}

// parseStore reads the value of a setting: "" is the user's own store.
func parseStore(value string) (string, error) {
	if value == LocalStore {
		return "", nil
	}
	return ParseStore(value)
}

// storeParameters are the parameters that the URL of a store may have. Others could lead to another
// server than the one shown, or hold a secret.
var storeParameters = []string{"application_name", "channel_binding", "connect_timeout", "host", "sslcert", "sslkey", "sslmode", "sslnegotiation", "sslrootcert", "target_session_attrs", "team"}

// Errors of ParseStore. None quotes the text, which may hold a password.
var (
	errStoreShape    = errors.New("it is not the URL of a store: write postgres://user@host:port/database, with ?host=/folder for a socket, or " + LocalStore)
	errStorePassword = errors.New("a password does not belong in the URL of a store, where others read it: put it into ~/.pgpass, a file that PGPASSFILE names, or PGPASSWORD")
)

// ParseStore returns the normal form of the URL of a team's store: with a port, and with sorted
// parameters. Errors hold no part of the text.
func ParseStore(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil {
		if at := strings.IndexByte(text, '@'); at >= 0 && strings.Count(text[:at], ":") > 1 {
			return "", errStorePassword // a password with a % in it, say, which Parse takes for a port
		}
		return "", errStoreShape
	}
	if _, has := u.User.Password(); has {
		return "", errStorePassword
	}
	query, err := url.ParseQuery(u.RawQuery)
	for name := range query {
		if strings.Contains(strings.ToLower(name), "password") {
			return "", errStorePassword
		}
	}
	database := strings.TrimPrefix(u.Path, "/")
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Opaque != "" || u.Fragment != "" ||
		!isStoreName(database) || u.User != nil && !isStoreName(u.User.Username()) {
		return "", errStoreShape
	}
	for name, values := range query {
		if !slices.Contains(storeParameters, name) {
			return "", fmt.Errorf("the URL of a store may only have the parameters %s", strings.Join(storeParameters, ", "))
		}
		if len(values) != 1 || values[0] == "" || strings.ContainsFunc(values[0], unicode.IsControl) || len(values[0]) > maxStoreNameBytes {
			return "", errStoreShape
		}
	}
	if team := query.Get("team"); query.Has("team") && !isStoreName(team) {
		return "", errStoreShape
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	socket := query.Get("host")
	if host == "" && !isSocketFolder(socket) || host != "" && (socket != "" || !isStoreHost(host)) {
		return "", errStoreShape
	}
	if port == "" {
		port = storePort
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || strconv.FormatUint(n, 10) != port {
		return "", errStoreShape
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	normal := url.URL{Scheme: "postgres", User: u.User, Host: host + ":" + port, Path: "/" + database, RawQuery: query.Encode()}
	return normal.String(), nil
}

// storePort is the port of a server if the URL names none.
const storePort = "5432"

// maxStoreNameBytes bounds each part of the URL of a store.
const maxStoreNameBytes = 200

// isStoreName reports whether a text may name a user, a database or a team. PostgreSQL allows more,
// but the URL is shown to agents: it must not hold sentences.
func isStoreName(name string) bool {
	return name != "" && len(name) <= maxStoreNameBytes/2 && isWord(name, "._-$")
}

// isWord reports whether a text only holds letters, digits and some punctuation.
func isWord(text, punctuation string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(punctuation, r)
	})
}

// isStoreHost reports whether a text is one host: a name, or an address.
func isStoreHost(host string) bool {
	if address, err := netip.ParseAddr(host); err == nil {
		return address.Zone() == ""
	}
	return len(host) <= maxStoreNameBytes && !strings.ContainsFunc(host, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	})
}

// isSocketFolder reports whether a text is the folder of one socket: a comma would add another
// server.
func isSocketFolder(name string) bool {
	return strings.HasPrefix(name, "/") && isStoreName(strings.ReplaceAll(name, "/", "-"))
}

// LocalNamePrefix begins the names of repositories that only one machine knows.
const LocalNamePrefix = LocalStore + ":"

// parseRepository reads the name by which a team knows a repository. It is shown to agents: it
// must not hold sentences, nor what ends a quotation.
func parseRepository(value string) (string, error) {
	if value == "" || len(value) > maxStoreNameBytes || !isWord(value, "._-/~:") || strings.HasPrefix(value, LocalNamePrefix) {
		return "", fmt.Errorf("%s is not a name of a repository: write up to %d letters, digits and ._-/~: that do not begin with %s, as in github.com/acme/app", text.Quoted(value), maxStoreNameBytes, LocalNamePrefix)
	}
	return value, nil
}
