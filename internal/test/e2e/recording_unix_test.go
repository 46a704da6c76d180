//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// The terminal in docs/recording.svg shows what the programs print.
func TestRecording(t *testing.T) {
	root := repotest.Root(t)
	recorded, err := os.ReadFile(filepath.Join(root, "docs", "recording.svg"))
	require.NoError(t, err)
	cmd := exec.Command(filepath.Join(root, ".ci", "recording"), installed(t))
	cmd.Stderr = os.Stderr
	printed, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, string(recorded), string(printed), "make recording writes it anew")
}
