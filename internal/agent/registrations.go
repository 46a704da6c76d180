package agent

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tailscale/hujson"
)

// Registration is a command that an agent runs at one of its events.
type Registration struct {
	Event   string        // the agent's name of the event
	Matcher string        // the tools after which it is run; "": all
	Command string        // the command line
	Timeout time.Duration // 0: the agent's default
}

// Register adds the missing registrations to the text of an agent's settings file. It keeps every byte of the text.
// Registrations are added at the beginning of their list (for Codex at its end), on lines of their own. Unregister
// removes exactly the added bytes.
//
// An empty text is a new file. Register returns a *SettingsError for a text that the agent itself could not read, or
// whose hooks have an unexpected shape.
func (c Client) Register(src []byte, hooks []Registration) ([]byte, error) {
	d, err := parseSettings(c, src)
	if err == nil && d.isNew && d.format.skeleton != "" {
		d, err = parseSettings(c, slices.Concat(d.mark, []byte(d.format.skeleton), d.src))
	}
	if err != nil {
		return nil, err
	}
	var registered []Registration
	d.eachCommand(func(r Registration) bool {
		registered = append(registered, r)
		return false
	})
	for _, hook := range slices.Backward(hooks) {
		if slices.Contains(registered, hook) {
			continue
		}
		if err := d.add([]string{"hooks", hook.Event}, d.format.element(hook)); err != nil {
			return nil, err
		}
	}
	return d.text(), nil
}

// Unregister removes all registrations whose command is ours, and the lists and objects that Register created, once
// they are empty. It keeps everything else. It returns an empty text for a file that Register created; the caller then
// removes the file.
func (c Client) Unregister(src []byte, ours func(command string) bool) ([]byte, error) {
	d, err := parseSettings(c, src)
	if err != nil {
		return nil, err
	}
	removed := false
	d.eachCommand(func(r Registration) bool {
		removed = removed || ours(r.Command)
		return ours(r.Command)
	})
	if !removed {
		return src, nil
	}
	after := bytes.TrimPrefix(d.text(), d.mark)
	return slices.Concat(d.mark, bytes.TrimPrefix(after, []byte(d.format.skeleton))), nil
}

// Registered returns the commands that a settings file registers. It omits elements of other kinds, or of a shape that
// the agent ignores.
func (c Client) Registered(src []byte) (all []Registration, err error) {
	d, err := parseSettings(c, src)
	if err != nil {
		return nil, err
	}
	d.eachCommand(func(r Registration) bool {
		all = append(all, r)
		return false
	})
	return all, nil
}

// DisabledBy returns a phrase for the setting that switches all hooks off; "" if none does.
func (c Client) DisabledBy(src []byte) (setting string, err error) {
	d, err := parseSettings(c, src)
	if err != nil {
		return "", err
	}
	if off := d.format.switchedOff; off.value != "" && textOf(at(&d.root, off.path...)) == off.value {
		return fmt.Sprintf("%s is %s", strings.Join(off.path, "."), off.value), nil
	}
	return "", nil
}

// TrustedFolders returns the folders that a config.json of Copilot CLI trusts. Only in these, and below them, does it
// run what a project registers.
func TrustedFolders(src []byte) (all []string) {
	root, err := hujson.Parse(src)
	if err != nil {
		return nil
	}
	for _, folder := range elementsOf(at(&root, "trusted_folders")) {
		all = append(all, textOf(&folder))
	}
	return all
}

// PluginPrefix begins the name of this project's plugin, from any marketplace.
const PluginPrefix = "whence@"

// Plugins returns the plugins that a settings file switches on (true) or off, by "name@marketplace". They may have
// registrations of their own.
func (c Client) Plugins(src []byte) (on map[string]bool, err error) {
	d, err := parseSettings(c, src)
	if err != nil {
		return nil, err
	}
	on = map[string]bool{}
	for _, m := range membersOf(at(&d.root, "enabledPlugins")) {
		if kind := m.Value.Value.Kind(); kind == 't' || kind == 'f' {
			on[nameOf(&m)] = kind == 't'
		}
	}
	return on, nil
}

// checkShape returns an error if the document has a shape in which hooks cannot be found or added.
func (d *document) checkShape(c Client) error {
	if err := d.demand(&d.root, '{', "the text"); err != nil {
		return err
	}
	if version := at(&d.root, "version"); d.format.skeleton != "" && version != nil && textOf(version) != "1" {
		return d.errorAt(version.StartOffset, "%s reads no hooks file with another \"version\" than 1: change that", c.Title())
	}
	err := d.demand(at(&d.root, "hooks"), '{', `"hooks"`)
	for _, hook := range c.Hooks() {
		err = cmp.Or(err, d.demand(at(&d.root, "hooks", hook.Event), '[', fmt.Sprintf("the value of %q", hook.Event)))
	}
	return err
}

// eachCommand calls a function for the commands of all events, in the order of the text, and removes those for which
// the function returns true. If the file has two objects of hooks, or two lists for an event, it covers both.
func (d *document) eachCommand(remove func(Registration) bool) {
	d.removeAtRoot(func(hooks *hujson.ObjectMember) bool {
		return nameOf(hooks) == "hooks" && removeMembers(&hooks.Value, func(event *hujson.ObjectMember) bool {
			return removeElements(&event.Value, func(element *hujson.Value) bool {
				return d.removeFrom(nameOf(event), element, remove)
			})
		})
	})
}

// removeFrom removes commands from an element of the list of an event. It reports whether the element itself must be
// removed: it is a command to remove, or a group without commands left.
func (d *document) removeFrom(event string, element *hujson.Value, remove func(Registration) bool) (isGone bool) {
	if r := d.format.registration(event, element, element); d.format.flat && r.Command != "" {
		return remove(r)
	}
	list := at(element, "hooks") // Copilot also reads groups
	if len(elementsOf(list)) == 0 {
		return false
	}
	removeElements(list, func(command *hujson.Value) bool {
		r := d.format.registration(event, element, command)
		return r.Command != "" && remove(r)
	})
	return len(elementsOf(list)) == 0
}

// registration reads a command and its matcher. The registration has no Command if the value is not one.
func (f format) registration(event string, group, command *hujson.Value) Registration {
	r := Registration{Event: event, Matcher: textOf(at(group, "matcher")), Command: textOf(at(command, "command"))}
	limit := cmp.Or(textOf(at(command, "timeoutSec")), textOf(at(command, "timeout")))
	if seconds, err := time.ParseDuration(limit + "s"); err == nil {
		r.Timeout = time.Duration(float64(seconds) * f.timeoutUnit.Seconds())
	}
	return r
}

// command is a command in the form in which settings have it.
type command struct {
	Type       string  `json:"type"`
	Name       string  `json:"name,omitempty"`
	Command    string  `json:"command"`
	Timeout    float64 `json:"timeout,omitempty"`
	TimeoutSec float64 `json:"timeoutSec,omitempty"` // only in Copilot CLI
	Matcher    string  `json:"matcher,omitempty"`
}

// group is a group of commands with one matcher.
type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []command `json:"hooks"`
}

// element returns an element of the list of an event: a command, or a group with one.
func (f format) element(r Registration) any {
	h := command{Type: "command", Name: f.commandName, Command: r.Command}
	h.Timeout = r.Timeout.Seconds() / f.timeoutUnit.Seconds()
	if f.timeoutSec {
		h.Timeout, h.TimeoutSec = 0, h.Timeout
	}
	if f.flat {
		h.Matcher = r.Matcher
		return h
	}
	return group{r.Matcher, []command{h}}
}
