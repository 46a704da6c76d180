package agent

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
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

// Register adds the missing registrations to the text of an agent's settings file. Every byte of the
// text stays; what is added comes first in its list, indented as its neighbours are. Unregister
// removes exactly these bytes.
//
// An empty text is a new file. A text that the agent itself could not read, or whose hooks have an
// unexpected shape, is a *SettingsError.
func (c Client) Register(src []byte, hooks []Registration) ([]byte, error) {
	for _, hook := range slices.Backward(hooks) {
		d, err := parseSettings(c, src)
		if err != nil {
			return nil, err
		}
		if d.root == nil && d.format.skeleton != "" {
			src = slices.Concat(d.mark, []byte(d.format.skeleton), d.src)
			if d, err = parseSettings(c, src); err != nil {
				return nil, err
			}
		}
		if !slices.ContainsFunc(d.handlers(), func(h handler) bool { return h.Registration == hook }) {
			src = d.add([]string{"hooks", hook.Event}, "[]", d.format.element(hook))
		}
	}
	return src, nil
}

// Unregister removes all registrations whose command is ours. Lists and objects that Register has
// made go with the last of them; elements of others stay. It returns an empty text for a file that
// Register has made, which is to be removed.
func (c Client) Unregister(src []byte, ours func(command string) bool) ([]byte, error) {
	for removed := false; ; removed = true {
		d, err := parseSettings(c, src)
		if err != nil {
			return nil, err
		}
		handlers := slices.DeleteFunc(d.handlers(), func(h handler) bool { return !ours(h.Command) })
		if len(handlers) > 0 {
			src = d.remove(handlers[0].path...) // the one that Register added last
			continue
		}
		if rest, isNew := bytes.CutPrefix(d.src, []byte(d.format.skeleton)); removed && isNew {
			return slices.Concat(d.mark, rest), nil
		}
		return src, nil
	}
}

// Registered returns the commands that a settings file registers. Elements of other kinds, or of a
// shape that the agent ignores, are left out.
func (c Client) Registered(src []byte) ([]Registration, error) {
	d, err := parseSettings(c, src)
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
	d, err := parseSettings(c, src)
	if err != nil {
		return "", err
	}
	if off := d.format.switchedOff; off.path != "" && string(literalOf(d.at(off.path))) == off.value {
		return fmt.Sprintf("%s is %s", off.path, off.value), nil
	}
	for _, name := range elementsOf(d.at(d.format.disabledList)) {
		if textOf(name) == d.format.commandName {
			return fmt.Sprintf("%s names %s", d.format.disabledList, d.format.commandName), nil
		}
	}
	return "", nil
}

// PluginPrefix begins the name of this project's plugin, whatever marketplace it is from.
const PluginPrefix = "whence@"

// Plugins returns the plugins that a settings file switches on or off, by "name@marketplace". They
// may bring registrations of their own.
func (c Client) Plugins(src []byte) (on map[string]bool, err error) {
	d, err := parseSettings(c, src)
	if err != nil {
		return nil, err
	}
	on = map[string]bool{}
	for _, m := range membersOf(d.at("enabledPlugins")) {
		if value := string(literalOf(m.Value)); value == "true" || value == "false" {
			on[nameOf(m)] = value == "true"
		}
	}
	return on, nil
}

// checkShape returns an error if hooks cannot be added and found.
func (d *document) checkShape(c Client) error {
	if d.format.skeleton != "" && textOf(d.at("version")) != "1" {
		return d.errorAt(d.root.StartOffset, "%s reads a file of hooks only with \"version\": 1: add it", c.Title())
	}
	hooks := d.at("hooks")
	if hooks.Value == nil {
		return nil
	}
	if hooks.Value.Kind() != '{' {
		return d.errorAt(hooks.StartOffset, "\"hooks\" is %s, but must be an object, {…}: replace it with one, or remove it", describe(hooks))
	}
	for _, hook := range c.Hooks() {
		if list := memberOf(hooks, hook.Event); list.Value != nil && list.Value.Kind() != '[' {
			return d.errorAt(list.StartOffset, "the hooks of %q are %s, but must be a list, […]: replace them with one, or remove them", hook.Event, describe(list))
		}
	}
	return nil
}

// handler is a command in the file, and the way to what is removed with it: indexes, from the root downwards.
type handler struct {
	Registration
	path []int
}

// handlers returns the commands of all events, in the order of the text. Of a file with two objects
// of hooks, or two lists of an event, it returns those of both.
func (d *document) handlers() (all []handler) {
	if d.root == nil {
		return nil
	}
	for hi, hooks := range membersOf(*d.root) {
		if nameOf(hooks) != "hooks" {
			continue
		}
		for ei, event := range membersOf(hooks.Value) {
			for gi, element := range elementsOf(event.Value) {
				if r, ok := d.format.registration(nameOf(event), element); ok && d.format.flat {
					all = append(all, handler{r, []int{hi, ei, gi}})
				}
				commands := elementsOf(memberOf(element, "hooks")) // Copilot also reads groups
				for ci, command := range commands {
					r, ok := d.format.registration(nameOf(event), command)
					if !ok {
						continue
					}
					r.Matcher = textOf(memberOf(element, "matcher"))
					path := []int{hi, ei, gi}
					if len(commands) > 1 {
						path = append(path, indexOf(element, "hooks"), ci)
					}
					all = append(all, handler{r, path})
				}
			}
		}
	}
	return all
}

// registration reads an element that runs a command.
func (f format) registration(event string, v hujson.Value) (r Registration, ok bool) {
	r = Registration{Event: event, Matcher: textOf(memberOf(v, "matcher")), Command: textOf(memberOf(v, "command"))}
	if seconds, err := time.ParseDuration(textOf(memberOf(v, f.timeoutKey)) + "s"); err == nil {
		r.Timeout = time.Duration(float64(seconds) * f.timeoutUnit.Seconds())
	}
	return r, r.Command != ""
}

// element returns an element of the list of an event: a command, or a group with one.
func (f format) element(r Registration) item {
	command := []item{member("type", quoted("command"))}
	if f.commandName != "" {
		command = append(command, member("name", quoted(f.commandName)))
	}
	command = append(command, member("command", quoted(r.Command)))
	if r.Timeout > 0 {
		count := strconv.FormatFloat(r.Timeout.Seconds()/f.timeoutUnit.Seconds(), 'f', -1, 64)
		command = append(command, member(f.timeoutKey, literal(count)))
	}
	var matcher []item
	if r.Matcher != "" {
		matcher = []item{member("matcher", quoted(r.Matcher))}
	}
	if f.flat {
		return list("{}", slices.Concat(command, matcher)...)
	}
	return list("{}", append(matcher, member("hooks", list("[]", list("{}", command...))))...)
}
