package worktree_test

import (
	"bytes"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// contents returns two texts of about one megabyte with different lengths and no common line, so that a mixture is
// detected.
func contents() [2][]byte {
	return [2][]byte{
		[]byte(strings.Repeat("one\n", 1<<18)),
		[]byte(strings.Repeat("another\n", 1<<17+1)),
	}
}

// swapForever keeps replacing each of the contents with the other, and reports when it has begun.
func swapForever(name string) error {
	texts := contents()
	base, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	from := 0
	if bytes.Equal(base, texts[1]) {
		from = 1
	}
	for ; ; from = 1 - from {
		if err := replace(name, texts[from], texts[1-from]); err != nil {
			return err
		}
		if _, err := os.Stdout.Write([]byte{'.'}); err != nil {
			return err
		}
	}
}

func TestAKilledWriterLeavesOneOfTheTextsWhole(t *testing.T) {
	const kills = 40
	isolate(t)
	texts := contents()
	name := file(t, string(texts[0]))
	seed := time.Now().UnixNano()
	t.Log("seed", seed)
	random := rand.New(rand.NewSource(seed))
	// Repeat until a kill has come in the middle of a Replace and left its temporary
	// file: otherwise the test proves nothing.
	interrupted := false
	for done := 0; done < kills || !interrupted && done < 10*kills; done++ {
		killAfter(t, repotest.NewJob("swap", name), time.Duration(random.Intn(20_000))*time.Microsecond)
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, bytes.Equal(got, texts[0]) || bytes.Equal(got, texts[1]), "torn: %d bytes", len(got))
		interrupted = len(names(t, filepath.Dir(name))) > 1
	}
	require.True(t, interrupted)

	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, replace(name, got, []byte("new")))
	if runtime.GOOS != "windows" { // where folders cannot be locked, a young temporary file may be in use
		requireAlone(t, name, "new")
	}
}

// killAfter runs a writer and kills it some time after its first write.
func killAfter(t *testing.T, cmd *exec.Cmd, delay time.Duration) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.ReadFull(stdout, make([]byte, 1))
	if err != nil {
		_ = cmd.Wait()
	}
	require.NoError(t, err, "the writer wrote nothing: %s", &stderr)
	kill := time.AfterFunc(delay, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	_, _ = io.Copy(io.Discard, stdout)
	_ = cmd.Wait()
	require.Empty(t, stderr.String(), "the writer failed before it was killed")
}
