package capture

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
)

// Source is a transcript that is open for reading.
type Source interface {
	// Read is transcript.Read.
	Read(from transcript.Cursor, take func(transcript.Record) error) (transcript.Cursor, transcript.Start, error)
	// Agent returns the agent that has written the transcript.
	Agent() agent.Client
	// Unread returns about how many bytes follow a cursor.
	Unread(from transcript.Cursor) (int64, error)
	// Written returns when the transcript was last written to.
	Written() time.Time
	// Unchanged reports whether all that was read is still as it was.
	Unchanged() (bool, error)
	Close() error
}

// transcriptExtension ends the names of transcripts of lines.
const transcriptExtension = ".jsonl"

// sessionMark follows the path of a database in the name of a transcript, before the id of the session.
const sessionMark = "#"

// TranscriptName returns the name of the transcript of a session that an agent records in a file: its path, for
// a database with the session.
func TranscriptName(path, session string) string {
	if path == "" || !strings.HasSuffix(path, ".db") {
		return path
	}
	return path + sessionMark + session
}

// OpenTranscript opens a transcript by its name. It returns nil if there is none.
func OpenTranscript(ctx context.Context, name string) (Source, error) {
	if path, session, is := strings.Cut(name, ".db"+sessionMark); is {
		return openDatabase(ctx, path+".db", session)
	}
	info, err := os.Stat(name)
	if name == "" || errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) { // it was removed meanwhile
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &textFile{File: file, info: info, seen: transcript.Watch(file)}, nil
}

// textFile is a transcript of lines.
type textFile struct {
	*os.File
	info fs.FileInfo // when it was opened
	seen *transcript.Watched
}

func (f *textFile) Read(from transcript.Cursor, take func(transcript.Record) error) (transcript.Cursor, transcript.Start, error) {
	return transcript.Read(f.seen, f.info.Size(), from, take)
}

func (f *textFile) Agent() agent.Client { return transcript.AgentOf(f.File, f.info.Size()) }

func (f *textFile) Unread(from transcript.Cursor) (int64, error) {
	if f.info.Size() < from.Offset { // it was rewritten
		return f.info.Size(), nil
	}
	return f.info.Size() - from.Offset, nil
}

func (f *textFile) Written() time.Time { return f.info.ModTime() }

func (f *textFile) Unchanged() (bool, error) {
	now, err := f.Stat()
	if err != nil || now.Size() == f.info.Size() && now.ModTime().Equal(f.info.ModTime()) {
		return err == nil, err
	}
	return f.seen.Unchanged(), nil
}
