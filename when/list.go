package when

import (
	"fmt"
	"strings"

	"whence/internal/cli"
	"whence/internal/index"
	"whence/internal/text"
)

// list prints the entries by decision file, of all files or of those named.
func (o *options) list(env cli.Env, l *Library, args []string) error {
	wanted, lines := map[string]bool{}, map[int]bool{} // sections, and the lines of documents
	for _, name := range args {
		if folder := strings.TrimSuffix(strings.TrimSpace(name), "/") + "/"; l.folders[folder] != nil {
			wanted[folder] = true
			continue
		}
		path, err := l.named(strings.TrimSpace(strings.TrimLeft(name, "§. ")))
		if err == nil && l.layout.Section(path) != path {
			line, err := l.lineOf(path)
			if err != nil {
				return err
			}
			lines[line] = true
			continue
		}
		if err != nil {
			writeFailure(env, failure{name, err})
			return cli.ErrFound
		}
		wanted[path] = true
	}
	type listed struct {
		Operator    string `json:"operator"`
		Trigger     string `json:"trigger"`
		Header      string `json:"header"`
		Description string `json:"description"`
		File        string `json:"file"`
		Line        int    `json:"line"`
	}
	entries := []listed{}
	for _, e := range l.entries {
		if len(args) == 0 || wanted[e.section] || lines[e.line] {
			entries = append(entries, listed{e.Operator, e.Trigger.Text, e.Title.Text, e.Description.Text, e.section, e.line})
		}
	}
	if o.format == "json" {
		return text.WriteJSON(env.Stdout, struct {
			Entries []listed `json:"entries"`
		}{entries})
	}
	section := ""
	for _, e := range entries {
		if e.File != section {
			if section != "" {
				fmt.Fprintln(env.Stdout)
			}
			section = e.File
			fmt.Fprintf(env.Stdout, "## %s\n\n", text.Printable(section))
		}
		if _, err := fmt.Fprintln(env.Stdout, text.Shown(env.Stdout, index.FormatEntry(e.Operator, e.Trigger, e.Header, e.Description))); err != nil {
			return err
		}
	}
	return nil
}

// lineOf returns the line of the index that leads to a document, or 0.
func (l *Library) lineOf(name string) (int, error) {
	f, err := l.file(name)
	if err != nil {
		return 0, err
	}
	e, _, _, err := l.entryOf(f)
	return e.line, err
}
