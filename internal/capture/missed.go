package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"whence/internal/store"
)

// An event under off that cannot be recorded, for example because another process keeps the store locked, leaves a line
// in a file beside the store. The next event or worker records it.
const (
	missedName  = "off.jsonl"
	missedTaken = missedName + ".taken" // lines that are being recorded
)

// sighting holds what an event says about a transcript.
type sighting struct {
	Of     store.Transcript
	Dir    string // of the agent
	Folder string // whose settings decide
	Place  int64
	At     time.Time
	Kind   eventKind
}

// leaveMissed appends events under off to the file, in a single write.
func leaveMissed(home string, all []sighting) error {
	var lines []byte
	for _, s := range all {
		line, err := json.Marshal(s)
		if err != nil {
			return err
		}
		lines = append(append(lines, line...), '\n')
	}
	file, err := os.OpenFile(filepath.Join(home, missedName), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(lines)
	return errors.Join(err, file.Close())
}

// recordMissed records the events in the file, and reports whether there were any. Several processes may call it at
// once: recording an event again changes nothing.
func recordMissed(ctx context.Context, s *store.Store, home string) (found bool, err error) {
	taken := filepath.Join(home, missedTaken)
	for range 2 { // lines that a killed process has taken come first
		src, err := os.ReadFile(taken)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return found, err
		}
		found = found || err == nil
		for line := range bytes.Lines(src) {
			var m sighting
			if json.Unmarshal(line, &m) != nil { // cut off on a full disk
				continue
			}
			err := s.Register(ctx, m.Of, func(stored []byte) []byte {
				w := watchOf(stored)
				w.seeIn(m.Dir, m.Folder, false, m.Place, m.At, m.Kind)
				return w.stored()
			})
			if err != nil {
				return found, err
			}
		}
		if err := os.Remove(taken); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return found, err
		}
		if err := os.Rename(filepath.Join(home, missedName), taken); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return found, nil
			}
			return found, err
		}
	}
	return true, nil // more has come meanwhile
}
