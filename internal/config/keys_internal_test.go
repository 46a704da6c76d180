package config

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each key is explained where users look for it: in docs/settings.md and, if it needs permission, in what
// "memory-hooks allow" prints.
func TestKeysAreExplained(t *testing.T) {
	read := func(name string) string {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		return string(src)
	}
	settings, meanings := read("../../docs/settings.md"), read("../../hooks/settings_hook.go")
	for _, k := range keys {
		name := regexp.QuoteMeta(strings.TrimPrefix(k.name, "validate."))
		require.Regexp(t, `(?m)^ *`+name+`: `, settings)
		if k.asksMore != nil {
			require.Regexp(t, `(?m)^\| .*`+"`"+name+"`", settings)
			require.Regexp(t, `(?m)^\t"`+name+`": +"\w+`, meanings)
		}
	}
}
