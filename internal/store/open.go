package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// BusyTimeout is how long a write waits for other processes, unless [WithMaxWait] says otherwise.
const BusyTimeout = 20 * time.Second

type maxWaitKey struct{}

// WithMaxWait limits how long stores opened with the context wait for other processes. Cancelling the
// context does not end that wait.
func WithMaxWait(ctx context.Context, maxWait time.Duration) context.Context {
	return context.WithValue(ctx, maxWaitKey{}, maxWait)
}

// ForEvent is WithMaxWait for agent events: decisions must not wait for a store that another program has locked
// entirely. Programs of whence never lock it so.
func ForEvent(ctx context.Context) context.Context { return WithMaxWait(ctx, 200*time.Millisecond) }

// Errors of Open and OpenReadOnly.
var (
	ErrNone    = errors.New("nothing has been remembered yet")
	ErrNewer   = errors.New("it was written by a newer version: update whence")
	ErrOlder   = errors.New("it was written by an older version: move it away")
	ErrForeign = errors.New("it is the database of another program: set WHENCE_HOME to another folder")
	ErrDamaged = errors.New("it is not a database, or damaged: move it away, or put back a copy")
)

const (
	fileName      = "memory.db"
	applicationID = 0x77686e63 // "whnc"
	schemaVersion = 7
)

//go:embed schema.sql
var schema string

// Store is an open database. It may be used by several goroutines.
type Store struct {
	db   *sql.DB
	conn conn // to db, outside of a transaction
	name string
}

// Open opens the store in a folder for reading and writing. It creates the folder and the file if they
// do not exist.
func Open(ctx context.Context, dir string) (*Store, error) {
	name := filepath.Join(dir, fileName)
	if err := makeFile(name); err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	return open(ctx, name)
}

// OpenExisting opens the store in a folder for reading and writing. If there is none, it creates
// nothing and returns [ErrNone].
func OpenExisting(ctx context.Context, dir string) (*Store, error) {
	if !Exists(dir) {
		return nil, ErrNone
	}
	return open(ctx, filepath.Join(dir, fileName))
}

// Exists reports whether there is a store in a folder.
func Exists(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, fileName))
	return !errors.Is(err, fs.ErrNotExist) && (err != nil || info.Size() > 0)
}

// OpenReadOnly opens the store in a folder for reading. It writes nothing, so it works on a read-only
// disk. If there is no store, it returns [ErrNone].
func OpenReadOnly(ctx context.Context, dir string) (*Store, error) {
	if !Exists(dir) {
		return nil, ErrNone
	}
	name := filepath.Join(dir, fileName)
	query := url.Values{"mode": {"ro"}, "_pragma": {busyPragma(ctx), "query_only(ON)", "temp_store(MEMORY)"}}
	for {
		s, err := connect(name, query)
		if err != nil {
			return nil, err
		}
		if err = s.conn.checkSchema(ctx); err == nil {
			return s, nil
		}
		err = errors.Join(s.explain(err), s.db.Close())
		if query.Has("immutable") || !isCode(err, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY) {
			return nil, err
		}
		query.Set("immutable", "1") // the log of recent writes can be neither read nor created: read the file alone
	}
}

// Close closes the store. If no other process has it open, all acknowledged writes are then on the disk.
func (s *Store) Close() error { return s.db.Close() }

// open opens an existing file, and creates the schema if the file is empty.
func open(ctx context.Context, name string) (*Store, error) {
	// busy_timeout comes first: otherwise the first open by several processes fails. Transactions are
	// immediate: one that reads before it writes would fail if another process wrote in between.
	s, err := connect(name, url.Values{"_txlock": {"immediate"}, "_pragma": {
		busyPragma(ctx), "synchronous(NORMAL)", "foreign_keys(ON)", "secure_delete(ON)", "temp_store(MEMORY)",
	}})
	if err != nil {
		return nil, err
	}
	err = s.prepare(ctx)
	if err == nil {
		err = makePrivate(name)
	}
	if err != nil {
		return nil, errors.Join(s.explain(err), s.db.Close())
	}
	return s, nil
}

func busyPragma(ctx context.Context) string {
	maxWait, limited := ctx.Value(maxWaitKey{}).(time.Duration)
	if !limited {
		maxWait = BusyTimeout
	}
	return fmt.Sprintf("busy_timeout(%d)", maxWait.Milliseconds())
}

