package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	_ "whence/internal/store" // the driver of SQLite

	"whence/internal/repotest"
)

// upgraded is a user of version 0.1.0 who has installed today's programs: the disk is what
// testdata/version-0.1.0/make.sh has left.
type upgraded struct {
	*sandbox
	workers *repotest.Descendants
}

// root010 is the folder in which make.sh has worked.
const root010 = "/tmp/whence-0.1.0"

// storeFolder010 is the folder of the store, from the user's folder.
const storeFolder010 = "home/.local/share/whence"

func newUpgraded(t *testing.T) *upgraded {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the programs")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of another system")
	}
	bin := installed(t)
	s := newSandbox(t, bin)
	dir, err := filepath.EvalSymlinks(s.dir)
	require.NoError(t, err)
	s.dir = dir
	s.env = append(s.env, "HOME="+filepath.Join(dir, "home"), "WHENCE_HOOK_DEADLINE=1m")
	u := &upgraded{sandbox: s}
	u.unpack(filepath.Join("testdata", "version-0.1.0", "home.tar.gz"))
	require.NoError(t, os.Symlink(bin, filepath.Join(dir, "bin"))) // where the old programs were
	u.workers = repotest.NewDescendants(t)
	return u
}

// unpack unpacks an archive, with the folder of the test in place of root010.
func (u *upgraded) unpack(archive string) {
	t := u.t
	t.Helper()
	file, err := os.Open(archive)
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	for archive := tar.NewReader(unzipped); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		name := filepath.Join(u.dir, filepath.FromSlash(h.Name))
		if h.FileInfo().IsDir() {
			require.NoError(t, os.MkdirAll(name, h.FileInfo().Mode().Perm()))
			continue
		}
		text, err := io.ReadAll(archive)
		require.NoError(t, err)
		if filepath.Ext(name) == ".db" {
			require.NoError(t, os.WriteFile(name, text, h.FileInfo().Mode().Perm()))
			u.move(name)
			continue
		}
		moved := bytes.ReplaceAll(text, []byte(root010), []byte(u.dir))
		name = filepath.Join(filepath.Dir(name), jobName(filepath.Base(name), text, moved))
		require.NoError(t, os.WriteFile(name, moved, h.FileInfo().Mode().Perm()))
	}
}

// isJob matches the name of a job: it holds the size and the checksum.
var isJob = regexp.MustCompile(`^([0-9]{19}-[0-9a-f]{8}-[0-9a-f]{16})-([0-9]{7}-[0-9a-f]{8})(\.00\.0)$`)

// jobName is the name of a file whose text has changed.
func jobName(name string, before, after []byte) string {
	m := isJob.FindStringSubmatch(name)
	if m == nil {
		return name
	}
	sum := func(text []byte) string { return fmt.Sprintf("%07d-%08x", len(text), crc32.ChecksumIEEE(text)) }
	if m[2] != sum(before) {
		panic(name + " is not what was added")
	}
	return m[1] + "-" + sum(after) + m[3]
}

// move has a store be about repositories and transcripts in the folder of the test.
func (u *upgraded) move(name string) {
	u.t.Helper()
	db, err := sql.Open("sqlite", name)
	require.NoError(u.t, err)
	for _, column := range []string{"entries.source_project", "turns.project", "transcripts.path", "transcripts.project", "meta.value"} {
		table, column, _ := strings.Cut(column, ".")
		_, err := db.Exec(fmt.Sprintf(`UPDATE %s SET %[2]s = replace(%[2]s, ?, ?)`, table, column), root010, u.dir)
		require.NoError(u.t, err)
	}
	require.NoError(u.t, db.Close())
}

// query returns the first column of the rows of a store.
func (u *upgraded) query(query string) (values []string) {
	u.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(u.dir, storeFolder010, "memory.db"))
	require.NoError(u.t, err)
	defer db.Close()
	rows, err := db.Query(query)
	require.NoError(u.t, err)
	defer rows.Close()
	for rows.Next() {
		var value string
		require.NoError(u.t, rows.Scan(&value))
		values = append(values, value)
	}
	require.NoError(u.t, rows.Err())
	return values
}

