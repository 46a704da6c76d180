package agent

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// ServerName is the name by which files of MCP servers list the memory's server.
const ServerName = "memory"

// ServerProgram is the program that serves the memory to agents, with the argument "serve".
const ServerProgram = "memory-remember"

// ServerFiles returns the files of a scope in which the agent may list its MCP servers: their names
// (with slashes) in a folder that they must not lead out of. The first is made if there is none.
func (c Client) ServerFiles(scope Scope, home, project string, getenv func(string) string) (folder string, names []string) {
	p := c.profile()
	if scope == Local { // the user's, for one folder
		scope = User
		if !p.serverCommands {
			return "", nil
		}
	}
	for _, name := range p.servers[scope] {
		in, below, err := p.locate(scope, name, home, project, getenv)
		if err != nil {
			return "", nil
		}
		folder, names = in, append(names, below)
	}
	return folder, names
}

// ServerCommand returns the commands by which the user has the agent list the memory's server in a
// scope, and remove it; empty if the file can be edited. Claude Code writes the user's all the time.
func (c Client) ServerCommand(scope Scope, program string) (add, remove string) {
	if !c.profile().serverCommands || scope == Project {
		return "", ""
	}
	head, tail := string(c)+" mcp ", " --scope "+string(scope)+" "+ServerName
	return head + "add" + tail + " -- " + program + " serve", head + "remove" + tail
}

// ServersInSettings reports whether the agent's settings files also list its MCP servers.
func (c Client) ServersInSettings() bool {
	p := c.profile()
	return slices.Contains(p.servers[User], p.files[User])
}

// ListsServer reports whether a file of MCP servers lists the memory's server, for all folders or
// for one of those named. A text that cannot be read lists nothing.
func (c Client) ListsServer(src []byte, folders ...string) bool {
	p := c.profile()
	switch {
	case !bytes.Contains(src, []byte(ServerProgram)): // such a file may hold megabytes of other things
		return false
	case p.server == "":
		return listsServerTOML(src)
	case tooDeep(src) >= 0:
		return false
	}
	if p.comments || p.serverComments {
		if standard, err := hujson.Standardize(slices.Concat(src, []byte("\n"))); err == nil {
			src = standard
		}
	}
	type servers map[string]json.RawMessage
	var list struct {
		Servers  servers `json:"mcpServers"`
		OpenCode servers `json:"mcp"`
		Projects map[string]struct {
			Servers servers `json:"mcpServers"`
		} `json:"projects"`
	}
	if json.Unmarshal(bytes.TrimPrefix(src, byteOrderMark), &list) != nil {
		return false
	}
	lists := []servers{list.Servers}
	if p.serverList != "" {
		lists[0] = list.OpenCode
	}
	for _, folder := range folders {
		lists = append(lists, list.Projects[folder].Servers)
	}
	for _, servers := range lists {
		for _, s := range servers {
			if isServer(commandOf(s)) {
				return true
			}
		}
	}
	return false
}

// commandOf returns the program of a server, whose command is a string or a list; "" for anything else.
func commandOf(server []byte) (program string) {
	var entry struct {
		Command json.RawMessage `json:"command"`
	}
	if json.Unmarshal(server, &entry) != nil || json.Unmarshal(entry.Command, &program) == nil {
		return program
	}
	var line []string
	if json.Unmarshal(entry.Command, &line) != nil || len(line) == 0 {
		return ""
	}
	return line[0]
}

// isServer reports whether a command is the memory's server, wherever it is installed.
func isServer(command string) bool {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(command, `\`, "/")), ".exe") == ServerProgram
}
