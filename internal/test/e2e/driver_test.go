package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/model"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// scene has what an agent runs in: a project, a user, and a model that follows a script. In its texts, @PROJECT@ and
// @HOME@ are the folders of both, and @MODEL@ is the address of the model.
type scene struct {
	bin      string            // the folders of the PATH that come before those of the system
	files    map[string]string // of the project
	home     map[string]string // of the user
	settings string            // of the user, for all projects
	env      map[string]string
	runs     [][]string // programs with their arguments, one after the other
	routes   []model.Route
}

// played is the outcome of a scene.
type played struct {
	project  string   // its folder
	home     string   // that of the user
	store    string   // what WHENCE_HOME names
	requests []string // the texts of each request to the model, in order
}

// play plays a scene in a network that has nothing but the model.
func play(t *testing.T, sc scene) played {
	t.Helper()
	repotest.Program(t, "bash") // the shell of the agents
	dir := repotest.TempDir(t)
	p := sc.prepared(t, dir)
	env := map[string]string{
		"PATH": sc.bin + ":/usr/local/bin:/usr/bin:/bin", "HOME": p.home, "TMPDIR": repotest.TempDir(t), "WHENCE_HOME": p.store,
		"LANG": "C.UTF-8", "SHELL": "/bin/bash", "TERM": "dumb",
	}
	maps.Copy(env, sc.env)
	s := script{Dir: p.project, Runs: sc.runs, Routes: sc.routes}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		s.Env = append(s.Env, name+"="+env[name])
	}
	src, err := json.Marshal(s)
	require.NoError(t, err)
	p.write(t, dir, scriptFile, string(src))

	log, err := os.Create(filepath.Join(dir, "log"))
	require.NoError(t, err)
	defer log.Close()
	job := repotest.NewJob(playing, dir)
	job.SysProcAttr, job.Stdout, job.Stderr = offline(t), log, log
	failed := job.Run()
	t.Cleanup(func() {
		if said, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("what the agents printed:\n%s", said)
		}
	})
	require.NoError(t, failed)
	src, err = os.ReadFile(filepath.Join(dir, requestsFile))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(src, &p.requests))
	require.NotEmpty(t, p.requests)
	return p
}

// prepared makes the project, a repository, and the home and the store of its user.
func (sc scene) prepared(t *testing.T, dir string) played {
	t.Helper()
	p := played{project: filepath.Join(dir, "project"), home: filepath.Join(dir, "home"), store: storetest.ConsentingClaim(t, filepath.Join(dir, "store"))}
	for name, text := range sc.files {
		p.write(t, p.project, name, text)
	}
	for name, text := range sc.home {
		p.write(t, p.home, name, text)
	}
	p.write(t, p.store, config.UserFile, sc.settings)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "begin"}} {
		git := exec.Command("git", args...)
		git.Dir, git.Env = p.project, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home}
		out, err := git.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	return p
}

// write writes a file in which the project and the home have their paths.
func (p played) write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	text = strings.NewReplacer("@PROJECT@", p.project, "@HOME@", p.home).Replace(text)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

const (
	playing      = "play" // the name of the job
	scriptFile   = "script.json"
	requestsFile = "requests.json"
)

// script returns the work of another process, which gets a network of its own.
type script struct {
	Dir    string
	Env    []string
	Runs   [][]string
	Routes []model.Route
}

// perform does what the script in a folder says, and writes there what the model was asked. That a program fails is for
// the test to find: some do because their model says so.
func perform(dir string, _ []string) error {
	src, err := os.ReadFile(filepath.Join(dir, scriptFile))
	if err != nil {
		return err
	}
	if err := loopback(); err != nil {
		return fmt.Errorf("bring up the loopback interface: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	var s script
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(src), "@MODEL@", "http://"+listener.Addr().String())), &s); err != nil {
		return err
	}
	m := &model.Model{Routes: s.Routes}
	go func() { _ = http.Serve(listener, m) }()
	for _, args := range s.Runs {
		fmt.Printf("$ %q\n", args)
		if err := runWithin(5*time.Minute, s, args); err != nil {
			fmt.Println(err)
		}
	}
	src, err = json.Marshal(m.Requests())
	return errors.Join(err, os.WriteFile(filepath.Join(dir, requestsFile), src, 0o644))
}

// runWithin runs a program. One that hangs is killed.
func runWithin(limit time.Duration, s script, args []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.Dir, s.Env, os.Stdout, os.Stderr
	return cmd.Run()
}

// first is the number of the first request in which the model was sent a text, from 1; 0 if there is none.
func (p played) first(text string) int {
	return 1 + slices.IndexFunc(p.requests, func(request string) bool { return strings.Contains(request, text) })
}

// texts are the files below a folder.
func texts(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		all[name] = string(text)
		return err
	}))
	return all
}
