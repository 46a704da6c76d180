//go:build unix

package pgtest_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// The test binary also runs this test in a process that ends as the variable says.
const endVariable = "PGTEST_TEST_END"

func TestEnding(t *testing.T) {
	how := os.Getenv(endVariable)
	if how == "" {
		t.Skip("this is what TestNothingIsLeft starts")
	}
	s := pgtest.Start(t)
	s.Database(t, "left")
	pid, err := os.ReadFile(filepath.Join(s.Folder(), "data", "postmaster.pid"))
	require.NoError(t, err)
	first, _, _ := strings.Cut(string(pid), "\n")
	fmt.Println("server", first, s.Folder())
	fmt.Println("now")
	if how == "killed" {
		select {}
	}
}

// gone reports whether a process has ended, whether or not its parent has taken notice.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestNothingIsLeft(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about processes")
	}
	pgtest.Require(t)
	for how, wait := range map[string]bool{"as usual": false, "killed": true} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^TestEnding$")
			cmd.Env = append(os.Environ(), endVariable+"="+how)
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			servers := map[int]string{}
			var said strings.Builder
			for lines := bufio.NewScanner(out); lines.Scan(); {
				fmt.Fprintln(&said, lines.Text())
				if fields := strings.Fields(lines.Text()); len(fields) == 3 && fields[0] == "server" {
					pid, err := strconv.Atoi(fields[1])
					require.NoError(t, err)
					servers[pid] = fields[2]
				}
				if how == "killed" && lines.Text() == "now" {
					require.NoError(t, cmd.Process.Kill())
				}
			}
			err = cmd.Wait()
			require.Len(t, servers, 1, said.String())
			require.Equal(t, how == "as usual", err == nil, said.String())
			for pid, folder := range servers {
				ended := func() bool {
					_, err := os.Stat(folder)
					return gone(pid) && errors.Is(err, fs.ErrNotExist)
				}
				if wait {
					require.Eventually(t, ended, 5*time.Minute, 5*time.Millisecond, "server %d in %s", pid, folder)
				} else {
					require.True(t, ended(), "server %d in %s", pid, folder)
				}
			}
		})
	}
}
