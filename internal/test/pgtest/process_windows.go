package pgtest

import (
	"errors"
	"os/exec"
)

func startable() error { return errors.New("private servers run on unix only") }

func newCaretaker() (*exec.Cmd, string, error) { return nil, "", startable() }
