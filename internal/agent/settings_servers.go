package agent

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// serverProgram is the program that serves the memory to agents.
const serverProgram = "memory-remember"

// ServerFile returns the file of a scope in which the agent lists its MCP servers: its name (with
// slashes) in a folder that it must not lead out of; empty if there is none.
func (c Client) ServerFile(scope Scope, home, project string, getenv func(string) string) (folder, name string) {
	p := c.profile()
	name, found := p.servers[scope]
	switch {
	case !found:
		return "", ""
	case scope == Project:
		return project, name
	}
	if dir := getenv(p.folderVariable); p.folderVariable != "" && dir != "" {
		return dir, path.Base(name)
	}
	return home, name
}

// ListsServer reports whether a file of MCP servers lists the memory's server, for all folders or
// for one of those named. A text that cannot be read lists nothing.
func (c Client) ListsServer(src []byte, folders ...string) bool {
	switch {
	case !bytes.Contains(src, []byte(serverProgram)): // such a file may hold megabytes of other things
		return false
	case c == Codex:
		return listsServerTOML(src)
	case tooDeep(src) >= 0:
		return false
	}
	if c.profile().comments {
		if standard, err := hujson.Standardize(slices.Clone(src)); err == nil {
			src = standard
		}
	}
	type servers map[string]struct {
		Command string `json:"command"`
	}
	var list struct {
		Servers  servers `json:"mcpServers"`
		Projects map[string]struct {
			Servers servers `json:"mcpServers"`
		} `json:"projects"`
	}
	if json.Unmarshal(bytes.TrimPrefix(src, byteOrderMark), &list) != nil {
		return false
	}
	lists := []servers{list.Servers}
	for _, folder := range folders {
		lists = append(lists, list.Projects[folder].Servers)
	}
	for _, servers := range lists {
		for _, s := range servers {
			if isServer(s.Command) {
				return true
			}
		}
	}
	return false
}

// listsServerTOML looks for the command in the tables mcp_servers.NAME.
func listsServerTOML(src []byte) bool {
	within := false
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			within = strings.HasPrefix(line, "[mcp_servers.")
			continue
		}
		key, value, found := strings.Cut(line, "=")
		value, _, _ = strings.Cut(value, " #")
		if within && found && strings.TrimSpace(key) == "command" && isServer(strings.Trim(strings.TrimSpace(value), `"'`)) {
			return true
		}
	}
	return false
}

// isServer reports whether a command is the memory's server, wherever it is installed.
func isServer(command string) bool {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(command, `\`, "/")), ".exe") == serverProgram
}
