package repo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

func TestRemoteName(t *testing.T) {
	for want, spellings := range map[string][]string{
		"github.com/acme/app": {
			"git@github.com:acme/app.git", "git@github.com:acme/app", "github.com:acme/app.git", "git@github.com:/acme/app.git/", "git@GitHub.com:acme/app.git",
			"ssh://git@github.com/acme/app", "ssh://git@github.com:22/acme/app", "ssh://github.com/acme/app.git/", "SSH://git@github.com//acme/app", "git+ssh://git@github.com/acme/app", "ssh://git@[github.com:22]/acme/app",
			"https://github.com/acme/app", "https://github.com/acme/app.git/", "https://user:token@github.com/acme/app.git/", "https://token@github.com/acme/app", "https://github.com:443/acme/app", "https://github.com./acme/app",
			"https://user:p@ss:word@github.com/acme/app", "https://github.com/acme/app#secret", "http://github.com:80/acme/app", "git://github.com:9418/acme/app", "  https://github.com/acme/app.git\n",
			"git@[github.com]:acme/app", "git@[github.com:22]:acme/app", "git@github.com:Acme/App.git", "https://github.com/ACME/app", "org-12@github.com:acme/app",
		},
		"git.acme.com:2222/acme/app":   {"ssh://git@git.acme.com:2222/acme/app.git", "git@[git.acme.com:2222]:acme/app.git"},
		"git.acme.com:8443/Acme/App":   {"https://git.acme.com:8443/Acme/App.git"},
		"[::1]/acme/app":               {"git@[::1]:acme/app.git", "ssh://git@[::1]/acme/app", "ssh://git@[0:0::1]:22/acme/app"},
		"[::1]:2222/acme/app":          {"ssh://git@[::1]:2222/acme/app"},
		"127.0.0.1/app":                {"git@127.0.0.1:app"},
		"gitlab.com/acme/app":          {"https://gitlab.com/Acme/App.git"},
		"bitbucket.org/acme/app":       {"git@bitbucket.org:Acme/app"},
		"host/~ann/app":                {"host:~ann/app", "ssh://host/~ann/app", "ann@host:app.git", "ann@host:~/app", "ssh://ann@host/~/app", "bob@host:~ann/app", "ssh://ann:s3cret@host/~/app"},
		"host/~bob/app":                {"bob@host:app.git", "bob@[host:22]:app"},
		"host/app":                     {"host:/app.git", "bob@host:/app", "git@host:app", "git@host:~/app", "host:app", "ssh://ann@host/app"},
		"host/srv/app":                 {"host:/srv/app/.git", "ssh://host/srv/app/.git/"},
		"gitlab.com/a/b/c/d":           {"git@gitlab.com:a/b/c/d.git"},
		"dev.azure.com/o/a%20b/_git/c": {"https://o@dev.azure.com/o/a%20b/_git/c"},
		"": {
			"", " ", "/srv/app.git", "./app", "../app", "app", "file:///srv/app", "c:/app", `c:\app`, `\\server\app`, "C:app", "~/app", "a/b:c",
			"https://", "https://github.com", "https://github.com/", "https:///acme/app", "https://user:to/ken@github.com/acme/app", "https://user:12/34@github.com/acme/app", "https://github.com:port/acme/app", "https://a b/acme/app",
			"ext::ssh git@github.com acme/app", "codecommit::eu-west-1://profile@app", "codecommit://profile@app", "gcrypt::git@github.com:acme/app", "unknown://host/app",
			"https://github.com/acme/app?token=secret", "https://h/git?p=a", "https://h/git?p=b#c", "ssh://host/~/app", "host:~/app", "a%b@host:app", "ann@host:", "ann@host:.git", "ann@host:~/",
			"git@github.com:", "git@github.com:/", "git@github.com:.git", "git@:acme/app", "https:/user:token@github.com/acme/app", "https://proxy/https://user:token@github.com/acme/app", "https://gith\x00ub.com/acme/app", "host:a\x1bb", "host:a b", "[::1", "[::1]", "git@[::1", "ssh://git@[::1/app",
		},
	} {
		for _, remote := range spellings {
			require.Equal(t, want, repo.RemoteName(remote), "%q", remote)
		}
	}
}

