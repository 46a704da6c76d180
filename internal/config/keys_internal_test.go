package config

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each key is explained in docs/settings.md.
func TestKeysAreExplained(t *testing.T) {
	src, err := os.ReadFile("../../docs/settings.md")
	require.NoError(t, err)
	settings := string(src)
	for _, k := range keys {
		name := regexp.QuoteMeta(strings.TrimPrefix(k.name, "validate."))
		require.Regexp(t, `(?m)^ *`+name+`: `, settings)
		if k.asksMore != nil {
			require.Regexp(t, `(?m)^\| .*`+"`"+name+"`", settings)
		}
	}
}
