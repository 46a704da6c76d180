//go:build !unix

package repo

import "os/exec"

// killWithGroup does nothing: when the context ends, only the process itself is killed.
func killWithGroup(*exec.Cmd) {}

// Owned returns true: git itself checks at each command.
func Owned(string) bool { return true }
