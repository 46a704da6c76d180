package notes

import "errors"

// headings are the files that a session creates if they are missing, with their first lines,
// which do not count as content.
var headings = map[string]string{
	contextFile:   "# Context\n",
	findingsFile:  "# Findings\n",
	decisionsFile: "# Decisions\n",
	errorsFile:    "",
}

// begin creates the missing files and injects the notes. A resumed session still has what was
// injected before, and gets the notes again only if they have changed.
func begin(v *eventRun) (string, error) {
	var all error
	for name, text := range headings {
		if !v.folder.exists(name) {
			all = errors.Join(all, v.folder.add(name, nil, text))
		}
	}
	text, err := v.folder.injection()
	resumed := v.Session != "" && (v.Source == "resume" || v.Source == "fork")
	return v.show(text, !resumed), errors.Join(all, err)
}

// show returns the text to inject: none if its agent has it already, except if again is set, or
// if injection is off.
func (v *eventRun) show(text string, again bool) string {
	c := v.session.counter(v.Subagent)
	sum := hash(text)
	if text == "" || !v.config.Injection || c.Shown == sum && !again {
		return ""
	}
	v.shown, c.Calls = sum, 0
	return text
}
