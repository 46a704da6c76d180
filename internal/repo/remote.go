package repo

import (
	"net"
	"net/netip"
	"path/filepath"
	"strings"
)

// maxLocalRemotes bounds a chain of remotes on this disk.
const maxLocalRemotes = 4

// SharedName returns the name that all clones of a repository share on any machine: the
// [RemoteName] of the remote origin, or of the only remote. A remote on this disk has the
// name of its own remote. The name is empty if there is none, or if the git directory belongs
// to another repository ([Repository.Identity]).
//
// Only the settings file of the repository is read: neither included settings nor rules that
// rewrite URLs count.
func (r *Repository) SharedName() string {
	if !r.isOwn() {
		return ""
	}
	base, gitDir := r.Root, r.CommonDir
	for range maxLocalRemotes {
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

// remoteURL returns the URL that a git directory fetches from: that of origin, or of the only
// remote.
func remoteURL(gitDir string) string {
	settings, err := readSettings(filepath.Join(gitDir, "config"))
	if err != nil {
		return ""
	}
	found, only := map[string]string{}, ""
	for _, remote := range settings.Section("remote").Subsections {
		if urls := remote.OptionAll("url"); len(urls) > 0 {
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

// repositoryAt finds the repository at the path of a remote as git does. gitDir is empty if
// there is none.
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

// onDisk returns the path of a remote that is a folder on this disk.
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

// defaultPorts are the default ports of the schemes that git knows.
var defaultPorts = map[string]string{
	"ssh": "22", "git+ssh": "22", "ssh+git": "22", "git": "9418", "http": "80", "https": "443", "ftp": "21", "ftps": "990",
}

// RemoteName returns the name of a repository from the URL of a remote: host and path, the
// same for all spellings. git@github.com:acme/app.git, ssh://git@github.com:22/acme/app and
// https://user:token@github.com/acme/app.git/ are github.com/acme/app. It never contains a
// password or token, and a user name only if the path begins in that user's home folder:
// alice@host:app is host/~alice/app. It is empty for any other text, and for a URL with a
// query, which may hold both a secret and the path.
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
	port := defaultPorts[scheme]
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

// ofAccounts reports whether a host has accounts instead of home folders, with names that
// ignore letter case.
func ofAccounts(host string) bool {
	return host == "github.com" || host == "gitlab.com" || host == "bitbucket.org"
}

// ofHome returns a path on an ssh host, below ~user if it begins in that user's home folder; ""
// if the user is unknown, or the path is a whole home folder. The home folder of the user git,
// as which everyone logs in on some hosts, is omitted. scp reports whether the remote is written
// as host:path.
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

// hostName returns a host in lower case, with its port unless that is the default; "" if the
// text is not a host.
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

// pathName returns the path of a repository without .git and outer slashes; "" if it is not a
// path. One that may hold another URL is refused, as it may hold a secret.
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
