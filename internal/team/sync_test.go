package team_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/team"
)

// keeperVariable names the home of the process that keeps a learning and is watched.
const keeperVariable = "DELIVERY_TEST_KEEPER"

// A learning that is said to be kept is on the disk: its file, and the name of the file.
func TestWhatIsKeptIsOnTheDisk(t *testing.T) {
	if home := os.Getenv(keeperVariable); home != "" {
		p, err := team.ReplicaOf(home, url)
		require.NoError(t, err)
		write(t, p, nil, putting(lesson(1)))
		require.NoError(t, os.WriteFile(filepath.Join(home, "acknowledged"), nil, 0o600))
		return
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	home, p := newPlace(t)
	log := filepath.Join(t.TempDir(), "log")
	cmd := exec.Command(strace, "-f", "-y", "-o", log, "-e", "trace=openat,fsync,rename,renameat,renameat2", os.Args[0], "-test.run", "^TestWhatIsKeptIsOnTheDisk$")
	cmd.Env = append(os.Environ(), keeperVariable+"="+home)
	if out, err := cmd.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "ptrace") {
			t.Skip("processes cannot be watched here: " + string(out))
		}
		require.NoError(t, err, string(out))
	}
	src, err := os.ReadFile(log)
	require.NoError(t, err)
	dir := regexp.QuoteMeta(p.Outbox())
	require.Regexp(t, regexp.MustCompile(`(?s)fsync\(\d+<`+dir+`/\.new-.*rename[^\n]*/\.new-[^\n]*`+dir+`/\d.*fsync\(\d+<`+dir+`>.*fsync\(\d+<`+regexp.QuoteMeta(p.Dir())+`>.*/acknowledged"`), string(src))
}