func FuzzRemoteName(f *testing.F) {
	for _, seed := range []string{"git@github.com:acme/app.git", "ssh://git@[::1]:22/a", "https://user:token@github.com/acme/app.git/", "git@[a:1]:b", "file:///a", "ext::x", "https://a/?b#c"} {
		f.Add(seed, "user", "s3cret")
	}
	f.Fuzz(func(t *testing.T, remote, user, secret string) {
		name := repo.RemoteName(remote)
		if name != "" {
			host, path, found := strings.Cut(name, "/")
			require.True(t, found && host != "" && path != "", "%q", name)
			require.NotContains(t, name, "@")
			require.Equal(t, name, strings.TrimSpace(name))
			if host[0] != '[' && !strings.Contains(host, ":") {
				require.Equal(t, name, repo.RemoteName("https://"+name+"/"), "%q", remote)
			}
		}
		// The name does not depend on who logs in, or there is none.
		for _, scheme := range []string{"https", "ssh", "http"} {
			const rest = "github.com/acme/app"
			got := repo.RemoteName(scheme + "://" + user + ":" + secret + "@" + rest)
			if !strings.ContainsAny(user+secret, "/?#\\") {
				require.Contains(t, []string{"", rest}, got, "%q %q", user, secret)
			}
		}
	})
}

func named(t *testing.T, dir string) string {
	t.Helper()
	r, err := repo.Open(dir, dir, func(string) string { return "" })
	require.NoError(t, err)
	return r.SharedName()
}

// Clones, worktrees and submodules have the names of their own remotes.
func TestSharedName(t *testing.T) {
	origin := start(t)
	write(t, origin, "a.md", "a\n")
	git(t, origin, "add", ".")
	git(t, origin, "commit", "-q", "-m", "one")
	require.Empty(t, named(t, origin), "it has no remote")

	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		git(t, dir, "clone", "-q", origin, name)
		require.Empty(t, named(t, filepath.Join(dir, name)), "its remote has none")
	}
	git(t, origin, "remote", "add", "upstream", "https://ann:s3cret@github.com/acme/app.git")
	require.Equal(t, "github.com/acme/app", named(t, origin), "its only one")
	for _, name := range []string{"one", "two"} {
		require.Equal(t, "github.com/acme/app", named(t, filepath.Join(dir, name)), "as its remote, which lies on this disk")
	}
	git(t, origin, "remote", "add", "other", "git@github.com:acme/other.git")
	require.Empty(t, named(t, origin), "of two nobody knows which")
	git(t, origin, "remote", "add", "origin", "git@github.com:acme/third.git")
	git(t, origin, "remote", "set-url", "--add", "origin", "git@github.com:acme/fourth.git")
	require.Equal(t, "github.com/acme/third", named(t, origin))

	one := filepath.Join(dir, "one")
	git(t, one, "worktree", "add", "-q", "../tree")
	require.Equal(t, "github.com/acme/third", named(t, filepath.Join(dir, "tree")))
	git(t, one, "-c", "protocol.file.allow=always", "submodule", "add", "-q", filepath.Join(dir, "two"), "sub")
	sub := filepath.Join(one, "sub")
	git(t, sub, "remote", "set-url", "origin", "https://gitlab.com/acme/sub")
	require.Equal(t, "gitlab.com/acme/sub", named(t, sub))
	require.Equal(t, "github.com/acme/third", named(t, one))

	git(t, dir, "clone", "-q", "--bare", origin, "bare.git")
	git(t, filepath.Join(dir, "bare.git"), "remote", "set-url", "origin", "../one") // which lies beside it
	for _, url := range []string{"../bare", "../bare.git/", "file://" + filepath.ToSlash(filepath.Join(realPath(t, dir), "bare.git"))} {
		git(t, filepath.Join(dir, "two"), "remote", "set-url", "origin", url)
		require.Equal(t, "github.com/acme/third", named(t, filepath.Join(dir, "two")), url)
	}
	git(t, one, "remote", "set-url", "origin", "../one")
	require.Empty(t, named(t, one), "it leads nowhere else")
}

func TestARemoteThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"[remote \"origin\"\n", "[remote \"origin\"]\n\turl\n", "[remote \"origin\"]\n\turl =\n", "[remote]\n\turl = git@github.com:a/b\n"} {
		dir := start(t)
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".git", "config"), []byte(text), 0o600))
		require.Empty(t, named(t, dir), text)
	}
}

func BenchmarkSharedName(b *testing.B) {
	dir := b.TempDir()
	require.NoError(b, exec.Command("git", "init", "-q", dir).Run())
	text := "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@github.com:acme/app.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n" + strings.Repeat("[branch \"topic\"]\n\tremote = origin\n\tmerge = refs/heads/topic\n", 20)
	require.NoError(b, os.WriteFile(filepath.Join(dir, ".git", "config"), []byte(text), 0o600))
	r, err := repo.Open(dir, dir, func(string) string { return "" })
	require.NoError(b, err)
	for b.Loop() {
		require.NotEmpty(b, r.SharedName())
	}
}
