package when_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/dispatch"
	"whence/internal/rank"
	"whence/internal/spool"
	"whence/internal/test/repotest"
	"whence/when"
)

// settled is a time at which files that are made by a test have not been changed lately.
func settled() time.Time { return time.Now().Add(time.Hour) }

// moment is an event in a repository, some time after anything has changed in it.
func moment(t *testing.T, dir, home string, now time.Time) *dispatch.Request {
	t.Helper()
	repotest.ClaimHome(t, home)
	env := cli.Env{Dir: dir, Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": home}[name] }}
	m, err := dispatch.Open(env, agent.Event{Cwd: dir}, now)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

// twoFiles is a memory of three entries, two of which lead to one heading.
func twoFiles() fstest.MapFS {
	return repotest.Tree(map[string]string{
		"agents/memory-index.md": "# Memory Index\n\n## agents/decisions/a.md\n\n" +
			"/when retrying a call | Retries | attempts, jitter, upper bound\n/how backing off | Retries | the same once more\n" +
			"\n## agents/decisions/b.md\n\n/when listing many rows | Paging | cursor, page size, stable order\n",
		"agents/decisions/a.md": "# A\n\n## Retries\n\n<!-- situations:\nthe client hammers the server after a timeout\n-->\n\nThree attempts.\n",
		"agents/decisions/b.md": "# B\n\n## Paging\n\nPages are named by a cursor.\n",
	})
}

// repository writes a memory to a folder.
func repository(t *testing.T, tree fstest.MapFS) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, tree))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".git", "HEAD"), 0o755))
	return dir
}

const query = "the client retries after a timeout, and lists many rows"

// every finds all that has anything in common with a text.
var every = dispatch.Limits{Items: 20}

func find(t *testing.T, r *dispatch.Request, text string) []dispatch.Item {
	t.Helper()
	found, err := when.Find(t.Context(), r, text, every)
	require.NoError(t, err)
	return found
}

// writeCache does what the process does that an event starts.
func writeCache(t *testing.T, r *dispatch.Request) {
	t.Helper()
	require.NoError(t, when.CacheRepository(r.Env, r.Root, r.Now))
}

// withSituations gives each decision of a memory situations of the evaluation, whether they
// fit or not.
func withSituations(t *testing.T, tree fstest.MapFS) {
	type line struct{ Situations []string }
	lines := repotest.JSONLines[line](t, repotest.Shared(t, "eval/situations.jsonl"))
	written := 0
	for name, file := range tree {
		headings := decision.Parse(name, file.Data).Headings
		for i := len(headings) - 1; i >= 0 && name != config.DefaultIndex; i-- {
			if h := headings[i]; h.Semantic() {
				comment := "\n<!-- situations:\n" + strings.Join(lines[written%len(lines)].Situations, "\n") + "\n-->\n"
				file.Data = slices.Concat(file.Data[:h.Body], []byte(comment), file.Data[h.Body:])
				written++
			}
		}
	}
	require.Greater(t, written, 300)
}

// What is found by the index is what is found by reading the memory.
func TestCacheFindsWhatReadingFinds(t *testing.T) {
	texts := []string{query, "", "the ferry is late, and the berth is taken", "git commit hook fails: exit status 1"}
	type prompt struct{ Text string }
	all := memories(t)
	withSituations(t, all["head"])
	for _, p := range repotest.JSONLines[prompt](t, repotest.Shared(t, "eval/prompts.jsonl")) {
		texts = append(texts, p.Text)
	}
	switch {
	case testing.Short():
		texts = texts[:4]
	case !repotest.Long():
		texts = texts[:min(len(texts), 40)]
	}
	for name, tree := range all {
		t.Run(name, func(t *testing.T) {
			m := moment(t, repository(t, tree), t.TempDir(), settled())
			writeCache(t, m)
			total := 0
			l, err := when.Open(m.Tree.FS(), m.Config)
			require.NoError(t, err)
			for _, text := range texts {
				read, err := when.FromLibrary(l, text, every)
				require.NoError(t, err)
				cached, err := when.FromCache(m, text, every)
				require.NoError(t, err)
				require.Equal(t, read, cached, text)
				require.Equal(t, read, find(t, m, text), text)
				total += len(read)
			}
			require.NotZero(t, total)
		})
	}
}

