package capture

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
)

// Source is a transcript that is open for reading.
type Source interface {
	// Read reads records like transcript.Read.
	Read(from transcript.Cursor, take func(transcript.Record) error) (at transcript.Cursor, anew bool, err error)
	// Agent returns the agent that wrote the transcript.
	Agent() agent.Client
	// Unread returns the approximate number of bytes after a cursor.
	Unread(from transcript.Cursor) (int64, error)
	// Written returns when the transcript was last written to.
	Written() time.Time
	Close() error
}

// transcriptExtension is the extension of transcripts in JSON Lines.
const transcriptExtension = ".jsonl"

// sessionMark separates the path of a database from the id of the session in the name of a transcript.
const sessionMark = "#"

// transcriptName returns the name of a session's transcript: the path of its file, with the session if that is a
// database.
func transcriptName(path, session string) string {
	if path == "" || !strings.HasSuffix(path, ".db") {
		return path
	}
	return path + sessionMark + session
}

// OpenTranscript opens a transcript by its name. It returns nil if there is none.
func OpenTranscript(ctx context.Context, name string) (Source, error) {
	path, session, info, err := fileOf(name)
	if info == nil {
		return nil, err
	}
	if path != name {
		return openDatabase(ctx, path, session)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &textFile{file, info}, nil
}

// endOf returns the end of a transcript, as a place in the sense of transcript.Record: what has been written is before
// it, what is written next is at or after it. It is 0 if there is no transcript yet.
func endOf(ctx context.Context, name string) (int64, error) {
	path, session, info, err := fileOf(name)
	if info == nil {
		return 0, err
	}
	if path == name {
		return info.Size(), nil
	}
	return databaseEnd(ctx, path, session)
}

// fileOf returns the file that contains a transcript, and the session if the file is a database; info is nil if there
// is no such file.
func fileOf(name string) (path, session string, info fs.FileInfo, err error) {
	path = name
	if at := strings.LastIndex(name, ".db"+sessionMark); at > strings.LastIndexAny(name, `/\`) {
		path, session = name[:at+len(".db")], name[at+len(".db"+sessionMark):]
	}
	info, err = os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil || info == nil || !info.Mode().IsRegular() {
		return path, session, nil, err
	}
	return path, session, info, nil
}

// textFile is a transcript in JSON Lines.
type textFile struct {
	*os.File
	info fs.FileInfo // when it was opened
}

func (f *textFile) Read(from transcript.Cursor, take func(transcript.Record) error) (at transcript.Cursor, anew bool, err error) {
	return transcript.Read(f.File, f.info.Size(), from, take)
}

func (f *textFile) Agent() agent.Client { return transcript.AgentOf(f.File, f.info.Size()) }

func (f *textFile) Unread(from transcript.Cursor) (int64, error) {
	if f.info.Size() < from.Offset { // it was rewritten
		return f.info.Size(), nil
	}
	return f.info.Size() - from.Offset, nil
}

func (f *textFile) Written() time.Time { return f.info.ModTime() }

// TranscriptFile is a transcript that was found.
type TranscriptFile struct {
	Name    string // for OpenTranscript
	Written time.Time
}

// TranscriptsIn returns all transcripts in and below a folder, also those in OpenCode's database, in no particular
// order. Links are not followed. A folder that does not exist has none. What cannot be read is skipped; skipped holds
// the reasons.
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
			if info, err := entry.Info(); err == nil { // else it has just been deleted
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
