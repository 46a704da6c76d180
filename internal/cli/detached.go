package cli

import (
	"os"
	"slices"
	"strings"
)

// environment returns the environment of a detached process: that of this process, without the
// variables by which an agent that lets a repository set them could choose a store, a git
// repository, a server, a proxy or whose certificates count.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name)
		isServer := strings.HasPrefix(name, "PG") && name != "PGPASSFILE" && name != "PGPASSWORD"
		return strings.HasPrefix(name, "GIT_") || strings.HasSuffix(name, "_PROXY") || strings.HasPrefix(name, "SSL_CERT_") || isServer
	})
}