// Only what is probable enough is read at all.
func TestCacheKeepsToTheLimits(t *testing.T) {
	dir := repository(t, twoFiles())
	m := moment(t, dir, t.TempDir(), settled())
	writeCache(t, m)
	l, err := when.Open(m.Tree.FS(), m.Config)
	require.NoError(t, err)
	all, err := when.FromLibrary(l, query, every)
	require.NoError(t, err)
	require.Len(t, all, 2)
	limits := dispatch.Limits{Items: 2, Decision: (all[0].P + all[1].P) / 2}
	read, err := when.FromLibrary(l, query, limits)
	require.NoError(t, err)
	require.Len(t, read, 1)
	cached, err := when.FromCache(m, query, limits)
	require.NoError(t, err)
	require.Equal(t, read, cached)
}

// Whatever changes in the memory, its settings or the program's folder: the index is of the
// old state and does not count.
func TestCacheOfAnotherState(t *testing.T) {
	a := filepath.Join("agents", "decisions", "a.md")
	rewrite := func(t *testing.T, name, old, new string) {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Contains(t, string(src), old)
		require.NoError(t, os.WriteFile(name, []byte(strings.ReplaceAll(string(src), old, new)), 0o644))
	}
	for name, change := range map[string]func(t *testing.T, dir string){
		"another text": func(t *testing.T, dir string) { rewrite(t, filepath.Join(dir, a), "Three attempts", "Four attempts") },
		"another index": func(t *testing.T, dir string) {
			rewrite(t, filepath.Join(dir, config.DefaultIndex), "retrying", "repeating")
		},
		"another header": func(t *testing.T, dir string) { rewrite(t, filepath.Join(dir, a), "## Retries", "## Attempts") },
		"a new file": func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "agents", "decisions", "c.md"), []byte("# C\n"), 0o644))
		},
		"a file less": func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "agents", "decisions", "b.md")))
		},
		"a setting": func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, config.ProjectFile), []byte("decisions: [agents/decisions/a.md]\n"), 0o644))
		},
		"the same size, and the time set back": func(t *testing.T, dir string) {
			if runtime.GOOS == "windows" {
				t.Skip("no time of change is known here")
			}
			info, err := os.Stat(filepath.Join(dir, a))
			require.NoError(t, err)
			rewrite(t, filepath.Join(dir, a), "Three", "Seven")
			require.NoError(t, os.Chtimes(filepath.Join(dir, a), info.ModTime(), info.ModTime()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, home := repository(t, twoFiles()), repotest.Home(t)
			m := moment(t, dir, home, settled())
			writeCache(t, m)
			_, err := when.FromCache(m, query, every)
			require.NoError(t, err)
			change(t, dir)
			m = moment(t, dir, home, settled())
			_, err = when.FromCache(m, query, every)
			require.Error(t, err)
			require.Equal(t, find(t, moment(t, dir, t.TempDir(), settled()), query), find(t, m, query))
			writeCache(t, m)
			_, err = when.FromCache(m, query, every)
			require.NoError(t, err)
		})
	}
}

// Whatever is wrong with the index, the memory is read.
func TestFaultsOfTheCache(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, r *dispatch.Request, file string){
		"empty": func(t *testing.T, _ *dispatch.Request, file string) { require.NoError(t, os.Truncate(file, 0)) },
		"short": func(t *testing.T, _ *dispatch.Request, file string) { require.NoError(t, os.Truncate(file, 100)) },
		"too long": func(t *testing.T, _ *dispatch.Request, file string) {
			require.NoError(t, os.Truncate(file, 65<<20))
		},
		"one bit": func(t *testing.T, _ *dispatch.Request, file string) {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			src[len(src)/2] ^= 1
			require.NoError(t, os.WriteFile(file, src, 0o600))
		},
		"a folder": func(t *testing.T, _ *dispatch.Request, file string) {
			require.NoError(t, os.Remove(file))
			require.NoError(t, os.MkdirAll(filepath.Join(file, "x"), 0o700))
		},
		"a heading that is gone": func(t *testing.T, r *dispatch.Request, _ string) {
			require.NoError(t, when.WriteCache(r, []rank.Document{{Trigger: "retrying", Label: "when\x00retrying\x00agents/decisions/a.md\x00Gone"}}))
		},
		"a file that is gone": func(t *testing.T, r *dispatch.Request, _ string) {
			require.NoError(t, when.WriteCache(r, []rank.Document{{Trigger: "retrying", Label: "when\x00retrying\x00agents/gone.md\x00Retries"}}))
		},
		"a label that is none": func(t *testing.T, r *dispatch.Request, _ string) {
			require.NoError(t, when.WriteCache(r, []rank.Document{{Trigger: "retrying", Label: "?"}}))
		},
		"too large": func(t *testing.T, r *dispatch.Request, _ string) { require.NoError(t, when.WriteTooLarge(r)) },
	} {
		t.Run(name, func(t *testing.T) {
			m := moment(t, repository(t, twoFiles()), t.TempDir(), settled())
			want := find(t, m, query)
			require.NotEmpty(t, want)
			writeCache(t, m)
			file, err := when.CacheFile(m)
			require.NoError(t, err)
			require.FileExists(t, file)
			spoil(t, m, file)
			_, err = when.FromCache(m, query, every)
			require.Error(t, err)
			require.Equal(t, want, find(t, m, query))
		})
	}
}