// answer runs a program in a folder, with a text on standard input.
func (u *upgraded) answer(dir, stdin, program string, args ...string) (s said) {
	cmd := exec.Command(filepath.Join(u.dir, "bin", program), args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = filepath.Join(u.dir, dir), u.env, strings.NewReader(stdin), &out, &errs
	u.workers.Of(cmd)
	if err := cmd.Run(); cmd.ProcessState == nil {
		return said{Status: -1, Stderr: err.Error()}
	}
	return said{Status: cmd.ProcessState.ExitCode(), Stdout: out.String(), Stderr: errs.String()}
}

// prints is what a program prints that succeeds.
func (u *upgraded) prints(dir, program string, args ...string) string {
	u.t.Helper()
	s := u.answer(dir, "", program, args...)
	require.Zero(u.t, s.Status, "%s %v: %s%s", program, args, s.Stdout, s.Stderr)
	return s.Stdout
}

// event is what an agent is told at an event.
func (u *upgraded) event(name, session string, fields map[string]any) string {
	u.t.Helper()
	event := map[string]any{"session_id": session, "cwd": filepath.Join(u.dir, "project"), "hook_event_name": name}
	for key, value := range fields {
		event[key] = value
	}
	src, err := json.Marshal(event)
	require.NoError(u.t, err)
	s := u.answer("project", string(src), "memory-hooks", name)
	require.Zero(u.t, s.Status, s.Stderr)
	u.workers.Wait()
	return s.Stdout
}

// What is in the store is found, in the words in which it was stored, and what was judged
// wrong, outdated or forgotten is not.
func TestVersion010Store(t *testing.T) {
	u := newUpgraded(t)
	for query, want := range map[string][]string{
		"in which order are lines tied when the ferry is mooring?": {"Spring line first", "learned 3 times"},
		"tide table":                            {"The tide table readTideTable() returns UTC"},
		"readTideTable offset berlin":           {"The tide table readTideTable() returns UTC"},
		"moored at low tide":                    {"Never moor the ferry at low tide", "anti-patterns"},
		"Größe der Fähre":                       {"Größe der Fähre"},
		"grosse fahre schiffe_größe.csv metern": {"Größe der Fähre"},
		"cafe zurich fares":                     {"渡し船の切符"},
		"quote shell variables with spaces":     {"Quote shell variables that hold a path with spaces"},
		"xterm-256color terminal":               {"My own terminal needs TERM=xterm-256color"},
		"publish-timetable.sh cron":             {"The ferry timetable is published every Monday at eight"},
		"harbour crane loads":                   {"Use the harbour crane for loads of forty tonnes", "Do not use the harbour crane"},
		"foghorn in fog":                        {"Foghorn twice"},
		"log the tides of the day":              {"Log tides"},
	} {
		got := u.prints("project", "memory-remember", "search", query, "--turns", "0")
		for _, part := range want {
			require.Contains(t, got, part, query)
		}
	}
	for _, query := range []string{"fuel pump", "radio channel sixteen", "lighthouse keeper Hinnerk", "paint the lighthouse red in the summer"} {
		s := u.answer("project", "", "memory-remember", "search", query, "--turns", "0")
		require.Equal(t, 1, s.Status, "%s: %s", query, s.Stdout)
	}
	for query, want := range map[string]string{
		"parity of the serial line of the gauge at Inchmoor": "even parity at 4800 baud",
		"why does the tide gauge report raw counts?":         "before the calibration table is loaded",
		"undefined reference to calibrate":                   "make gauge CALIBRATE=1",
		"an welcher Brücke wird die Fähre festgemacht?":      "nie an Brücke sechs",
		"how often does the northern buoy blink?":            "must blink every four seconds",
	} {
		got := u.prints("project", "memory-remember", "search", query)
		require.Contains(t, strings.Join(strings.Fields(got), " "), want, query)
	}
	require.Len(t, strings.Split(strings.TrimSpace(u.prints("project", "memory-remember", "list", "--format", "json")), "\n"), 12)
	require.Contains(t, u.prints("project", "memory-remember", "show", "Never moor the ferry at low tide"), "two crews were stranded")
	elsewhere := u.prints("before", "memory-remember", "list")
	require.Contains(t, elsewhere, "Quote shell variables")
	require.NotContains(t, elsewhere, "ferry", "it belongs to the project")
	u.prints("project", "memory-remember", "store", "check")

	// It goes on: the same text is known, feedback counts, and a new learning is found.
	require.Contains(t, u.prints("project", "memory-remember", "Tie the spring line before the bowline when the ferry moors at pier seven"), "Reinforced: Spring line first")
	u.prints("project", "memory-remember", "feedback", "Log tides", "outdated")
	u.prints("project", "memory-remember", "The radio of the ferry listens on channel twelve since the winter")
	require.Contains(t, u.prints("project", "memory-remember", "search", "radio channel of the ferry", "--turns", "0"), "twelve")
	u.prints("project", "memory-remember", "store", "check")
}

// Programs that begin at the same time bring the store to today's schema once, and lose nothing.
func TestVersion010StoreIsMigratedOnce(t *testing.T) {
	u := newUpgraded(t)
	before := u.query(`SELECT id || name || description FROM entries UNION ALL SELECT uuid || text FROM turns ORDER BY 1`)
	require.Len(t, before, 14+8)
	var all sync.WaitGroup
	answers := make([]said, 6)
	for i := range answers {
		all.Go(func() {
			switch i % 3 {
			case 0:
				answers[i] = u.answer("project", "", "memory-remember", "search", "spring line of the ferry", "--turns", "0")
			case 1:
				answers[i] = u.answer("project", "", "memory-remember", "stats")
			default:
				answers[i] = u.answer("project", fmt.Sprintf(`{"session_id":"new%d","prompt":"which line is tied first when the ferry moors at pier seven, the spring line or the bowline?"}`, i), "memory-hooks", "UserPromptSubmit")
			}
		})
	}
	all.Wait()
	u.workers.Wait()
	for i, a := range answers {
		require.Zero(t, a.Status, a.Stderr)
		require.Empty(t, a.Stderr)
		if i%3 != 1 {
			require.Contains(t, a.Stdout, "Spring line first", "%d", i)
		}
	}
	const version = `SELECT user_version || ' ' || (SELECT schema_version FROM pragma_schema_version) FROM pragma_user_version`
	migrated := u.query(version)
	u.prints("project", "memory-remember", "search", "spring line of the ferry")
	require.Equal(t, migrated, u.query(version), "the schema is changed once")
	require.Equal(t, before, u.query(`SELECT id || name || description FROM entries UNION ALL SELECT uuid || text FROM turns WHERE session != 'new' ORDER BY 1`))
}
