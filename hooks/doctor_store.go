package hooks

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/store"
	"whence/internal/team"
)

// checkStore reports a store that cannot be read or written.
func (d *doctor) checkStore() {
	dir, err := d.env.Home()
	if err != nil {
		d.homeless = err
		remedy := "export WHENCE_HOME=/a/folder/of/yours"
		if unclaimed := (*home.UnclaimedError)(nil); errors.As(err, &unclaimed) {
			remedy = "memory-remember list"
		}
		d.found("store", remedy, "nothing is stored: %v", err)
		return
	}
	d.home = dir
	if scope, err := team.ScopeOf(d.project, d.env.Dir, d.env.Getenv); err == nil { // checkProject reports the error
		dir = scope.Dir
		if scope.Remark != "" {
			d.note("store", "%s", scope.Remark)
		}
		d.checkOtherTeams(scope)
		if scope.Replica != nil {
			d.checkTeam(scope)
			d.note("store", "the next lines are about this machine's copy of %s, in which this repository is %s", scope.Replica.Name(), cmp.Or(scope.Project, scope.Turns))
		}
	}
	s, err := store.OpenReadOnly(d.Context, dir)
	switch {
	case errors.Is(err, store.ErrNone):
	case err != nil:
		d.found("store", remedyOf(err, dir), "%v", err)
		return
	default:
		if err := s.Close(); err != nil {
			d.found("store", "run "+programName+" doctor again", "%v", err)
		}
	}
	if wrong := checkWritable(dir); wrong != nil {
		d.found("store", fmt.Sprintf("chmod -R u+rwX %s", cli.Word(dir)), "%s cannot be written, so nothing is stored: %v", dir, wrong)
		return
	}
	if err != nil {
		d.ok("store", "%s can be written; it is empty", dir)
		return
	}
	d.ok("store", "%s can be read and written", dir)
}

// remedyOf returns the command that fixes a store that cannot be opened.
func remedyOf(err error, dir string) string {
	file := cli.Word(filepath.Join(dir, "memory.db"))
	switch {
	case errors.Is(err, store.ErrNewer):
		return "git pull && make install   # in a clone of whence; or install the new version as you did this one"
	case errors.Is(err, store.ErrForeign):
		return "export WHENCE_HOME=\"$HOME/.whence\""
	case errors.Is(err, store.ErrDamaged):
		return fmt.Sprintf("mv %s %[1]s.damaged", file)
	}
	return "ls -l " + file
}

// checkWritable tries to open the store for writing, and to write into its folder, which changes
// nothing. For a folder that does not exist it tries the one above.
func checkWritable(dir string) error {
	file, err := os.OpenFile(filepath.Join(dir, "memory.db"), os.O_RDWR, 0)
	if err == nil {
		err = file.Close()
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is not a folder", dir)
		}
		if err == nil || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	temp, err := os.CreateTemp(dir, ".whence-doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(temp.Close(), os.Remove(temp.Name()))
}
