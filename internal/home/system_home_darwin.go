package home

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

// findSystemHome returns the home folder that the system's user database names, whatever the
// environment says; "" if it does not know the user.
func findSystemHome() string {
	u, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if err != nil || !filepath.IsAbs(u.HomeDir) {
		return ""
	}
	return filepath.Clean(u.HomeDir)
}
