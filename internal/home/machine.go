package home

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"whence/internal/files"
)

// machineName is the file that holds the name of this machine.
const machineName = "machine"

// machineBytes is the number of random bytes in a name.
const machineBytes = 8

// Machine returns a unique name of this machine, in digits and letters. It is made once and
// stored in a file of the folder. If that file cannot be written or is not valid, Machine returns
// the host name, which containers, runners and machines made from one image may share.
func Machine(dir string) string {
	if dir != "" {
		name := filepath.Join(dir, machineName)
		if id := readMachine(name); id != "" {
			return id
		}
		if makeMachine(dir, name) == nil {
			if id := readMachine(name); id != "" {
				return id
			}
		}
	}
	if host, err := os.Hostname(); err == nil {
		return host
	}
	return "unknown"
}

// readMachine returns the name in a file, "" if it is missing or damaged.
func readMachine(name string) string {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > 4*machineBytes {
		return ""
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	id := strings.TrimSpace(string(src))
	if raw, err := hex.DecodeString(id); err != nil || len(raw) != machineBytes {
		return ""
	}
	return id
}

// makeMachine writes the file whole or not at all. Of several processes, the first one wins.
func makeMachine(dir, name string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var raw [machineBytes]byte
	_, _ = rand.Read(raw[:]) // never fails
	err := files.CreatePrivate(name, []byte(hex.EncodeToString(raw[:])+"\n"))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
