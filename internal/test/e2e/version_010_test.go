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
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	_ "whence/internal/store" // the driver of SQLite
	"whence/internal/store/postgres"
	"whence/internal/team"
	"whence/internal/test/pgtest"
	"whence/internal/test/repotest"
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
	s.env = append(s.env, "HOME="+filepath.Join(dir, "home"))
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
		require.False(t, strings.HasSuffix(name, "-wal"), "a store was left open")
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

// exec changes a store.
func (u *upgraded) exec(name, statement string) {
	u.t.Helper()
	db, err := sql.Open("sqlite", name)
	require.NoError(u.t, err)
	_, err = db.Exec(statement)
	require.NoError(u.t, errors.Join(err, db.Close()))
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

// prints returns the output of a program, which must succeed.
func (u *upgraded) prints(dir, program string, args ...string) string {
	u.t.Helper()
	s := u.answer(dir, "", program, args...)
	require.Zero(u.t, s.Status, "%s %v: %s%s", program, args, s.Stdout, s.Stderr)
	return s.Stdout
}

// event returns the reply to an event.
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

// waiting are the jobs in the spool.
func (u *upgraded) waiting() []string {
	u.t.Helper()
	jobs, err := filepath.Glob(filepath.Join(u.dir, storeFolder010, "spool", "*-*"))
	require.NoError(u.t, err)
	return jobs
}

// requireStored requires that all that waited in the spool is stored, once.
func (u *upgraded) requireStored() {
	u.t.Helper()
	require.Empty(u.t, u.waiting())
	texts := u.query(`SELECT text FROM turns WHERE session IN ('second', 'third') ORDER BY seq`)
	require.Equal(u.t, []string{
		"The buoy of the northern fairway must blink every four seconds, the harbour master insists on it.",
		"The northern buoy blinked every six seconds because its timer counted ticks of 1.5 seconds; it is four now.",
		"The anchor of the dredger is checked before each winter, and the chain is replaced after ten years.",
		"The dredger's chain is replaced in 2029, since it was forged in 2019.",
		"Passengers with bicycles board the ferry from the rear ramp, after the cars and before the pedestrians.",
	}, texts)
}

// Waiting jobs are done by the next worker, and turns captured before them are not captured
// again.
func TestVersion010Jobs(t *testing.T) {
	u := newUpgraded(t)
	require.Len(t, u.waiting(), 2)
	require.Contains(t, u.prints("project", "memory-hooks", "status"), "2 jobs waiting to be stored")
	for _, job := range u.waiting() { // a worker has begun it three times, and failed twice
		require.NoError(t, os.Rename(job, strings.TrimSuffix(job, ".00.0")+".03.2"))
	}
	u.answer("project", "", "memory-remember", "capture") // fails for the team's server
	u.requireStored()

	u = newUpgraded(t)
	u.event("SessionStart", "new", map[string]any{"source": "startup"})
	u.requireStored()
	for _, session := range []string{"first", "second", "third"} {
		u.event("Stop", session, map[string]any{"transcript_path": filepath.Join(u.dir, "home", ".claude", "projects", "project", session+".jsonl")})
	}
	u.requireStored()
	require.Equal(t, []string{"6"}, u.query(`SELECT count(*) FROM turns WHERE session = 'first'`))
}

// A session that goes on is not shown again what it was shown before, until it forgets it.
func TestVersion010SessionGoesOn(t *testing.T) {
	u := newUpgraded(t)
	const prompt = "how are we mooring the ferry at pier seven?"
	ask := func(session string) string {
		return u.event("UserPromptSubmit", session, map[string]any{"prompt": prompt})
	}
	require.NotContains(t, ask("first"), "Mooring lines")
	shown := ask("new")
	require.Contains(t, shown, "Mooring lines")
	require.Contains(t, shown, "Spring line first")
	third := ask("third") // which began with the learning, and was shown no decision
	require.Contains(t, third, "Mooring lines")
	require.NotContains(t, third, "Spring line first")
	u.event("SessionStart", "first", map[string]any{"source": "compact"})
	require.Contains(t, ask("first"), "Mooring lines")
}

// What the old programs have registered runs today's, and uninstall takes it out byte for byte,
// also after install has replaced it.
func TestVersion010Registrations(t *testing.T) {
	for _, again := range []bool{false, true} {
		u := newUpgraded(t)
		status := u.prints("project", "memory-hooks", "status")
		for _, name := range []string{"Claude Code", "Codex", "Gemini CLI", "Copilot CLI", "  local "} {
			require.Contains(t, status, name)
		}
		require.Equal(t, 6, strings.Count(status, "(of version 0.1.0)"))
		doctor := u.answer("project", "", "memory-hooks", "doctor")
		require.Equal(t, 1, doctor.Status)
		for _, fix := range regexp.MustCompile(`(?m)^ +fix: (memory-hooks install .*)$`).FindAllStringSubmatch(doctor.Stdout, -1) {
			if again {
				out, err := u.try("project", "sh", "-c", fix[1]+" --yes")
				require.NoError(t, err, out)
			}
		}
		require.Equal(t, again, !strings.Contains(u.prints("project", "memory-hooks", "status"), "(of version 0.1.0)"))

		var settings struct {
			Hooks map[string][]struct{ Hooks []struct{ Command string } }
		}
		require.NoError(t, json.Unmarshal([]byte(u.read("project/.claude/settings.local.json")), &settings))
		registered := exec.Command("sh", "-c", settings.Hooks["UserPromptSubmit"][0].Hooks[0].Command)
		registered.Dir, registered.Env, registered.Stdin = filepath.Join(u.dir, "project"), u.env, strings.NewReader(`{"session_id":"run","prompt":"how are we mooring the ferry?"}`)
		out, err := registered.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "Mooring lines")

		u.prints("project", "memory-hooks", "uninstall")
		u.prints("project", "memory-hooks", "uninstall", "--scope", "project")
		u.prints("project", "memory-hooks", "uninstall", "--scope", "local")
		for _, name := range []string{"home/.claude/settings.json", "home/.gemini/settings.json", "project/.claude/settings.json"} {
			require.Equal(t, u.read("before/"+name), u.read(name), name)
		}
		for _, name := range []string{"home/.codex/hooks.json", "home/.copilot/hooks/whence.json", "project/.claude/settings.local.json"} {
			require.NoFileExists(t, filepath.Join(u.dir, name))
		}
	}
}

