//go:build !linux

package e2e

import (
	"syscall"
	"testing"
)

// offline does nothing: only Linux has networks of processes.
func offline(*testing.T) *syscall.SysProcAttr { return nil }

func loopback() error { return nil }
