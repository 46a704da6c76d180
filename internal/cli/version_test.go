package cli_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
)

func TestVersion(t *testing.T) {
	want := "demo version " + cli.Version + ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	for _, flag := range []string{"--version", "-v"} {
		require.Equal(t, result{cli.OK, want, ""}, run(errors.New("the action must not run"), flag))
	}
}