// The git hooks of the old memory-validate run today's: they fix and stop a commit as before.
// Today's replaces and removes them.
func TestVersion010GitHooks(t *testing.T) {
	u := newUpgraded(t)
	const index, entry = "project/agents/memory-index.md", "/when mooring the ferry | Mooring lines"
	commit := func() (string, error) { return u.try("project", "git", "commit", "-qam", "change") }

	u.write(index, strings.Replace(u.read(index), "/when mooring the ferry", "/when Mooring the  ferry", 1))
	u.write("project/file", "x")
	u.run("project", "git", "add", "file")
	out, err := commit()
	require.NoError(t, err, out)
	require.Contains(t, out, "the hook of before")
	require.Contains(t, u.run("project", "git", "show", "HEAD:agents/memory-index.md"), entry)

	u.write(index, strings.Replace(u.read(index), "Mooring lines", "Knots", 1))
	out, err = commit()
	require.Error(t, err)
	require.Contains(t, out, "[unknown-header]")
	u.run("project", "git", "checkout", "HEAD", "--", "agents/memory-index.md")

	u.prints("project", "memory-validate", "install-git-hook")
	u.prints("project", "memory-validate", "uninstall-git-hook")
	require.Equal(t, u.read("before/project/.git/hooks/pre-commit"), u.read("project/.git/hooks/pre-commit"))
	require.NoFileExists(t, filepath.Join(u.dir, "project", ".git", "hooks", "pre-merge-commit"))

	u = newUpgraded(t)
	u.prints("project", "memory-validate", "uninstall-git-hook")
	require.Equal(t, u.read("before/project/.git/hooks/pre-commit"), u.read("project/.git/hooks/pre-commit"))
	hooks, err := os.ReadDir(filepath.Join(u.dir, "project", ".git", "hooks"))
	require.NoError(t, err)
	require.Len(t, hooks, 1)
}

