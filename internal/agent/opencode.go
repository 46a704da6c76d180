package agent

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
)

//go:embed opencode_plugin.js
var openCodePlugin string

// HasPlugin reports whether the agent runs programs by a plugin, a file that belongs entirely to us, instead of by
// settings for hooks.
func (c Client) HasPlugin() bool { return c == OpenCode }

// Plugin returns the text of the plugin by which OpenCode runs a program at its events.
func Plugin(program string) []byte {
	lines := strings.SplitAfter(openCodePlugin, "\n")
	at := slices.IndexFunc(lines, namesProgram)
	var literal bytes.Buffer
	encoder := json.NewEncoder(&literal) // a JSON string is also one in JavaScript
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(program)
	lines[at] = programLine + literal.String()
	return []byte(strings.Join(lines, ""))
}

// programLine begins the line of a plugin that names the program.
const programLine = "const program = "

func namesProgram(line string) bool { return strings.HasPrefix(line, programLine) }

// PluginProgram returns the program that our plugin, in any version, runs. It returns false for a file that is not
// ours.
func PluginProgram(src []byte) (program string, ours bool) {
	header, _, _ := strings.Cut(openCodePlugin, "\n")
	lines := strings.Split(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n")
	at := slices.IndexFunc(lines, namesProgram)
	if lines[0] != header || at < 0 {
		return "", false
	}
	err := json.Unmarshal([]byte(strings.TrimPrefix(lines[at], programLine)), &program)
	return program, err == nil && program != ""
}
