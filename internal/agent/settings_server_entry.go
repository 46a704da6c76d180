package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/tailscale/hujson"
)

// ServerEntry describes the entry ServerName of a file of MCP servers.
type ServerEntry struct {
	Exists  bool
	IsOurs  bool   // it says what AddServer writes, and nothing else
	Program string // of ours
}

// Server returns the entry ServerName of a file of MCP servers. A text that the agent itself could not
// read, or whose list has an unexpected shape, is a *SettingsError.
func (c Client) Server(src []byte) (ServerEntry, error) {
	if c.profile().server == "" {
		t, err := parseServersTOML(src)
		return t.entry, err
	}
	d, err := c.parseServers(src)
	if err != nil {
		return ServerEntry{}, err
	}
	return d.entry, nil
}

// AddServer adds to the text of a file of MCP servers an entry by which the agent starts the memory's
// server, or has ours run another path. Every other byte stays; RemoveServer removes exactly what is
// added. An entry of somebody else's stays as it is.
func (c Client) AddServer(src []byte, program string) ([]byte, error) {
	if c.profile().server == "" {
		return addServerTOML(src, program)
	}
	d, err := c.parseServers(src)
	switch {
	case err != nil:
		return nil, err
	case d.entry.IsOurs && d.entry.Program != program:
		return d.splice(splicing{d.program.StartOffset, d.program.EndOffset, string(hujson.String(program))}), nil
	case d.entry.Exists:
		return src, nil
	}
	value, err := hujson.Parse(d.newEntry(program))
	if err != nil {
		return nil, err
	}
	return d.add([]string{d.list}, "{}", member(ServerName, itemOf(value))), nil
}

// RemoveServer removes our entry from the text of a file of MCP servers, and the objects that
// AddServer has made. It returns an empty text for a file that AddServer has made.
func (c Client) RemoveServer(src []byte) ([]byte, error) {
	if c.profile().server == "" {
		return removeServerTOML(src)
	}
	d, err := c.parseServers(src)
	if err != nil || !d.entry.IsOurs {
		return src, err
	}
	servers := d.root.Value.(*hujson.Object).Members[d.at.outer].Value
	return d.removeAt(step{servers, d.at.inner}, step{*d.root, d.at.outer}), nil
}

// serversDocument is a parsed file of MCP servers.
type serversDocument struct {
	*document
	template string // of an entry
	entry    ServerEntry
	at       struct{ outer, inner int } // the indexes of the list and of the entry
	program  hujson.Value               // of our entry
}

func (c Client) parseServers(src []byte) (*serversDocument, error) {
	p := c.profile()
	file := &profile{title: p.title, comments: p.comments || p.serverComments, lastCommas: p.serverComments}
	if p.serverSchema != "" {
		file.formatKey, file.format = "$schema", string(hujson.String(p.serverSchema))
	}
	d := &serversDocument{document: &document{profile: file, list: cmp.Or(p.serverList, "mcpServers")}, template: p.server}
	if err := d.parse(src); err != nil || d.root == nil {
		return d, err
	}
	if list := memberOf(*d.root, d.list); list.Value != nil && list.Value.Kind() != '{' {
		return nil, d.errorAt(list.StartOffset, "%q is %s, but must be an object, {…}: replace it with one, or remove it", d.list, describe(list))
	}
	for oi, list := range d.root.Value.(*hujson.Object).Members {
		servers, isObject := list.Value.Value.(*hujson.Object)
		if nameOf(list) != d.list || !isObject {
			continue
		}
		for ii, server := range servers.Members {
			if nameOf(server) == ServerName {
				d.entry.Exists, d.at.outer, d.at.inner = true, oi, ii
				d.readEntry(server.Value)
			}
		}
	}
	return d, nil
}

// readEntry reads an entry, and whether it is ours.
func (d *serversDocument) readEntry(v hujson.Value) {
	d.program = memberOf(v, "command")
	if line := elementsOf(d.program); len(line) > 0 {
		d.program = line[0]
	}
	d.entry.Program = ""
	if literal := literalOf(d.program); literal != nil {
		d.entry.Program = literal.String()
	}
	var got, want any
	v = v.Clone()
	v.Standardize()
	d.entry.IsOurs = isServer(d.entry.Program) &&
		json.Unmarshal(v.Pack(), &got) == nil && json.Unmarshal(d.newEntry(d.entry.Program), &want) == nil && reflect.DeepEqual(got, want)
}

// newEntry returns the entry that runs a program, in standard JSON.
func (d *serversDocument) newEntry(program string) []byte {
	return fmt.Appendf(nil, d.template, string(hujson.String(program)))
}

// itemOf writes a value in the layout of the text around it.
func itemOf(v hujson.Value) item {
	var items []item
	switch v := v.Value.(type) {
	case *hujson.Object:
		for _, m := range v.Members {
			items = append(items, member(nameOf(m), itemOf(m.Value)))
		}
		return list("{}", items...)
	case *hujson.Array:
		for _, e := range v.Elements {
			items = append(items, itemOf(e))
		}
		return list("[]", items...)
	}
	return literal(string(literalOf(v)))
}
