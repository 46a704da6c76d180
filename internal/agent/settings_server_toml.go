package agent

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// serverTables is the table that holds those of the servers.
const serverTables = "mcp_servers"

// serversTOML is a parsed file of MCP servers in TOML.
type serversTOML struct {
	src   []byte
	items []tomlItem
	entry ServerEntry
	ours  []tomlItem // the header and the keys of our entry
}

func parseServersTOML(src []byte) (t serversTOML, err error) {
	t.src = src
	if t.items, err = scanTOML(src); err != nil {
		return t, err
	}
	own := []string{serverTables, ServerName}
	first := slices.IndexFunc(t.items, func(i tomlItem) bool { return i.isIn(own) })
	if first < 0 {
		return t, nil
	}
	t.entry.Exists = true
	last := first
	for last+1 < len(t.items) && t.items[last+1].isIn(own) {
		last++
	}
	table := t.items[first : last+1]
	if slices.ContainsFunc(t.items[last+1:], func(i tomlItem) bool { return i.isIn(own) }) {
		return t, nil
	}
	command, args := t.value(table, "command"), t.value(table, "args")
	program, ok := unquoteTOML(command)
	header := table[0]
	if len(table) == 3 && header.isHeader && !header.isElement && len(header.path) == 2 &&
		ok && isServer(program) && strings.Join(strings.Fields(string(args)), "") == `["serve"]` {
		t.ours, t.entry.IsOurs, t.entry.Program = table, true, program
	}
	return t, nil
}

// isIn reports whether an item is a table, or something in it.
func (i tomlItem) isIn(table []string) bool {
	return len(i.path) >= len(table) && slices.Equal(i.path[:len(table)], table)
}

// value returns the text of the value of a key in a table.
func (t serversTOML) value(table []tomlItem, key string) []byte {
	for _, i := range table {
		if !i.isHeader && len(i.path) == 3 && i.path[2] == key {
			return t.src[i.value:i.end]
		}
	}
	return nil
}

// addServerTOML adds a table at the end, after a line end: for removal, the line end before the table is
// ours, whether the text ended with one or not.
func addServerTOML(src []byte, program string) ([]byte, error) {
	t, err := parseServersTOML(src)
	if err != nil {
		return nil, err
	}
	command := quoteTOML(program)
	if t.entry.Exists {
		if !t.entry.IsOurs || t.entry.Program == program {
			return src, nil
		}
		for _, i := range t.ours {
			if i.path[len(i.path)-1] == "command" {
				return slices.Concat(src[:i.value], []byte(command), src[i.end:]), nil
			}
		}
	}
	for _, i := range t.items {
		if len(i.path) == 1 && i.path[0] == serverTables && (!i.isHeader || i.isElement) {
			return nil, &SettingsError{1 + bytes.Count(src[:i.start], []byte("\n")), "no table can be added to " + serverTables + ": write it as tables, [" + serverTables + ".NAME]"}
		}
	}
	table := "[" + serverTables + "." + ServerName + "]\ncommand = " + command + "\nargs = [\"serve\"]\n"
	if len(bytes.TrimPrefix(src, byteOrderMark)) > 0 {
		table = "\n" + table
	}
	if end := bytes.IndexByte(src, '\n'); end > 0 && src[end-1] == '\r' {
		table = strings.ReplaceAll(table, "\n", "\r\n")
	}
	return append(slices.Clone(src), table...), nil
}

// removeServerTOML removes our table, and the line end before it if that is ours or follows another one.
func removeServerTOML(src []byte) ([]byte, error) {
	t, err := parseServersTOML(src)
	if err != nil || t.ours == nil {
		return src, err
	}
	start, end := bytes.LastIndexByte(src[:t.ours[0].start], '\n')+1, t.ours[2].end
	if start == 0 {
		start = t.ours[0].start // after a byte-order mark
	}
	lineEnd := []byte("\n")
	if at := t.ours[0].end; bytes.HasPrefix(src[at:], []byte("\r\n")) {
		lineEnd = []byte("\r\n")
	}
	if next := bytes.IndexByte(src[end:], '\n'); next >= 0 {
		end += next + 1
	} else {
		end = len(src)
	}
	before := bytes.TrimSuffix(src[:start], lineEnd)
	if end < len(src) && !bytes.HasSuffix(before, []byte("\n")) {
		before = src[:start]
	}
	return slices.Concat(before, src[end:]), nil
}

// quoteTOML returns a string as it is written in TOML: as in JSON.
func quoteTOML(s string) string {
	quoted, _ := json.Marshal(s)
	return strings.ReplaceAll(string(quoted), "\x7f", `\u007f`)
}

// listsServerTOML reports whether one of the tables of servers runs the memory's.
func listsServerTOML(src []byte) bool {
	t, err := parseServersTOML(src)
	return err == nil && slices.ContainsFunc(t.items, func(i tomlItem) bool {
		if i.isHeader || len(i.path) != 3 || i.path[0] != serverTables || i.path[2] != "command" {
			return false
		}
		command, ok := unquoteTOML(src[i.value:i.end])
		return ok && isServer(command)
	})
}
