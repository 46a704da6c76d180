package dispatch

import (
	"cmp"
	"embed"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/memory"
	"whence/internal/worktree"
	"whence/skills"
)

// Request is an event, and what is needed to answer it.
type Request struct {
	agent.Event
	Env           cli.Env
	Root          string // of the repository, or the working folder
	Tree          *worktree.Tree
	Config        config.Config // the settings that can be read
	SettingsError error         // the settings that cannot be read
	Home          string        // the folder of package home; "" if there is none: nothing is stored
	Now           time.Time

	handlers []Handler // that want the event
	opening  sync.Once // of memory
	memory   fs.FS

	joining   sync.Once // of decisions
	decisions *memory.Memory
	unread    error
}

// Open finds the repository of an event and reads its settings. A setting that cannot be read does
// not affect the others.
func Open(env cli.Env, e agent.Event, now time.Time) (*Request, error) {
	r := newRequest(env, e, now)
	if err := r.open(); err != nil {
		return nil, err
	}
	return r, nil
}

// newRequest returns what is known of an event before any file is opened. Without a Home, handlers
// that need the store report why; what the repository has decided does not depend on it.
func newRequest(env cli.Env, e agent.Event, now time.Time) *Request {
	r := &Request{Event: e, Env: env, Now: now}
	r.Cwd = cmp.Or(e.Cwd, env.Dir)
	r.Home, _ = home.Dir(env.Getenv)
	return r
}

// open finds the repository and reads its settings.
func (r *Request) open() (err error) {
	r.Root = cli.Root(r.Cwd)
	if r.Tree, err = worktree.Open(r.Root); err != nil {
		return err
	}
	r.Config, r.SettingsError = config.Load(r.Tree, r.Env.Getenv)
	return nil
}

// Memory returns the memory of the repository, which the first call opens. If it cannot be opened, it is
// empty; doctor says why.
func (r *Request) Memory() fs.FS {
	r.opening.Do(func() {
		source, err := r.Config.Memory(r.Tree, r.Env.Getenv, r.Home != "", r.Now, deadlineOf(r.Env)/2)
		if r.memory = source; err != nil {
			r.memory = embed.FS{}
		}
	})
	return r.memory
}

// Decisions returns the memory, which the first call reads and joins.
func (r *Request) Decisions() (*memory.Memory, error) {
	r.joining.Do(func() { r.decisions, r.unread = memory.Open(r.Memory(), r.Config.Layout()) })
	return r.decisions, r.unread
}

// Close releases the repository.
func (r *Request) Close() error { return r.Tree.Close() }

// FromRoot returns a path relative to the repository, whatever links lead to it; for a path outside of
// it, the absolute path. Both have slashes.
func (r *Request) FromRoot(path string) string {
	name, _ := r.name(path)
	return name
}

// name is FromRoot, and reports whether the path is inside the repository.
func (r *Request) name(path string) (name string, inside bool) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Cwd, path)
	}
	if name, inside := worktree.Name(r.Root, path); inside {
		return name, true
	}
	return filepath.ToSlash(path), false
}

// isRegistered reports whether the settings of the event's own agent register a program of whence. Programs that the
// agent also runs because of Claude Code's settings must then be silent.
func (r *Request) isRegistered() bool {
	for _, scope := range []agent.Scope{agent.User, agent.Project} {
		folder, name, err := r.Agent.SettingsFile(scope, home.UserFolder(r.Env.Getenv), cli.Root(r.Cwd), r.Env.Getenv)
		if err != nil {
			continue
		}
		tree, err := worktree.Open(folder)
		if err != nil {
			continue
		}
		src := worktree.ReadBeginning(tree.FS(), name, maxSettingsBytes)
		_ = tree.Close()
		all, _ := r.Agent.Registered([]byte(src)) // what the agent cannot read registers nothing
		for _, hook := range all {
			if strings.Contains(hook.Command, "--agent "+string(r.Agent)) {
				return true
			}
		}
	}
	return false
}

// maxSettingsBytes is more than the size of any settings that register a program.
const maxSettingsBytes = 1 << 20

// pluginVariable is set by Claude Code for the hooks and the server of a plugin.
const pluginVariable = "CLAUDE_PLUGIN_ROOT"

// SessionTools are the means by which an agent reads and writes the memory in a session, besides the
// programs.
type SessionTools struct {
	Skills bool   // /remember and /when, of the plugin or as install has written them
	Folder string // of the programs, if they are not on the PATH
}

// FromPlugin reports whether the event comes from our plugin for Claude Code. The variable alone says
// little: agents let a repository set it.
func (r *Request) FromPlugin() bool {
	dir := r.Env.Getenv(pluginVariable)
	if dir == "" {
		return false
	}
	src, err := worktree.ReadText(os.DirFS(dir), ".claude-plugin/plugin.json")
	var plugin struct{ Name string }
	return err == nil && json.Unmarshal(src, &plugin) == nil && plugin.Name+"@" == agent.PluginPrefix
}

// Tools returns the tools of a session.
func (r *Request) Tools() SessionTools {
	return SessionTools{r.FromPlugin() || r.hasSkills(), cli.ProgramsFolder(r.Env, "memory-remember")}
}

// maxSkillBytes is more than the size of our skill remember.
const maxSkillBytes = 16 << 10

// hasSkills reports whether our skill remember is among the user's skills of the agent.
func (r *Request) hasSkills() bool {
	folder, below, err := r.Agent.SkillsFolder(home.UserFolder(r.Env.Getenv), r.Env.Getenv)
	if err != nil {
		return false
	}
	skill := worktree.ReadBeginning(os.DirFS(folder), path.Join(below, "remember", skills.FileName), maxSkillBytes)
	return strings.Contains(skill, "memory-remember")
}
