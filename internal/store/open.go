package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// BusyTimeout is how long a write waits for a lock of other processes; before that it may queue for
// half as long.
const BusyTimeout = 20 * time.Second

// Errors of Open and OpenReadOnly.
var (
	ErrNone    = errors.New("nothing has been remembered yet")
	ErrNewer   = errors.New("it was written by a newer version: update whence")
	ErrForeign = errors.New("it is the database of another program: set WHENCE_HOME to another folder")
	ErrDamaged = errors.New("it is not a database, or damaged: move it away, or put back a copy")
)

// Open opens the store in a folder for reading and writing. It makes folder and file if they are
// missing.
func Open(ctx context.Context, dir string) (*Store, error) {
	name, err := filePath(dir)
	if err == nil {
		err = makeFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	return open(ctx, name)
}

// open opens an existing file.
func open(ctx context.Context, name string) (*Store, error) {
	// busy_timeout comes first: else the first open by several processes fails. Transactions
	// are immediate: one that reads first and then writes would fail if another process has
	// written in between.
	s, err := connect(name, url.Values{
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", BusyTimeout.Milliseconds()), "synchronous(NORMAL)", "foreign_keys(ON)", "secure_delete(ON)", "temp_store(MEMORY)"},
		"_txlock": {"immediate"},
	})
	if err != nil {
		return nil, err
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(openError(name, err), s.closeUntouched(name))
	}
	if err := makePrivate(name); err != nil {
		return nil, errors.Join(fmt.Errorf("open the store: %w", err), s.db.Close())
	}
	return s, nil
}

// OpenExisting opens the store in a folder for reading and writing. If there is none, it makes
// nothing and returns [ErrNone].
func OpenExisting(ctx context.Context, dir string) (*Store, error) {
	name, err := existingFile(dir)
	if err != nil {
		return nil, err
	}
	return open(ctx, name)
}

// Exists reports whether there is a store in a folder.
func Exists(dir string) bool {
	_, err := existingFile(dir)
	return !errors.Is(err, ErrNone)
}

// existingFile returns the path of the database in a folder, or ErrNone.
func existingFile(dir string) (name string, err error) {
	var info fs.FileInfo
	if name, err = filePath(dir); err == nil {
		info, err = os.Stat(name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0:
		return "", ErrNone
	case err != nil:
		return "", fmt.Errorf("open the store: %w", err)
	}
	return name, nil
}

// maxLogBytes bounds the log of recent writes that Leave leaves: the next to open the store reads it.
const maxLogBytes = 256 << 10

// Leave closes the store, and does not wait until the disk has what was written last: unless it is
// long, the log of that stays beside the file until somebody calls Close. Other processes
// have it at once; only if the machine fails before that may it be lost.
func (s *Store) Leave() error {
	file, ok := s.conn.engine.(sqlite)
	if !ok {
		return s.Close()
	}
	if log, err := os.Stat(file.name + "-wal"); err != nil || log.Size() > maxLogBytes {
		return s.Close()
	}
	return s.closeUntouched(file.name)
}

// closeUntouched closes a database without writing into its file. The last connection to close
// writes the log into the file, unless it is read-only: so a read-only one closes last.
func (s *Store) closeUntouched(name string) error {
	last, err := connect(name, url.Values{"mode": {"ro"}})
	if err != nil {
		return errors.Join(err, s.db.Close())
	}
	var version int
	_ = last.db.QueryRow(`PRAGMA user_version`).Scan(&version) // opens the file
	return errors.Join(s.db.Close(), last.db.Close())
}

// OpenReadOnly opens the store in a folder for reading. It writes nothing, so that a read-only disk
// will do. [ErrNone] means that there is none.
func OpenReadOnly(ctx context.Context, dir string) (*Store, error) {
	name, err := existingFile(dir)
	if err != nil {
		return nil, err
	}
	pragmas := []string{fmt.Sprintf("busy_timeout(%d)", BusyTimeout.Milliseconds()), "query_only(ON)", "temp_store(MEMORY)"}
	s, err := connect(name, url.Values{"_pragma": pragmas, "mode": {"ro"}})
	if err != nil {
		return nil, err
	}
	err = s.checkSchema(ctx)
	if isCode(err, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY) {
		// The log of recent writes can be neither read nor made: read the file alone.
		s.db.Close()
		if s, err = connect(name, url.Values{"_pragma": pragmas, "mode": {"ro"}, "immutable": {"1"}}); err != nil {
			return nil, err
		}
		err = s.checkSchema(ctx)
	}
	if err != nil {
		return nil, errors.Join(openError(name, err), s.db.Close())
	}
	return s, nil
}

func connect(name string, query url.Values) (*Store, error) {
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(name), RawQuery: query.Encode()}
	if filepath.VolumeName(name) != "" {
		address.Path = "/" + address.Path // file:///C:/…
	}
	connector, err := driver.NewConnector(address.String())
	if err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	db := sql.OpenDB(preparing{connector, filepath.Dir(name)})
	db.SetMaxOpenConns(1)
	s := New(db, sqlite{name: name})
	s.conn.runner = uncancelled{db}
	return s, nil
}

// openError adds the path to an error, and a remedy.
func openError(name string, err error) error {
	if isCode(err, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT) {
		err = ErrDamaged
	}
	return fmt.Errorf("the store %s cannot be used: %w", name, err)
}

// Unusable reports whether any request to the store would fail like this: it is damaged, another
// program's, locked for too long, or cannot be written.
func Unusable(err error) bool {
	return errors.Is(err, ErrUnusable) || errors.Is(err, ErrNewer) || errors.Is(err, ErrForeign) || errors.Is(err, ErrDamaged) ||
		isCode(err, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED,
			sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_IOERR)
}

// isCode reports whether SQLite failed with one of these codes.
func isCode(err error, codes ...int) bool {
	var failure *driver.Error
	return errors.As(err, &failure) && slices.Contains(codes, failure.Code()&0xff) // the other bits are details
}