// All settings are still read. What a committed file asks for beyond what the user has set is
// named, with the command that has it count; the user's own file counts.
func TestVersion010Settings(t *testing.T) {
	u := newUpgraded(t)
	u.prints("project", "memory-validate")
	status := u.prints("project", "memory-hooks", "status")
	require.Contains(t, status, "  asks     memory_notes_refresh: 8, memory_notes_enabled: true; to allow it: memory-hooks allow\n")
	require.Contains(t, status, "forever (memory_turn_days: 0)")
	begins := u.event("SessionStart", "new", map[string]any{"source": "startup"})
	require.Contains(t, begins, "Memory capture mode: silent")
	require.Contains(t, begins, "Memory silent capture budget: 3")
	require.Contains(t, begins, "this repository asks for memory_notes_refresh: 8, memory_notes_enabled: true")
	require.NotContains(t, begins, "mooring the ferry at pier seven?", "notes do not count yet")
	require.NotContains(t, u.answer("project", "", "memory-hooks", "doctor").Stdout, "unknown key")

	// The notes are there all the time, and go on when they are allowed.
	notes := u.read("project/.memory/errors.log")
	require.Contains(t, u.prints("project", "memory-hooks", "notes", "show"), strings.TrimSpace(notes))
	require.Contains(t, u.prints("project", "memory-hooks", "notes", "summary"), "2 tool calls in 3 sessions")
	u.prints("project", "memory-hooks", "allow", "--yes")
	require.NotContains(t, u.prints("project", "memory-hooks", "status"), "  asks ")
	require.Contains(t, u.event("SessionStart", "later", map[string]any{"source": "startup"}), "Task: how are we mooring the ferry at pier seven?")
	u.event("PostToolUseFailure", "later", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "make gauge"}, "error": "gauge.c:12: error: undefined reference to calibrate"})
	require.Contains(t, u.read("project/.memory/errors.log"), notes)
	require.Contains(t, u.read("project/.memory/errors.log"), "Attempt 2: make gauge: ")

	// The log of events is still read, too.
	report := u.prints("project", "memory-hooks", "report", "--since", "all", "--transcripts", filepath.Join(u.dir, "home", ".claude", "projects"))
	require.Regexp(t, `(?m)^ +PostToolUse +1 `, report)
	require.Regexp(t, `(?m)^ +Stop +4 `, report)
}

// A team's outbox is sent when its server is back, and the replica filled.
func TestVersion010Outbox(t *testing.T) {
	u := newUpgraded(t)
	require.Contains(t, u.prints("office", "memory-remember", "store", "outbox"), "1 turn of session team")
	require.Contains(t, u.answer("office", "", "memory-remember", "list").Stdout, "Office hours end at four")

	o := newOffice(t)
	login := o.server.Login(t, "ann")
	_, err := postgres.Admit(t.Context(), o.db.URL(pgtest.Superuser), "harbour", login, "member")
	require.NoError(t, err)
	u.env = append(u.env, "PGPASSFILE="+o.server.Passfile())
	u.serverIs(o.db.URL(login))
	require.NoError(t, os.Remove(filepath.Join(u.replica().Dir(), ".tried"))) // a minute later
	u.prints("office", "memory-remember", "capture")
	require.Equal(t, "Nothing waits, and nothing was put aside.\n", u.prints("office", "memory-remember", "store", "outbox"))
	db := o.db.Open(t, pgtest.Superuser)
	var learnings, personal, turns int
	require.NoError(t, db.QueryRow(`SELECT count(*), count(*) FILTER (WHERE personal) FROM whence.entries WHERE team = 'harbour'`).Scan(&learnings, &personal))
	require.NoError(t, db.QueryRow(`SELECT count(*) FROM whence.turns WHERE text LIKE 'The timetable of the office is deployed before noon%'`).Scan(&turns))
	require.Equal(t, []int{2, 1, 1}, []int{learnings, personal, turns})
	list := u.prints("office", "memory-remember", "list")
	require.Contains(t, list, "Office hours end at four")
	require.Contains(t, list, "below the barometer")
	require.Contains(t, u.prints("office", "memory-remember", "search", "from which branch is the timetable deployed?"), "the branch winter")
	u.prints("office", "memory-remember", "store", "check")
}

