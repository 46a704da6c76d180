//go:build unix

package repo

import (
	"os"
	"strconv"
	"syscall"
)

// owned reports whether a file belongs to the user, by the rules of git: root also owns the files
// of the user who ran sudo. It does not follow links.
func owned(path string, getenv func(string) string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	user := os.Geteuid()
	if user == 0 && stat.Uid != 0 {
		if sudo, err := strconv.Atoi(getenv("SUDO_UID")); err == nil {
			user = sudo
		}
	}
	return int64(stat.Uid) == int64(user)
}
