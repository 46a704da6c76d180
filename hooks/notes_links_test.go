package hooks_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// git runs git in a folder, without the settings of the user.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "core.symlinks=true", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
	return string(out)
}

// cloneOf commits files and links, and returns a clone of them with a git hook.
func cloneOf(t *testing.T, texts, links map[string]string) string {
	t.Helper()
	origin, clone := t.TempDir(), filepath.Join(t.TempDir(), "clone")
	git(t, origin, "init", "-q", "-b", "main")
	for name, text := range texts {
		name = filepath.Join(origin, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	for name, target := range links {
		name = filepath.Join(origin, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		if err := os.Symlink(filepath.FromSlash(target), name); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	git(t, origin, "add", "-A")
	git(t, origin, "commit", "-qm", "a")
	git(t, origin, "clone", "-q", origin, clone)
	git(t, clone, "pack-refs", "--all")
	require.NoError(t, os.MkdirAll(filepath.Join(clone, ".git", "hooks"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(clone, ".git", "hooks", "post-checkout"), []byte("#!/bin/sh\nexit 0\n"), 0o755))
	git(t, clone, "status")
	return clone
}

// texts returns the texts of the files in a folder, except git's index, which git itself writes.
func texts(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && e.Name() != "index" {
			var text []byte
			text, err = os.ReadFile(name)
			all[name] = string(text)
		}
		return err
	}))
	return all
}

// A cloned repository may have links among its notes. Nothing is written through them, whatever an error says; the log
// names them, and the other notes are kept.
func TestNotesFollowNoLinksOfAClone(t *testing.T) {
	program := repotest.Build(t, t.TempDir(), "whence/hooks/memory-hooks")
	notes := []string{"context.md", "findings.md", "decisions.md", "errors.log", "session.json", ".session.json.whence-new", "errors.log.1", "session.json.bad"}
	cases := map[string]map[string]string{
		"folder":           {".memory": ".git"},
		"folder of hooks":  {".memory": ".git/hooks"},
		"folder elsewhere": {".memory": "src"},
		"letter case":      {".memory": ".GIT"},
		"by another link":  {".memory": "agents/git", "agents/git": "../.git"},
		"source file":      {".memory/context.md": "../src/main.go", ".memory/errors.log": "../src/main.go"},
		"new hook":         {".memory/errors.log": "../.git/hooks/pre-commit", ".memory/context.md": "../.git/hooks/pre-push"},
	}
	for _, target := range []string{"config", "HEAD", "index", "packed-refs", "hooks/post-checkout", "info/exclude"} {
		cases[target] = map[string]string{}
		for _, note := range notes {
			cases[target][".memory/"+note] = "../.git/" + target
		}
	}
	for name, links := range cases {
		t.Run(name, func(t *testing.T) {
			home := storetest.ConsentingHome(t)
			clone := cloneOf(t, map[string]string{
				".whence.yaml": "memory_notes_enabled: true\n", "src/main.go": "package main\n", "agents/memory-index.md": "",
			}, links)
			switchOnNotes(t, home)
			before, source := texts(t, filepath.Join(clone, ".git")), texts(t, filepath.Join(clone, "src"))
			ask := func(event string, fields map[string]any) {
				fields["session_id"], fields["cwd"] = "s", clone
				input, err := json.Marshal(fields)
				require.NoError(t, err)
				cmd := exec.Command(program, event, "--agent", "claude")
				cmd.Dir, cmd.Stdin = clone, strings.NewReader(string(input))
				cmd.Env = append(os.Environ(), "WHENCE_HOME="+home, "GIT_CONFIG_GLOBAL="+os.DevNull)
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s", out)
			}
			ask("SessionStart", map[string]any{"source": "startup"})
			for range 3 { // which becomes a lesson
				ask("PostToolUseFailure", map[string]any{
					"tool_name": "Bash", "tool_input": map[string]any{"command": "make"},
					"error": "Exit code 1\nerror: attacker\n[core]\n\tfsmonitor = touch attacker\nref: refs/heads/attacker\n#!/bin/sh\ntouch attacker",
				})
			}
			ask("UserPromptSubmit", map[string]any{"prompt": "fix what the attacker has broken"})
			ask("PostToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "make"}, "tool_response": "attacker"})
			ask("SessionEnd", map[string]any{})

			require.Equal(t, before, texts(t, filepath.Join(clone, ".git")))
			require.Equal(t, source, texts(t, filepath.Join(clone, "src")))
			index, err := os.ReadFile(filepath.Join(clone, ".git", "index"))
			require.NoError(t, err)
			require.NotContains(t, string(index), "attacker")
			git(t, clone, "fsck", "--strict")
			git(t, clone, "status")

			log, _ := os.ReadFile(dispatch.FaultLog(home))
			switch {
			case links[".memory"] != "":
				require.Contains(t, string(log), ".memory: it is a link, or not a folder")
			default:
				for note := range links {
					if base := filepath.Base(note); base == "errors.log" || base == "context.md" && len(links) == 2 {
						require.Contains(t, string(log), note+" is a link", "all: %s", log)
					}
				}
			}
		})
	}
}

// switchOnNotes switches on notes in the user's settings.
func switchOnNotes(t *testing.T, home string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(home, config.UserFile), []byte("memory_notes_enabled: true\n"), 0o600))
}

// One note that is a link does not keep the others from being written.
func TestOtherNotesGoOn(t *testing.T) {
	home := storetest.ConsentingHome(t)
	clone := cloneOf(t, map[string]string{".whence.yaml": "memory_notes_enabled: true\n", "agents/memory-index.md": ""},
		map[string]string{".memory/errors.log": "../.git/config", ".memory/findings.md": "../.git/HEAD"})
	switchOnNotes(t, home)
	ask(t, clone, home, "SessionStart", []byte(start))
	ask(t, clone, home, "UserPromptSubmit", []byte(`{"session_id":"s","prompt":"make the buoys of the harbour blink"}`))
	ask(t, clone, home, "PostToolUseFailure", []byte(`{"session_id":"s","tool_name":"Bash","tool_input":{"command":"make"},"error":"Exit code 2\nattacker"}`))
	require.Contains(t, readNote(t, clone, "context.md"), "Task: make the buoys of the harbour blink")
	require.Contains(t, readNote(t, clone, "session.json"), `"sessionId": "s"`)
	require.FileExists(t, filepath.Join(clone, ".memory", "decisions.md"))
	log, err := os.ReadFile(dispatch.FaultLog(home))
	require.NoError(t, err)
	require.Contains(t, string(log), ".memory/errors.log is a link, or not a regular file: remove it, and a new file is made")
	require.Contains(t, string(log), ".memory/findings.md is a link, or not a regular file: remove it, and a new file is made")
	for line := range strings.Lines(string(log)) {
		require.Less(t, len(line), 500, "one line each")
	}
}

// Settings of a project are not written through a link into a git directory.
func TestSettingsFollowNoLinkIntoGit(t *testing.T) {
	clone := cloneOf(t, map[string]string{"x": ""}, map[string]string{".claude": ".git"})
	before := texts(t, filepath.Join(clone, ".git"))
	program := repotest.Build(t, t.TempDir(), "whence/hooks/memory-hooks")
	cmd := exec.Command(program, "install", "--yes", "--scope", "project")
	cmd.Dir, cmd.Env = clone, append(os.Environ(), "WHENCE_HOME="+storetest.ConsentingHome(t), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	require.Error(t, err, string(out))
	require.Contains(t, string(out), "leads into a git directory")
	require.Equal(t, before, texts(t, filepath.Join(clone, ".git")))
}
