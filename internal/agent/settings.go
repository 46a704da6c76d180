package agent

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/tailscale/hujson"
)

// Registration is a command that an agent runs at one of its events.
type Registration struct {
	Event   string        // as the agent calls it
	Matcher string        // the tools after which it is run; "" is all
	Command string        // the command line
	Timeout time.Duration // 0: the agent's default
}

// SettingsError reports that a settings file cannot be edited.
type SettingsError struct {
	Line    int // where, from 1
	Message string
}

func (e *SettingsError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Register adds the missing registrations to the text of an agent's settings file. Every byte of the
// text stays; what is added comes last in its list, indented as its neighbours are. Unregister
// removes exactly these bytes.
//
// An empty text is a new file. A text that the agent itself could not read, or whose hooks have an
// unexpected shape, is a *SettingsError.
func (c Client) Register(src []byte, hooks []Registration) ([]byte, error) {
	for _, hook := range hooks {
		d, err := parse(c, src)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(d.handlers(), func(h handler) bool { return h.Registration == hook }) {
			src = d.add([]string{"hooks", hook.Event}, "[]", d.element(hook))
		}
	}
	return src, nil
}

// Unregister removes all registrations whose command is ours. Lists and objects that Register has
// made go with the last of them; elements of others stay. It returns an empty text for a file that
// Register has made, which is to be removed.
func (c Client) Unregister(src []byte, ours func(command string) bool) ([]byte, error) {
	for {
		d, err := parse(c, src)
		if err != nil {
			return nil, err
		}
		handlers := slices.DeleteFunc(d.handlers(), func(h handler) bool { return !ours(h.Command) })
		if len(handlers) == 0 {
			return src, nil
		}
		after := d.remove(handlers[len(handlers)-1]) // the last one first, as Register goes
		if bytes.Equal(after, src) {
			return src, nil
		}
		src = after
	}
}

// Rewrite changes the command lines of the registrations whose command is ours. Every other byte of
// the text stays.
func (c Client) Rewrite(src []byte, ours func(command string) bool, rewrite func(Registration) string) ([]byte, error) {
	d, err := parse(c, src)
	if err != nil {
		return nil, err
	}
	var edits []splicing
	for _, h := range d.handlers() {
		if command := rewrite(h.Registration); ours(h.Command) && command != h.Command {
			edits = append(edits, splicing{h.command.StartOffset, h.command.EndOffset, string(hujson.String(command))})
		}
	}
	return d.splice(edits...), nil
}

// Registered returns the commands that a settings file registers. Elements of other kinds, or of a
// shape that the agent ignores, are left out.
func (c Client) Registered(src []byte) ([]Registration, error) {
	d, err := parse(c, src)
	if err != nil {
		return nil, err
	}
	var all []Registration
	for _, h := range d.handlers() {
		all = append(all, h.Registration)
	}
	return all, nil
}

// DisabledBy returns the setting that switches all hooks off; "" if none does.
func (c Client) DisabledBy(src []byte) (setting string, err error) {
	d, err := parse(c, src)
	if err != nil {
		return "", err
	}
	for _, s := range d.switches {
		if string(literalOf(d.at(s.path))) == s.off {
			return fmt.Sprintf("%s is %s", s.path, s.off), nil
		}
	}
	for _, path := range d.disabled {
		for _, name := range elementsOf(d.at(path)) {
			if literal := literalOf(name); literal != nil && literal.String() == d.commandName {
				return fmt.Sprintf("%s names %s", path, d.commandName), nil
			}
		}
	}
	return "", nil
}

// PluginPrefix begins the name of this project's plugin, whatever marketplace it is from.
const PluginPrefix = "whence@"

// Plugins returns the plugins that a settings file switches on or off, by "name@marketplace". They
// may bring registrations of their own.
func (c Client) Plugins(src []byte) (on map[string]bool, err error) {
	d, err := parse(c, src)
	if err != nil {
		return nil, err
	}
	plugins, _ := d.at("enabledPlugins").Value.(*hujson.Object)
	if plugins == nil {
		return nil, nil
	}
	on = map[string]bool{}
	for _, m := range plugins.Members {
		if value := string(literalOf(m.Value)); value == "true" || value == "false" {
			on[nameOf(m)] = value == "true"
		}
	}
	return on, nil
}
