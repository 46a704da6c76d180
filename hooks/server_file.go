package hooks

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/text"
)

// serverFile is a file in which an agent lists its MCP servers, apart from its settings.
type serverFile struct {
	agentFile
	client agent.Client
	entry  agent.ServerEntry
	err    error // why the file cannot be used
}

// editServersFunc returns a new version of a file of MCP servers.
type editServersFunc func(*serverFile) (edited, error)

// openServers reads the file in which an agent lists its MCP servers: of several, the one that lists ours,
// or the first that exists. It returns nil if there is none that install edits, apart from the settings.
func openServers(env cli.Env, c agent.Client, scope agent.Scope, project string) (found *serverFile, err error) {
	if _, remove := c.ServerCommand(scope, ""); remove != "" || c.ServersInSettings() {
		return nil, nil
	}
	folder, names := c.ServerFiles(scope, home.UserFolder(env.Getenv), project, env.Getenv)
	for _, name := range names {
		f := &serverFile{agentFile: newAgentFile(folder, name), client: c}
		if scope != agent.User {
			f.ownFolders = strings.Count(name, "/")
		}
		if err := f.read(); err != nil {
			return nil, err
		}
		f.entry, err = c.Server(f.src)
		f.err = f.wrap(err)
		if found == nil || f.entry.IsOurs || f.exists && !found.exists {
			found = f
		}
		if f.entry.IsOurs {
			break
		}
	}
	return found, nil
}

// verifyServer finds the program that agents start as MCP server.
func (o *registerOptions) verifyServer() error {
	if o.server = agent.ServerProgram; !o.mcp || o.scope == agent.Project {
		return nil
	}
	path, err := exec.LookPath(filepath.Join(filepath.Dir(o.program), agent.ServerProgram)) // as this program was called
	if err != nil {
		path = cli.Program(agent.ServerProgram)
	}
	if path == "" {
		return fmt.Errorf("--mcp needs %s, which is neither beside this program nor on the PATH: install it (go install ./remember/%[1]s)", agent.ServerProgram)
	}
	o.server = path
	return nil
}

func serverLine(outcome string) string { return fmt.Sprintf("%-18s  %s", "MCP server", outcome) }

// addServer adds our server to the text of a file, with a line about it, given what the file had before.
// An entry of the user's stays.
func (o *registerOptions) addServer(c agent.Client, entry agent.ServerEntry, e *edited) (err error) {
	outcome := o.done("listed as " + agent.ServerName)
	switch {
	case entry.IsOurs && entry.Program == o.server:
		outcome = "already listed as " + agent.ServerName
	case entry.IsOurs:
		outcome = o.done("listed again as "+agent.ServerName) + ": it ran " + text.Printable(entry.Program)
	case entry.Exists:
		outcome = "left as it is: this file lists a server of yours as " + agent.ServerName
	case c.ListsServer(e.after):
		outcome = "already listed by another name"
		e.lines = append(e.lines, serverLine(outcome))
		return nil
	}
	e.lines = append(e.lines, serverLine(outcome))
	e.after, err = c.AddServer(e.after, o.server)
	return err
}

// addServerBeside adds our server to settings that are edited, if the agent lists servers there. One that
// was there before stays, also without --mcp.
func (o *registerOptions) addServerBeside(f *settingsFile, e *edited) (err error) {
	switch {
	case !f.client.ServersInSettings():
	case o.mcp:
		err = o.addServer(f.client, f.server, e)
	case f.server.IsOurs:
		e.after, err = f.client.AddServer(e.after, f.server.Program)
	}
	return err
}

// listServer has an agent list our server in the file that it has for that.
func (o *registerOptions) listServer(f *serverFile) (e edited, err error) {
	switch e.after = f.src; {
	case !o.mcp:
		return e, nil
	case f.err != nil:
		return e, f.err
	}
	if err = o.addServer(f.client, f.entry, &e); err == nil && len(f.src) == 0 && f.wasEmpty() {
		e.after = bytes.TrimSuffix(e.after, []byte("\n"))
	}
	return e, err
}

// unlistServer removes our server from the file.
func (o *registerOptions) unlistServer(f *serverFile) (e edited, err error) {
	switch e.after = f.src; {
	case !f.mentionsServer():
		return e, nil
	case f.err != nil:
		return e, f.err
	case !f.entry.IsOurs:
		e.lines = []string{serverLine("left as it is: the entry is not as install writes it")}
		return e, nil
	}
	e.lines = []string{serverLine(o.done("removed"))}
	e.after, err = f.client.RemoveServer(f.src)
	return e, err
}

// mentionsServer reports whether the file may list our server; if not, it need not be readable.
func (f *serverFile) mentionsServer() bool { return bytes.Contains(f.src, []byte(agent.ServerProgram)) }

// prepareServers reads the file in which an agent lists its servers, and edits its text; nil if it has
// none for that, or there is nothing to do.
func (o *registerOptions) prepareServers(c agent.Client, edit editServersFunc) (*agentFile, edited, error) {
	f, err := openServers(o.env, c, o.scope, project(o.env, o.dir))
	if err != nil || f == nil {
		return nil, edited{}, err
	}
	e, err := edit(f)
	if len(e.lines) == 0 {
		return nil, e, err
	}
	e.title = fmt.Sprintf("%s, %s MCP servers, %s", c.Title(), o.scope, f.path)
	return &f.agentFile, e, err
}

// makeServers changes the file in which an agent lists its servers, and prints how.
func (o *registerOptions) makeServers(c agent.Client, edit editServersFunc) error {
	return o.change(func() (*agentFile, edited, error) { return o.prepareServers(c, edit) })
}

// installServer has an agent list our server, or prints how the user can.
func (o *registerOptions) installServer(c agent.Client) error {
	if !o.mcp {
		return nil
	}
	add, _ := c.ServerCommand(o.scope, cli.Word(o.server))
	switch {
	case add == "":
		return o.makeServers(c, o.listServer)
	case o.diff:
	case o.listsOutside(c):
		fmt.Fprintf(o.env.Stdout, "  %s\n", serverLine("already listed"))
	default:
		fmt.Fprintf(o.env.Stdout, "  %s\n", serverLine("to add it, type: "+add))
	}
	return nil
}

// listsOutside reports whether a file that install does not edit lists our server.
func (o *registerOptions) listsOutside(c agent.Client) bool {
	root := project(o.env, o.dir)
	folder, names := c.ServerFiles(o.scope, home.UserFolder(o.env.Getenv), root, o.env.Getenv)
	for _, name := range names {
		f := newAgentFile(folder, name)
		folders := []string{root}
		if o.scope == agent.User {
			folders = nil
		}
		if f.read() == nil && c.ListsServer(f.src, folders...) {
			return true
		}
	}
	return false
}

// printServersOutside prints how to remove our server where uninstall cannot.
func (o *registerOptions) printServersOutside() {
	for _, c := range agent.Clients {
		if _, remove := c.ServerCommand(o.scope, ""); remove != "" && o.listsOutside(c) {
			fmt.Fprintf(o.env.Stdout, "%s still lists the MCP server; to remove it: %s\n", c.Title(), remove)
		}
	}
}
