package pgtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"whence/internal/test/repotest"
)

// programs returns the folder of initdb and postgres: the newest of Debian's, else that of
// pg_config, else one of the PATH.
func programs() (folder string, err error) {
	candidates, _ := filepath.Glob("/usr/lib/postgresql/[1-9][0-9]/bin")
	for i := len(candidates) - 1; i >= 0; i-- {
		if isFile(filepath.Join(candidates[i], "postgres")) {
			return candidates[i], nil
		}
	}
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		if folder := string(out[:max(0, len(out)-1)]); isFile(filepath.Join(folder, "postgres")) {
			return folder, nil
		}
	}
	if postgres, err := exec.LookPath("postgres"); err == nil {
		return filepath.Dir(postgres), nil
	}
	return "", errors.New("no folder with initdb and postgres: the PostgreSQL server is not installed")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Require skips a test if a server cannot be started, or fails it if $WHENCE_REQUIRE names
// "postgres".
func Require(t testing.TB) {
	t.Helper()
	_, err := programs()
	if err == nil {
		err = startable()
	}
	if err != nil {
		repotest.Missing(t, "postgres", err.Error())
	}
}
