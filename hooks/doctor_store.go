package hooks

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"whence/internal/home"
	"whence/internal/knowledge"
	"whence/internal/store"
)

// checkStore reports a store that cannot be read or written.
func (d *doctor) checkStore() {
	dir, err := home.Dir(d.env.Getenv)
	if err != nil {
		d.found("store", "export WHENCE_HOME=FOLDER", "%v", err)
		return
	}
	home := dir
	if place, err := knowledge.PlaceOf(d.project, d.env.Dir, d.env.Getenv); err == nil { // the settings are looked at later
		dir = place.Dir
		if place.Remark != "" {
			d.note("store", "%s", place.Remark)
		}
		d.checkOtherTeams(home, place)
		if place.Team != nil {
			d.checkTeam(place)
			d.note("store", "what follows is the copy of %s on this machine, in which this repository is %s", place.Team.Name(), cmp.Or(place.Project, place.Talk))
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
		d.found("store", fmt.Sprintf("chmod -R u+rwX %s, or export WHENCE_HOME=FOLDER", quoteProgram("", "", dir)), "%s cannot be written, so nothing is remembered: %v", dir, wrong)
		return
	}
	if err != nil {
		d.ok("store", "%s can be written; nothing has been remembered yet", dir)
		return
	}
	d.ok("store", "%s can be read and written", dir)
}

// remedyOf is what mends a store that cannot be opened.
func remedyOf(err error, dir string) string {
	file := quoteProgram("", "", filepath.Join(dir, "memory.db"))
	switch {
	case errors.Is(err, store.ErrNewer):
		return "go install ./... in a newer whence"
	case errors.Is(err, store.ErrForeign):
		return "export WHENCE_HOME=ANOTHER-FOLDER"
	case errors.Is(err, store.ErrDamaged):
		return fmt.Sprintf("mv %s %[1]s.damaged, and put a copy in its place if there is one", file)
	}
	return "look at " + file
}

// writable tries to write into the folder of the store, and to open the store for
// writing, which changes nothing in it. A folder that is not there yet is made of what is
// above it.
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
			return fmt.Errorf("%s is no folder", at)
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
