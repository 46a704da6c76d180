//go:build !unix

package repo

import "os/exec"

// killWithGroup leaves a command as it is: the process alone is killed when its context ends.
func killWithGroup(*exec.Cmd) {}

// Owned returns true: git checks at each command.
func Owned(string) bool { return true }
