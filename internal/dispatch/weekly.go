package dispatch

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"whence/internal/config"
)

// weeklyFolder has, below the folder of package home, an empty file for each thing that a repository
// is shown once a week, written when it was last shown.
const weeklyFolder = "weekly"

const (
	week = 7 * 24 * time.Hour
	// maxClaimAge is how long another process may take to give its reply.
	maxClaimAge = time.Minute
)

// OnceAWeek reports whether something was not shown in this repository for a week, and is not being
// shown by another process. Once the reply is given, it counts as shown.
func (r *Request) OnceAWeek(s *Session, what string) bool {
	if r.Trial {
		return false
	}
	dir := filepath.Join(r.Home, weeklyFolder)
	shown := filepath.Join(dir, shortHash(what+"\x00"+config.RepositoryOf(r.Root), 12))
	if r.isYounger(shown, week) {
		return false
	}
	claimed := shown + ".new"
	if info, err := os.Lstat(claimed); err == nil && r.Now.Sub(info.ModTime()) >= maxClaimAge { // of a process that was killed
		_ = os.Remove(claimed)
	}
	if os.MkdirAll(dir, 0o700) != nil {
		return false
	}
	file, err := os.OpenFile(claimed, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil || file.Close() != nil {
		return false
	}
	if r.isYounger(shown, week) { // meanwhile
		_ = os.Remove(claimed)
		return false
	}
	s.After(func(context.Context) error {
		r.Later(func(context.Context) { // if killed before, it is shown again
			r.removeOlder(dir, week)
			_ = os.Rename(claimed, shown)
		})
		return nil
	})
	return true
}

// isYounger reports whether there is a file that was written less than a time ago.
func (r *Request) isYounger(name string, age time.Duration) bool {
	info, err := os.Lstat(name)
	return err == nil && r.Now.Sub(info.ModTime()) < age
}

// removeOlder removes the files of a folder that were written longer ago.
func (r *Request) removeOlder(dir string, age time.Duration) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if name := filepath.Join(dir, e.Name()); !r.isYounger(name, age) {
			_ = os.Remove(name)
		}
	}
}
