package cli

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program built in a clone names the commit, and whether the clone had changes.
func TestVersionNamesTheCommit(t *testing.T) {
	for modified, want := range map[string]string{
		"false": "commit 0123456789ab",
		"true":  "changed since commit 0123456789ab",
	} {
		got := versionLine(&debug.BuildInfo{GoVersion: "go1.99", Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"},
			{Key: "vcs.modified", Value: modified},
		}})
		require.Equal(t, Version+", "+want+", go1.99 "+runtime.GOOS+"/"+runtime.GOARCH, got)
	}
}
