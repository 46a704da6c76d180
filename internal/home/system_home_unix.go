//go:build unix && !darwin

package home

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// findSystemHome returns the home folder that /etc/passwd names; "" if the user is not in it, as on machines with
// a directory service. Package os/user would then trust the environment.
func findSystemHome() string {
	src, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return ""
	}
	id := strconv.Itoa(os.Getuid())
	for line := range strings.Lines(string(src)) {
		if fields := strings.Split(line, ":"); len(fields) == 7 && fields[2] == id && filepath.IsAbs(fields[5]) {
			return filepath.Clean(fields[5])
		}
	}
	return ""
}