// An event without a cache starts a process that writes it, also if the event has to end before the
// memory is read.
func TestEventsStartCaching(t *testing.T) {
	bin := t.TempDir()
	repotest.Build(t, bin, "whence/when/memory-when")
	t.Setenv("PATH", bin)
	for name, wait := range map[string]time.Duration{"in time": time.Minute, "late": time.Nanosecond} {
		t.Run(name, func(t *testing.T) {
			dir, home := repository(t, repotest.NewTalk().Memory(23, 374)), repotest.Home(t)
			t.Setenv("WHENCE_HOME", home)
			require.Eventually(t, func() bool { // not before no change of the files could be missed
				r := moment(t, dir, home, time.Now())
				ctx, cancel := context.WithTimeout(t.Context(), wait)
				defer cancel()
				_, err := when.Find(ctx, r, query, every)
				require.NoError(t, err)
				_, err = when.FromCache(r, query, every)
				return err == nil
			}, 5*time.Minute, 100*time.Millisecond)
		})
	}
}

// Where no cache can be or must be made, no process is started, and no one notices.
func TestNoProcessIsStarted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the process is a shell script")
	}
	bin := t.TempDir()
	started := filepath.Join(bin, "started")
	require.NoError(t, os.WriteFile(filepath.Join(bin, "memory-when"), []byte("#!/bin/sh\necho >>"+started+"\n"), 0o700))
	t.Setenv("PATH", bin)
	home := repotest.Home(t)
	t.Setenv("WHENCE_HOME", home)
	dir := repository(t, twoFiles())
	r := moment(t, dir, home, settled())

	fresh, trial, elsewhere := moment(t, dir, home, time.Now()), moment(t, dir, home, settled()), moment(t, dir, t.TempDir(), settled())
	trial.Homeless = true
	for _, r := range []*dispatch.Request{fresh, trial, elsewhere} {
		require.NotEmpty(t, find(t, r, query))
	}
	require.Empty(t, find(t, moment(t, repository(t, fstest.MapFS{"x.md": &fstest.MapFile{}}), home, settled()), query))
	require.NoDirExists(t, filepath.Join(home, "recall"))

	release, err := spool.Claim(filepath.Join(home, "recall"))
	require.NoError(t, err)
	for range 20 {
		require.NotEmpty(t, find(t, r, query), "another process is at work")
	}
	require.NoError(t, when.CacheRepository(r.Env, dir, settled()))
	require.NoError(t, release())
	require.NoError(t, when.WriteTooLarge(r))
	require.NotEmpty(t, find(t, r, query))
	require.NoError(t, os.RemoveAll(filepath.Join(home, "recall")))
	require.NoError(t, os.WriteFile(filepath.Join(home, "recall"), nil, 0o600))
	require.NotEmpty(t, find(t, r, query), "the folder cannot be made")
	require.NoFileExists(t, started)

	require.NoError(t, os.Remove(filepath.Join(home, "recall")))
	require.NotEmpty(t, find(t, r, query))
	require.Eventually(t, func() bool { _, err := os.Stat(started); return err == nil }, 5*time.Minute, 10*time.Millisecond)
}