func connect(name string, query url.Values) (*Store, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder, and should be a file: move it away", name)
	} else if err == nil && info.Size() > 0 && info.Size() < minDatabaseBytes {
		return nil, fmt.Errorf("the store %s cannot be used: %w", name, ErrDamaged)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(name), RawQuery: query.Encode()}
	if filepath.VolumeName(name) != "" {
		address.Path = "/" + address.Path // file:///C:/…
	}
	connector, err := driver.NewConnector(address.String())
	if err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	return &Store{db, conn{db}, name}, nil
}

// minDatabaseBytes is the size of the smallest database. SQLite treats a smaller file as empty, and
// overwrites it.
const minDatabaseBytes = 512

// makeFile creates an empty database file and its folder, unless they exist. SQLite gives its other
// files the same mode.
func makeFile(name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	if _, err := os.Lstat(name); err == nil { // closing a descriptor of a database would drop its locks (POSIX)
		return nil
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// makePrivate removes the permissions of everyone except the owner.
func makePrivate(name string) error {
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" {
		return err
	}
	return os.Chmod(name, 0o600)
}

// prepare checks the schema, and creates it in an empty file.
func (s *Store) prepare(ctx context.Context) error {
	err := s.conn.checkSchema(ctx)
	empty := errors.Is(err, errEmpty)
	if err != nil && !empty {
		return err
	}
	if err := s.setWAL(ctx); err != nil || !empty {
		return err
	}
	return s.write(ctx, func(tx conn) error {
		if err := tx.checkSchema(ctx); !errors.Is(err, errEmpty) { // another process was faster
			return err
		}
		header := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, schemaVersion)
		return tx.exec(ctx, schema+header, nil)
	})
}

// setWAL sets WAL mode, in which readers and writers do not wait for each other. If several processes
// set it at the same time, SQLite fails immediately in all but one, whatever the busy timeout.
func (s *Store) setWAL(ctx context.Context) error {
	for start := time.Now(); ; {
		var mode string
		err := s.db.QueryRowContext(ctx, `PRAGMA journal_mode = WAL`).Scan(&mode)
		if !isCode(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) || time.Since(start) > BusyTimeout {
			return err
		}
		time.Sleep(2 * time.Millisecond)
	}
}

var errEmpty = errors.New("the database has no tables")

// checkSchema returns an error unless the file has the schema of this version.
func (c conn) checkSchema(ctx context.Context) error {
	var id, version, tables int
	_, err := c.get(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`, nil, &id, &version, &tables)
	switch {
	case err != nil:
		return err
	case id == applicationID && version == schemaVersion:
		return nil
	case id == applicationID && version > schemaVersion:
		return ErrNewer
	case id == applicationID && version > 0:
		return ErrOlder
	case id == 0 && version == 0 && tables == 0:
		return errEmpty
	}
	return ErrForeign
}

// explain adds the path of the store to errors that every request would meet. An empty file becomes [ErrNone].
func (s *Store) explain(err error) error {
	if errors.Is(err, errEmpty) {
		return ErrNone
	}
	if !Unusable(err) {
		return err
	}
	if isCode(err, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT) {
		err = ErrDamaged
	}
	return fmt.Errorf("the store %s cannot be used: %w", s.name, err)
}

// Unusable reports whether every request to the store would fail like this: the store is damaged,
// another program's, of another version, locked for too long, or cannot be written.
func Unusable(err error) bool {
	return errors.Is(err, ErrNewer) || errors.Is(err, ErrOlder) || errors.Is(err, ErrForeign) || errors.Is(err, ErrDamaged) ||
		isCode(err, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL,
			sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_IOERR)
}

// Locked reports whether an operation failed because another program has locked the store.
func Locked(err error) bool { return isCode(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) }

// Full reports whether an operation failed because the file system is full.
func Full(err error) bool { return errors.Is(err, syscall.ENOSPC) || isCode(err, sqlite3.SQLITE_FULL) }

// isCode reports whether SQLite failed with one of these codes.
func isCode(err error, codes ...int) bool {
	var failure *driver.Error
	return errors.As(err, &failure) && slices.Contains(codes, failure.Code()&0xff) // the other bits are details
}
