package transcripts

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"
)

// File is a transcript that was found.
type File struct {
	Name    string // for Open
	Bytes   int64  // 0 in a database
	Written time.Time
}

// In returns all transcripts in a folder and below, or in OpenCode's database, in no order. Links are not
// followed. A folder that does not exist has none. What cannot be read is skipped, with the reason.
func In(ctx context.Context, folder string) (all []File, skipped []error) {
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
		case extension:
			if info, err := entry.Info(); err == nil { // else it was deleted meanwhile
				all = append(all, File{path, info.Size(), info.ModTime()})
			}
		case ".db":
			sessions, err := sessionsIn(ctx, path, time.Time{})
			skip(err)
			all = append(all, sessions...)
		}
		return nil
	}))
	return all, skipped
}
