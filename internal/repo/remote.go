package repo

import (
	"bytes"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// mostRemotes is how many remotes that lie on this disk are followed, one from the other.
const mostRemotes = 4

// SharedName is the name by which all clones of a repository know it, on whatever machine:
// that of its remote origin, else of its only one, see [RemoteName]. A remote on this disk
// has the name of its own remote. "" is that there is none.
//
// A repository whose git directory is another one's has none ([Repository.Identity]).
//
// Remotes are read from the file of the repository alone: neither settings that it includes
// nor rules that rewrite URLs count.
func (r *Repository) SharedName() string {
	if !r.isOwn() {
		return ""
	}
	base, gitDir := r.Root, r.CommonDir
	for range mostRemotes {
		remote := remoteURL(gitDir)
		if remote == "" {
			return ""
		}
		path, is := onDisk(remote)
		if !is {
			return RemoteName(remote)
		}
		if base, gitDir = repositoryAt(absolute(base, path)); gitDir == "" {
			return ""
		}
	}
	return ""
}

// remoteURL is the URL of the remote of a git directory, from which it fetches; "" if there
// is none, or several of which none is origin.
func remoteURL(gitDir string) string {
	name := filepath.Join(gitDir, "config")
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	settings := config.New()
	if err := config.NewDecoder(bytes.NewReader(src)).Decode(settings); err != nil {
		return ""
	}
	found := map[string]string{}
	only := ""
	for _, remote := range settings.Section("remote").Subsections {
		if urls := remote.OptionAll("url"); found[remote.Name] == "" && len(urls) > 0 {
			only, found[remote.Name] = urls[0], urls[0]
		}
	}
	if origin, is := found["origin"]; is {
		return origin
	}
	if len(found) != 1 {
		return ""
	}
	return only
}

// repositoryAt is the repository at a path, as git finds that of a remote: its folder, and
// its git directory, which is "" if there is none.
func repositoryAt(path string) (base, gitDir string) {
	for _, name := range []string{path, path + ".git"} {
		if found, err := resolveGitDir(filepath.Join(name, ".git")); err == nil && found != "" {
			return name, found
		}
		if isGitDir(name) {
			return name, name
		}
	}
	return "", ""
}

// onDisk is the path of a remote that is one on this disk.
func onDisk(remote string) (path string, is bool) {
	if path, is = strings.CutPrefix(remote, "file://"); is {
		return strings.TrimPrefix(path, "localhost"), true
	}
	if strings.Contains(remote, "::") && !strings.Contains(remote, "[") {
		return "", false
	}
	colon, slash := strings.IndexByte(remote, ':'), strings.IndexAny(remote, `/\`)
	return remote, colon < 0 || slash >= 0 && slash < colon || colon == 1
}

// defaultPort is the port that says nothing in a URL of a scheme; "" if git knows none such.
func defaultPort(scheme string) string {
	switch scheme {
	case "ssh", "git+ssh", "ssh+git":
		return "22"
	case "git":
		return "9418"
	case "http":
		return "80"
	case "https":
		return "443"
	case "ftp":
		return "21"
	case "ftps":
		return "990"
	}
	return ""
}

// RemoteName is the name of a repository by the URL of a remote: host and path, in one form
// for all spellings. git@github.com:acme/app.git, ssh://git@github.com:22/acme/app and
// https://user:token@github.com/acme/app.git/ are github.com/acme/app. The secret by which
// somebody logs in is never in it, and who that is only where the path begins in his home
// folder: alice@host:app is host/~alice/app. What is no such URL has no name, "", nor has one
// with a query, in which both a secret and the path may be.
func RemoteName(remote string) string {
	remote = strings.TrimSpace(remote)
	if _, is := onDisk(remote); is {
		return ""
	}
	scheme, rest, found := strings.Cut(remote, "://")
	var authority, path string
	if found {
		scheme = strings.ToLower(scheme)
		rest, _, _ = strings.Cut(rest, "#")
		if strings.Contains(rest, "?") {
			return ""
		}
		authority, path, _ = strings.Cut(rest, "/")
	} else {
		scheme = "ssh"
		end := 0
		if at := strings.IndexByte(remote, '['); at >= 0 {
			end = max(0, strings.IndexByte(remote, ']'))
		}
		colon := strings.IndexByte(remote[end:], ':')
		if colon < 0 {
			return ""
		}
		authority, path = remote[:end+colon], remote[end+colon+1:]
	}
	port := defaultPort(scheme)
	at := strings.LastIndexByte(authority, '@')
	host := hostName(authority[at+1:], port)
	switch {
	case ofAccounts(host):
		path = strings.ToLower(path)
	case port == "22":
		path = ofHome(path, authority[:max(at, 0)], !found)
	}
	path = pathName(path)
	if port == "" || host == "" || path == "" {
		return ""
	}
	return host + "/" + path
}

// ofAccounts tells whether a host has accounts instead of home folders, and takes their names
// and those of repositories for the same in capital letters and in small ones.
func ofAccounts(host string) bool {
	return host == "github.com" || host == "gitlab.com" || host == "bitbucket.org"
}

// ofHome is a path on a host that is asked by ssh, with the home folder in which it begins;
// "" if that is nobody's, or all of it. The home folder of git is that of the host, where all log
// in as one. Scp tells that it is written as host:path.
func ofHome(path, login string, scp bool) string {
	user, _, _ := strings.Cut(login, ":")
	rest, home := strings.CutPrefix(path, "~/")
	switch {
	case !home && (!scp || user == "" || strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~")):
		return path
	case user == "git":
		return rest
	case user == "" || pathName(rest) == "" || strings.Trim(strings.ToLower(user), "abcdefghijklmnopqrstuvwxyz0123456789._-") != "":
		return ""
	}
	return "~" + user + "/" + rest
}

// hostName is a host in small letters, with its port unless that says nothing; "" if it is
// none.
func hostName(text, defaultPort string) string {
	host, port := strings.ToLower(text), ""
	if strings.Count(host, "[") != strings.Count(host, "]") {
		return ""
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if address, err := netip.ParseAddr(inner); err == nil && address.Is6() && inner != host {
		return "[" + address.WithZone("").String() + "]"
	}
	if len(host)-len(inner) == 2 { // ssh reads [host:port] too
		host = inner
	}
	if strings.Contains(host, ":") {
		var err error
		if host, port, err = net.SplitHostPort(host); err != nil {
			return ""
		}
	}
	if address, err := netip.ParseAddr(host); err == nil && address.Is6() {
		host = "[" + address.WithZone("").String() + "]"
	} else if host = strings.TrimRight(host, "."); host == "" || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789._-") != "" {
		return ""
	}
	if strings.Trim(port, "0123456789") != "" {
		return ""
	}
	if port == "" || port == defaultPort {
		return host
	}
	return host + ":" + port
}

// pathName is the path of a repository without what says nothing; "" if it is none. One that
// may hold another URL is none: there may be a secret in it.
func pathName(path string) string {
	path = strings.Trim(path, "/")
	for strings.HasSuffix(path, ".git") {
		path = strings.TrimRight(strings.TrimSuffix(path, ".git"), "/")
	}
	if strings.Contains(path, "//") || strings.ContainsAny(path, ":@\\?#") || strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\uFFFD' }) {
		return ""
	}
	return path
}
