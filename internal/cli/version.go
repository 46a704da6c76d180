package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Version is the version of all programs of this module. It is a constant because a build from a
// hook manager's shallow clone knows no tag.
const Version = "0.3.0"

// versionLine returns what --version prints after the program's name: the version, the commit with
// its date, and Go with the system, as in
//
//	0.3.0, commit 0123456789ab of 2026-11-23T10:20:30Z, go1.26.8 linux/amd64
//
// A build from a commit with changes says so. A build that saw no git repository has no commit.
func versionLine(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	parts := []string{Version}
	if commit := settings["vcs.revision"]; commit != "" {
		changed := ""
		if settings["vcs.modified"] == "true" {
			changed = " with changes"
		}
		parts = append(parts, fmt.Sprintf("commit %.12s%s of %s", commit, changed, settings["vcs.time"]))
	}
	parts = append(parts, fmt.Sprintf("%s %s/%s", cmp.Or(info.GoVersion, runtime.Version()), runtime.GOOS, runtime.GOARCH))
	return strings.Join(parts, ", ")
}