// The command recall uses the cache. Without one it makes the same index, and caches it.
func TestRecallUsesTheCache(t *testing.T) {
	r := moment(t, repository(t, twoFiles()), t.TempDir(), settled())
	recall := func(r *dispatch.Request, text string) []when.Recalled {
		l, err := when.OpenCached(r)
		require.NoError(t, err)
		found, err := l.Recall(text, 3)
		require.NoError(t, err)
		again, err := l.Recall(text, 3)
		require.NoError(t, err)
		require.Equal(t, found, again)
		return found
	}
	fresh := moment(t, r.Root, r.Home, time.Now())
	made := recall(fresh, query)
	file, err := when.CacheFile(r)
	require.NoError(t, err)
	require.NoFileExists(t, file, "the files were changed just now")
	require.Equal(t, made, recall(r, query))
	require.FileExists(t, file)
	_, err = when.FromCache(r, query, every)
	require.NoError(t, err)
	require.Equal(t, made, recall(r, query))

	another := rank.Document{Trigger: "quorum", Label: "when\x00quorum\x00a.md\x00Quorum"}
	require.NoError(t, when.WriteCache(r, []rank.Document{another}))
	require.Equal(t, "/when quorum", recall(r, "quorum")[0].Command())
	require.NoError(t, when.WriteCache(r, []rank.Document{{}, {}, {}, another}))
	require.Empty(t, recall(r, "quorum"), "there are two headings")
}

// No one waits for the latent semantics of a large memory.
func TestRecallInALargeMemory(t *testing.T) {
	r := moment(t, repository(t, repotest.NewTalk().Memory(50, when.MaxPatientSections+1)), t.TempDir(), settled())
	l, err := when.OpenCached(r)
	require.NoError(t, err)
	_, err = l.Recall(query, 3)
	require.NoError(t, err)
	file, err := when.CacheFile(r)
	require.NoError(t, err)
	require.NoFileExists(t, file)
}

// The command writes only what is missing.
func TestCacheCommand(t *testing.T) {
	dir, home := repository(t, twoFiles()), repotest.Home(t)
	env := cli.Env{Dir: t.TempDir(), Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": home}[name] }}
	r := moment(t, dir, home, settled())
	file, err := when.CacheFile(r)
	require.NoError(t, err)
	require.NoError(t, when.CacheRepository(env, dir, time.Now()))
	require.NoFileExists(t, file, "the files were changed just now")
	require.NoError(t, when.CacheRepository(env, dir, settled()))
	cached, err := when.FromCache(r, query, every)
	require.NoError(t, err)
	require.NotEmpty(t, cached)
	before, err := os.Stat(file)
	require.NoError(t, err)
	require.NoError(t, when.CacheRepository(env, dir, settled()))
	after, err := os.Stat(file)
	require.NoError(t, err)
	require.True(t, os.SameFile(before, after))
}

// Indexes are private, and few. What else lies in their folder stays there.
func TestCachesArePrivateAndFew(t *testing.T) {
	home := repotest.Home(t)
	folder := filepath.Join(home, "recall")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	long := time.Now().Add(-time.Hour)
	write := func(name string, at time.Time) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
		require.NoError(t, os.Chtimes(filepath.Join(folder, name), at, at))
	}
	for i := range 30 {
		write(fmt.Sprintf("%02d.idx", i), long.Add(time.Duration(i)*time.Minute))
	}
	write(".abandoned.idx.1", long)
	write(".at-work.idx.2", time.Now())
	write("mine.txt", long)
	write(".lock", long)
	m := moment(t, repository(t, twoFiles()), home, settled())
	writeCache(t, m)
	file, err := when.CacheFile(m)
	require.NoError(t, err)
	want := []string{".at-work.idx.2", ".lock", "mine.txt", filepath.Base(file)}
	for i := 11; i < 30; i++ {
		want = append(want, fmt.Sprintf("%02d.idx", i))
	}
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	require.ElementsMatch(t, want, got)
	if runtime.GOOS != "windows" {
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode())
	}
}

// Who changes what an index is made of has to change cacheFormat, and who changes its
// layout or how words are read indexFormat in package rank: an index of the version before
// would be believed. Then this sum changes too.
func TestFormatOfTheCache(t *testing.T) {
	l, err := when.Open(twoFiles(), config.Default())
	require.NoError(t, err)
	documents, err := when.Documents(l)
	require.NoError(t, err)
	require.Len(t, documents, 2)
	documents = append(documents, rank.Document{Trigger: "retryCount HTTPServer __init__ PLR0915", Title: "foo_bar-baz x2y \xff ünï 日本", Body: "don't APIs v1.2"})
	sum := sha256.Sum256(rank.NewIndex(documents).Encode())
	require.Equal(t, "b35a2adc01c04011", hex.EncodeToString(sum[:8]))
}
