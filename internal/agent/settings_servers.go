package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"whence/internal/text"
)

// ServerName is the name by which files of MCP servers list the memory's server.
const ServerName = "memory"

// ServerProgram is the program that serves the memory to agents, with the argument "serve".
const ServerProgram = "memory-remember"

// ServerFiles returns the files in which the agent may list the user's MCP servers: their names (with
// slashes) in a folder that they must not lead out of.
func (c Client) ServerFiles(home string, getenv func(string) string) (folder string, names []string) {
	p := c.profile()
	for _, name := range p.servers {
		in, below, err := p.locate(User, name, home, "", getenv)
		if err != nil {
			return "", nil
		}
		folder, names = in, append(names, below)
	}
	return folder, names
}

// ServerCommand returns how the user has the agent list the memory's server: a command, or a snippet for
// an agent without one.
func (c Client) ServerCommand(scope Scope, program string) string {
	return fmt.Sprintf(c.profile().addServer, scope, program)
}

// ListsServer reports whether a file of MCP servers lists the memory's server, for all folders or
// for one of those named. A text that cannot be read lists nothing.
func (c Client) ListsServer(src []byte, folders ...string) bool {
	if !bytes.Contains(src, []byte(ServerProgram)) { // such a file may hold megabytes of other things
		return false
	}
	if c == Codex {
		return serverInTOML().Match(src)
	}
	if tooDeep(src) >= 0 {
		return false
	}
	if standard, err := hujson.Standardize(slices.Concat(src, []byte("\n"))); err == nil { // comments, last commas
		src = standard
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
	if c == OpenCode {
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

// serverInTOML matches a table of a server that runs the memory's.
var serverInTOML = text.Lazy(`(?m)^\s*\[mcp_servers\.[^\[]*\bcommand\s*=\s*["'](?:[^"'\n]*[/\\])?memory-remember(?:\.exe)?["']`)

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
