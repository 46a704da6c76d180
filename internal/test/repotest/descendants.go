package repotest

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"
)

// Descendants lets a test wait for processes that outlive the programs which it runs, such as
// workers: they inherit a pipe, and all have ended when it ends. At the end of the test they
// are waited for, so that none writes into folders that are removed. On Windows none inherits
// it, and nothing is waited for.
type Descendants struct {
	t           testing.TB
	read, write *os.File
}

// NewDescendants is for the programs of a test. Folders that these use are made before it.
func NewDescendants(t testing.TB) *Descendants {
	t.Helper()
	d := &Descendants{t: t}
	d.begin()
	t.Cleanup(d.end)
	return d
}

func (d *Descendants) begin() {
	var err error
	if d.read, d.write, err = os.Pipe(); err != nil {
		d.t.Fatal(err)
	}
}

// Of has those of a program, which has not been started yet, be among them.
func (d *Descendants) Of(cmd *exec.Cmd) {
	if runtime.GOOS != "windows" {
		cmd.ExtraFiles = append(cmd.ExtraFiles, d.write)
	}
}

// Wait waits until all have ended.
func (d *Descendants) Wait() {
	d.t.Helper()
	d.end()
	d.begin()
}

func (d *Descendants) end() {
	d.write.Close()
	if _, err := io.Copy(io.Discard, d.read); err != nil {
		d.t.Error(err)
	}
	d.read.Close()
}
