package hooks

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"whence/internal/home"
	"whence/internal/store"
	"whence/internal/team"
)

// checkStore reports a store that cannot be read or written.
func (d *doctor) checkStore() {
	dir, err := home.Dir(d.env.Getenv)
	if err != nil {
		d.found("store", "export WHENCE_HOME=/a/folder/of/yours", "%v", err)
		return
	}
	home := dir
	if place, err := team.ScopeOf(d.project, d.env.Dir, d.env.Getenv); err == nil { // the settings are looked at later
		dir = place.Dir
		if place.Remark != "" {
			d.note("store", "%s", place.Remark)
		}
		d.checkOtherTeams(home, place)
		if place.Replica != nil {
			d.checkTeam(place)
			d.note("store", "the next lines are about this machine's copy of %s, in which this repository is %s", place.Replica.Name(), cmp.Or(place.Project, place.Turns))
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
	if wrong := writable(dir); wrong != nil {
		d.found("store", fmt.Sprintf("chmod -R u+rwX %s", quoteProgram("", "", dir)), "%s cannot be written, so nothing is stored: %v", dir, wrong)
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
	file := quoteProgram("", "", filepath.Join(dir, "memory.db"))
	switch {
	case errors.Is(err, store.ErrNewer):
		return "git pull && make install   # in your clone of whence"
	case errors.Is(err, store.ErrForeign):
		return "export WHENCE_HOME=\"$HOME/.whence\""
	case errors.Is(err, store.ErrDamaged):
		return fmt.Sprintf("mv %s %[1]s.damaged", file)
	}
	return "ls -l " + file
}

// writable tries to write into the folder of the store, and to open the store for writing,
// which changes nothing in it. For a folder that does not exist it tries the one above.
func writable(dir string) error {
	name := filepath.Join(dir, "memory.db")
	if file, err := os.OpenFile(name, os.O_RDWR, 0); err == nil {
		err = file.Close()
		if err != nil {
			return err
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	at := dir
	for {
		info, err := os.Stat(at)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is not a folder", at)
		}
		if err == nil || filepath.Dir(at) == at {
			break
		}
		at = filepath.Dir(at)
	}
	temp, err := os.CreateTemp(at, ".whence-doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(temp.Close(), os.Remove(temp.Name()))
}
