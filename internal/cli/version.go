package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Version is the version of all programs of this module. It is a constant because the shallow clone that a hook manager
// builds from has no tags.
const Version = "0.4.0"

// versionLine returns what --version prints after the program's name: the version, the commit, the Go version and
// the system, as in
//
//	0.4.0, changed since commit 0123456789ab, go1.26.8 linux/amd64
//
// A build that saw no git repository has no commit.
func versionLine(info *debug.BuildInfo) string {
	line := Version
	for _, s := range info.Settings { // the commit comes first
		if s.Key == "vcs.revision" {
			line += fmt.Sprintf(", commit %.12s", s.Value)
		}
		if s.Key == "vcs.modified" && s.Value == "true" {
			line = strings.Replace(line, ", commit ", ", changed since commit ", 1)
		}
	}
	return fmt.Sprintf("%s, %s %s/%s", line, cmp.Or(info.GoVersion, runtime.Version()), runtime.GOOS, runtime.GOARCH)
}
