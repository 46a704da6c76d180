package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
)

func TestFormat(t *testing.T) {
	require.NoError(t, cli.Format("text", "text", "json"))
	require.NoError(t, cli.Format("sarif", "text", "json", "sarif"))
	require.EqualError(t, cli.Format("sarif", "text", "json"), `unknown --format "sarif": use text or json`)
	require.EqualError(t, cli.Format("", "text", "json", "sarif"), `unknown --format "": use one of text, json, sarif`)
	var usage *cli.UsageError
	require.ErrorAs(t, cli.Format("JSON", "text", "json"), &usage)
}
