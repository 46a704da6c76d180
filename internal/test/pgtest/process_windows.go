package pgtest

import (
	"errors"
	"os"
	"os/exec"
)

func startable() error {
	return errors.New("private servers are started on unix only")
}

func newFolder() (string, error) { return "", startable() }

func asOwner(*exec.Cmd, string) error { return startable() }

func newCaretaker(string) *exec.Cmd { return nil }

func quit(server *os.Process) error   { return server.Kill() }
func finish(server *os.Process) error { return server.Kill() }

func killAll(int) error { return startable() }
