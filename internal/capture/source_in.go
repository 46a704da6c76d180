package capture

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"
)

// TranscriptFile is a transcript that was found.
type TranscriptFile struct {
	Name    string // for OpenTranscript
	Written time.Time
}

// TranscriptsIn returns all transcripts in a folder and below, or in OpenCode's database, in no order. Links are not
// followed. A folder that does not exist has none. What cannot be read is skipped, with the reason.
func TranscriptsIn(ctx context.Context, folder string) (all []TranscriptFile, skipped []error) {
	skip := func(err error) {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			skipped = append(skipped, err)
		}
	}
	skip(filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			skip(err)
			return nil
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		switch filepath.Ext(path) {
		case transcriptExtension:
			if info, err := entry.Info(); err == nil { // else it was deleted meanwhile
				all = append(all, TranscriptFile{path, info.ModTime()})
			}
		case ".db":
			sessions, err := sessionsIn(ctx, path)
			skip(err)
			all = append(all, sessions...)
		}
		return nil
	}))
	return all, skipped
}
