package pgtest

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whence/internal/test/repotest"
)

// programs returns the folder of initdb and postgres: Debian's newest, or that of
// pg_config, or that on the PATH.
func programs() (folder string, err error) {
	folders, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	slices.SortFunc(folders, func(a, b string) int { return cmp.Compare(major(b), major(a)) })
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		folders = append(folders, strings.TrimSpace(string(out)))
	}
	if initdb, err := exec.LookPath("initdb"); err == nil {
		folders = append(folders, filepath.Dir(initdb))
	}
	for _, folder := range folders {
		if isProgram(filepath.Join(folder, "initdb")) && isProgram(filepath.Join(folder, "postgres")) {
			return folder, nil
		}
	}
	return "", errors.New("no folder with initdb and postgres: the PostgreSQL server is not installed")
}

// major is the version in the name of a folder of Debian's.
func major(bin string) int {
	n, err := strconv.Atoi(filepath.Base(filepath.Dir(bin)))
	if err != nil {
		return 0
	}
	return n
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Require skips a test where a server cannot be started, or fails it if $WHENCE_REQUIRE
// names "postgres".
func Require(t testing.TB) {
	t.Helper()
	if _, err := programs(); err != nil {
		repotest.Missing(t, "postgres", err.Error())
	}
	if err := startable(); err != nil {
		repotest.Missing(t, "postgres", err.Error())
	}
}

// HasVector reports whether the extension vector can be created.
func (s *Server) HasVector(t testing.TB) bool {
	t.Helper()
	var has bool
	err := s.super(t).QueryRow(`select exists (select from pg_available_extensions where name = 'vector')`).Scan(&has)
	if err != nil {
		t.Fatalf("ask for the extension vector: %v", err)
	}
	return has
}

// RequireVector skips a test where the extension vector is not installed, or fails it if
// $WHENCE_REQUIRE names "postgres".
func (s *Server) RequireVector(t testing.TB) {
	t.Helper()
	if !s.HasVector(t) {
		repotest.Missing(t, "postgres", "the extension vector is not installed")
	}
}