// replica is the copy of the team's store.
func (u *upgraded) replica() *team.Replica {
	u.t.Helper()
	places, err := team.Replicas(filepath.Join(u.dir, filepath.FromSlash(storeFolder010)))
	require.NoError(u.t, err)
	require.Len(u.t, places, 1)
	return places[0]
}

// serverIs has the server of the team be another one, as if it had always been.
func (u *upgraded) serverIs(url string) {
	u.t.Helper()
	before := u.replica()
	files := []string{storeFolder010 + "/stores", storeFolder010 + "/team/" + filepath.Base(before.Dir()) + "/store", "office/.whence.yaml"}
	for _, name := range files {
		require.Contains(u.t, u.read(name), before.URL)
		u.write(name, strings.ReplaceAll(u.read(name), before.URL, url))
	}
	old, err := team.ReplicaOf(filepath.Join(u.dir, storeFolder010), url)
	require.NoError(u.t, err)
	require.NoError(u.t, os.Rename(before.Dir(), old.Dir()))
}

// Version 0.1.0 kept turns for as long as a committed file said. Until the user has decided
// whether that counts, nothing is deleted that it kept.
func TestVersion010KeepsTurnsUntilTheUserDecides(t *testing.T) {
	for _, c := range []struct {
		name, settings string   // of the user
		decides        []string // arguments of memory-hooks
		want           int
	}{
		{"undecided", "", nil, 11},
		{"allowed", "", []string{"allow", "--yes"}, 11},
		{"refused", "", []string{"allow", "--revoke"}, 1},
		{"own number", "memory_turn_days: 100\n", nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := newUpgraded(t)
			u.write("project/.whence.yaml", u.read("project/.whence.yaml")+"memory_turn_days: 0\n")
			u.write("project/.claude/whence.local.md", "---\nmemory_turn_capture: true\n---\n")
			u.run("project", "git", "commit", "-qam", "keep turns")
			u.query(`UPDATE meta SET value = '2026-01-01' WHERE key = 'turns_pruned' RETURNING key`) // another day
			require.Contains(t, u.prints("project", "memory-hooks", "status"), "180 days (memory_turn_days), and what version 0.1.0 kept by memory_turn_days: 0 of this repository until you decide (`memory-hooks allow`, or `memory-hooks allow --revoke`)")
			if c.settings != "" {
				u.write(storeFolder010+"/settings.yaml", c.settings)
			}
			if c.decides != nil {
				u.prints("project", "memory-hooks", c.decides...)
			}
			u.event("SessionStart", "new", map[string]any{"source": "startup"})
			require.Empty(t, u.waiting())
			require.Equal(t, []string{strconv.Itoa(c.want)}, u.query(`SELECT count(*) FROM turns`))
		})
	}
}

// What was exported is imported, and known where it comes from; the plan of a migration is
// applied.
func TestVersion010Files(t *testing.T) {
	u := newUpgraded(t)
	exported := filepath.Join(u.dir, "exported", "learnings.jsonl")
	require.Contains(t, u.prints("project", "memory-remember", "import", exported), "Imported 0 learnings, 14 known already")
	u.run("exported", "git", "init", "-q")
	u.env = append(u.env, "WHENCE_HOME="+filepath.Join(u.dir, "empty"))
	require.Contains(t, u.prints("exported", "memory-remember", "import", exported), "Imported 14 learnings")
	require.Contains(t, u.prints("exported", "memory-remember", "show", "Spring line first"), "helped    twice")

	u.prints("old", "memory-migrate", "apply", "--plan", "plan.tsv")
	require.Contains(t, u.read("old/agents/memory-index.md"), "/when mooring lines | Mooring lines | two bowlines and a spring line at pier seven, never at low tide\n")
	u.prints("old", "memory-validate")
}
